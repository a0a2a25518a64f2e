import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** Starts a drive in a process where `library` is not installed; answers why it did not start. */
const withoutLibrary = (library: string, options: object): string => {
  const script = `
    import { registerHooks } from "node:module"
    registerHooks({
      resolve: (name, context, next) => {
        if (name === ${
    JSON.stringify(library)
  }) throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" })
        return next(name, context)
      }
    })
    const { createDrive } = await import("@filedrive/adapter-node")
    const drive = createDrive(${JSON.stringify(options)})
    await drive.ready().then(() => console.log("started"), (error) => console.log(error.message))
    await drive.close()`
  const flags = ["--conditions=@filedrive/source", "--input-type=module", "--eval"]
  const { stderr, stdout } = spawnSync(process.execPath, [...flags, script], { timeout: 60_000, encoding: "utf8" })
  assert.strictEqual(stderr, "")
  return stdout
}

const s3 = {
  region: "us-east-1",
  endpoint: "http://127.0.0.1:1",
  privateBucket: "a",
  publicBucket: "b",
  credentials: { accessKeyId: "x", secretAccessKey: "y" }
}

describe("a missing library", () => {
  it.each([
    { library: "@electric-sql/pglite", options: {} },
    { library: "@aws-sdk/client-s3", options: { database: { url: "postgres://127.0.0.1:1/x" }, storage: { s3 } } }
  ])("HOST-9 $library is named in the error", async ({ library, options }) => {
    const dataDirectory = await mkdtemp(join(tmpdir(), "filedrive-missing-"))
    const told = withoutLibrary(library, { dataDirectory, log: "off", ...options })
    await rm(dataDirectory, { recursive: true })
    assert.match(told, new RegExp(`needs the package ${library}: npm install`))
  }, 70_000)
})
