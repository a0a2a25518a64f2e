/** `npm ci` works from the lock, on any platform and with any registry. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { missing, type Packages } from "../scripts/completeLock.ts"
import { root } from "../scripts/workspace.ts"

const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as { packages: Packages }

describe("package-lock.json", () => {
  it("holds every optional package it names (if not: node scripts/completeLock.ts)", () => {
    assert.deepStrictEqual(Object.keys(missing(packages)), [])
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
