/** A host without an optional library is told which one it needs, and needs none it doesn't use. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root } from "../scripts/workspace.ts"

/** Makes the process that imports it one where `library` is not installed. */
const without = (library: string) =>
  `data:text/javascript,${
    encodeURIComponent(`
      import { registerHooks } from "node:module"
      registerHooks({
        resolve: (specifier, context, next) => {
          if (specifier !== ${JSON.stringify(library)}) return next(specifier, context)
          throw Object.assign(new Error("Cannot find package '" + specifier + "'"), { code: "ERR_MODULE_NOT_FOUND" })
        }
      })
    `)
  }`

/** What a host prints that starts a drive with these options and no `library`. */
const startWithout = (library: string, options: Record<string, unknown>): string => {
  const dataDirectory = mkdtempSync(join(tmpdir(), "filedrive-peers-"))
  try {
    const script = `
      import { createDrive } from "@filedrive/adapter-node"
      const drive = createDrive(${JSON.stringify({ dataDirectory, log: "off", ...options })})
      await drive.ready().then(() => console.log("ready"), (error) => console.log(error.message))
      await drive.close()
      process.exit(0)
    `
    const arguments_ = [
      "--conditions=@filedrive/source",
      "--import",
      without(library),

      "-e",
      script
    ]
    return spawnSync(process.execPath, arguments_, { cwd: join(root, "test"), encoding: "utf8" }).stdout
  } finally {
    rmSync(dataDirectory, { recursive: true, force: true })
  }
}

const s3 = {
  endpoint: "http://127.0.0.1:9",
  region: "us-east-1",
  privateBucket: "a",
  publicBucket: "b",
  credentials: { accessKeyId: "a", secretAccessKey: "b" }
}

describe("optional libraries", { timeout: 60_000 }, () => {
  it("HOST-9 the embedded database without PGlite says what to install", () => {
    assert.include(startWithout("@electric-sql/pglite", {}), "needs the package @electric-sql/pglite")
  })

  it("HOST-9 S3 storage without the SDK says what to install", () => {
    assert.include(startWithout("@aws-sdk/client-s3", { storage: { s3 } }), "needs the package @aws-sdk/client-s3")
  })

  it("HOST-9 a drive that opens no files starts without the media tools", () => {
    assert.notInclude(startWithout("@filedrive/media", {}), "ready")
    assert.strictEqual(startWithout("@filedrive/media", { media: false }).trim(), "ready")
  })

  it("HOST-9 disk storage starts without the SDK", () => {
    assert.strictEqual(startWithout("@aws-sdk/client-s3", {}).trim(), "ready")
  })

  it("HOST-133 a part of the adapter loads without the others, and without any library but Effect and the drive's own", () => {
    const optional = ["@electric-sql/pglite", "@aws-sdk/client-s3", "@filedrive/media"]
    const parts = ["disk", "s3", "remote", "server", "postgres", "pglite", "pglite-memory"]
    const script = `
      import { registerHooks } from "node:module"
      const loaded = []
      registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
      for (const part of ${JSON.stringify(parts)}) {
        const { length } = Object.keys(await import("@filedrive/adapter-node/" + part))
        console.log(part, length > 0, loaded.some((url) => /createDrive\\.ts|adapter-node\\/src\\/index\\.ts/.test(url)))
      }
    `
    const { stderr, stdout } = spawnSync(process.execPath, [
      "--conditions=@filedrive/source",
      ...optional.flatMap((library) => ["--import", without(library)]),
      "--input-type=module",
      "-e",
      script
    ], { cwd: join(root, "test"), encoding: "utf8" })
    assert.strictEqual(stdout, parts.map((part) => `${part} true false\n`).join(""), stderr)
  })

  it("CLIENT-86 the client loads without React and Uppy, which its parts for them alone import", () => {
    const script = `
      for (const part of ["", "/calls", "/react", "/uppy"]) {
        await import("@filedrive/client" + part).then(() => console.log(part, "loaded"), ({ code }) => console.log(part, code))
      }
    `
    const { stderr, stdout } = spawnSync(process.execPath, [
      "--conditions=@filedrive/source",
      ...["react", "@uppy/core"].flatMap((library) => ["--import", without(library)]),
      "--input-type=module",
      "-e",
      script
    ], { cwd: join(root, "test"), encoding: "utf8" })
    const expected = [" loaded", "/calls loaded", "/react ERR_MODULE_NOT_FOUND", "/uppy ERR_MODULE_NOT_FOUND"]
    assert.deepStrictEqual(stdout.trimEnd().split("\n"), expected, stderr)
  })
})
