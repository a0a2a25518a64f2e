/** `npm ci` works from the lock, on any platform and with any registry. */
import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { missing, type Packages } from "../scripts/completeLock.ts"
import { root } from "../scripts/workspace.ts"

const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as { packages: Packages }

describe("package-lock.json", () => {
  it("holds every optional package it names (if not: node scripts/completeLock.ts)", () => {
    assert.deepStrictEqual(Object.keys(missing(packages)), [])
  })

  it("asks for what each package.json asks for (if not: npm install)", () => {
    const kinds = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"] as const
    for (const file of ["package.json", ...globSync("{packages,examples}/*/package.json", { cwd: root })]) {
      const manifest = JSON.parse(readFileSync(join(root, file), "utf8")) as Record<string, unknown>
      const locked = packages[file === "package.json" ? "" : dirname(file)] as Record<string, unknown> | undefined
      for (const kind of kinds) assert.deepStrictEqual(locked?.[kind], manifest[kind], `${kind} of ${file}`)
    }
  })

  it("names no registry", () => {
    const hosts = Object.values(packages).filter(({ resolved }) => resolved !== undefined && /^[a-z+]+:/.test(resolved))
    assert.deepStrictEqual(hosts, [])
  })

  it("is found incomplete when a platform's package is left out", () => {
    const lock = {
      "": {},
      "node_modules/tool": {
        dev: true,
        optionalDependencies: { "@tool/linux-x64-musl": "1.2.3", "@tool/linux-x64-gnu": "1.2.3" }
      },
      "node_modules/tool/node_modules/@tool/linux-x64-gnu": { version: "1.2.3" }
    }
    assert.deepStrictEqual(missing(lock), {
      "node_modules/@tool/linux-x64-musl": {
        version: "1.2.3",
        dev: true,
        optional: true,
        cpu: ["x64"],
        os: ["linux"],
        libc: ["musl"]
      }
    })
  })
})
