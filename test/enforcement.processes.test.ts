/** The rules of the house are enforced: each breach is planted, and its tool refuses it for the right reason. */
import { assert, describe, it } from "@effect/vitest"
import { breach, type Verdict } from "./Breach.ts"

const core = "packages/core/src"

const assertRefused = (verdict: Verdict, reason: string) => {
  assert.include(verdict.output, reason)
  assert.isTrue(verdict.refused)
}

describe("lint", () => {
  it.each<[breach: string, file: string, text: string, reason: string]>([
    ["Node in the core", `${core}/files/Files.ts`, `export * from "node:fs"`, "imports nothing above it"],
    [
      "a feature in the index of docs",
      `${core}/docindex/DocIndex.ts`,
      `export * from "../files/Files.ts"`,
      "objects and docindex are below files"
    ],
    ["Node without its prefix in the core", `${core}/files/Files.ts`, `export * from "fs"`, "imports nothing above it"],
    [
      "an adapter in the core",
      `${core}/uploads/Uploads.ts`,
      `export * from "@filedrive/adapter-node"`,
      "nothing of Node, no adapter"
    ],
    [
      "an adapter's source in the core",
      `${core}/uploads/Uploads.ts`,
      `export * from "../../../adapter-node/src/index.ts"`,
      "nothing of Node, no adapter"
    ],
    [
      "another library in the core",
      `${core}/uploads/Uploads.ts`,
      `export * from "express"`,
      "nothing of Node, no adapter"
    ],
    [
      "another feature's Repo",
      `${core}/uploads/Uploads.ts`,
      `export * from "../files/FilesRepo.ts"`,
      "A Repo is private to its feature"
    ],
    [
      "another feature's Repo by its name",
      `${core}/uploads/Uploads.ts`,
      `export { FilesRepo } from "../files/FilesRepo.ts"`,
      "A Repo is private to its feature"
    ],
    [
      "a type of a Repo",
      `${core}/uploads/Uploads.ts`,
      `export type { StoredForm } from "./FormsRepo.ts"`,
      "A Repo holds SQL and its service"
    ],
    [
      "a type of a Repo below files",
      `${core}/accounts/Sessions.ts`,
      `import { SessionsRepo, type SessionLimit } from "./SessionsRepo.ts"\nexport const a = (limit: SessionLimit) => [SessionsRepo, limit]`,
      "A Repo holds SQL and its service"
    ],
    [
      "a condition of a Repo",
      `${core}/files/Files.ts`,
      `export { isWithin } from "./FilesRepo.ts"`,
      "A Repo holds SQL and its service"
    ],
    [
      "a type of a Repo in a test",
      `${core}/docindex/Compaction.test.ts`,
      `export type { Header } from "./DocIndexRepo.ts"`,
      "A Repo holds SQL and its service"
    ],
    [
      "another feature's Handlers",
      `${core}/uploads/UploadsHandlers.ts`,
      `export * from "../files/FilesHandlers.ts"`,
      "Handlers are private"
    ],
    [
      "a Repo in Handlers",
      `${core}/uploads/UploadsHandlers.ts`,
      `export * from "./UploadsRepo.ts"`,
      "SQL stays behind it"
    ],
    [
      "a Repo in http",
      `${core}/http/Api.ts`,
      `export * from "../files/FilesRepo.ts"`,
      "A Repo is private to its feature"
    ],
    ["HTTP in a service", `${core}/uploads/Uploads.ts`, `export * from "../http/ApiError.ts"`, "not http/"],
    ["its own Api in a service", `${core}/uploads/Uploads.ts`, `export * from "./UploadsApi.ts"`, "HTTP is above"],
    [
      "its own Handlers in a service",
      `${core}/uploads/Uploads.ts`,
      `export * from "./UploadsHandlers.ts"`,
      "HTTP is above"
    ],
    ["upward from shared", `${core}/shared/Ids.ts`, `export * from "../files/Files.ts"`, "are the floor"],
    ["upward from the facts", `${core}/facts/MediaFact.ts`, `export * from "../ports/MediaTools.ts"`, "facts imports"],
    ["upward from a port", `${core}/ports/Accounts.ts`, `export * from "../database/Database.ts"`, "A port imports"],
    ["upward from database", `${core}/database/Database.ts`, `export * from "../jobs/Jobs.ts"`, "database imports"],
    [
      "upward from accounts",
      `${core}/accounts/AccountTransaction.ts`,
      `export * from "../files/Files.ts"`,
      "are below files"
    ],
    [
      "upward from files",
      `${core}/files/Files.ts`,
      `export * from "../uploads/Uploads.ts"`,
      "below the other features"
    ],
    [
      "the list of features in a feature",
      `${core}/uploads/Uploads.ts`,
      `export * from "../Features.ts"`,
      "not http/"
    ],
    [
      "HTTP in a folder that lint has no entry for",
      `${core}/notes/Notes.ts`,
      `export * from "../http/ApiError.ts"`,
      "not http/"
    ],
    [
      "another feature in a feature's value",
      `${core}/notes/NotesFeature.ts`,
      `export * from "../files/FilesLayer.ts"`,
      "what is in its own folder"
    ],
    [
      "a Repo in a feature's value",
      `${core}/notes/NotesFeature.ts`,
      `export * from "./NotesRepo.ts"`,
      "SQL stays behind"
    ],
    ["upward by a type", `${core}/jobs/Jobs.ts`, `export type { F } from "../files/Files.ts"`, "are below files"],
    [
      "upward by a dynamic import",
      `${core}/jobs/Jobs.ts`,
      `export const later = () => import("../files/Files.ts")`,
      "are below files"
    ],
    [
      "Express in adapter-node",
      "packages/adapter-node/src/a.ts",
      `export * from "@filedrive/adapter-express"`,
      "imports the core, media, images, agent and pages only"
    ],
    [
      "adapter-node in media",
      "packages/media/src/a.ts",
      `export * from "@filedrive/adapter-node"`,
      "imports the core only"
    ],
    [
      "media in images",
      "packages/images/src/a.ts",
      `export * from "@filedrive/media"`,
      "imports the core only"
    ],
    [
      "the core's source in adapter-node",
      "packages/adapter-node/src/a.ts",
      `export * from "../../core/src/index.ts"`,
      "by its name"
    ],
    [
      "a package's source in an example",
      "examples/node-server/src/a.ts",
      `export * from "../../../packages/core/src/index.ts"`,
      "An example is a host"
    ],
    [
      "a type imported as a value",
      `${core}/files/Files.ts`,
      `import { Effect } from "effect"\nexport type E = Effect.Effect<void>`,
      "consistent-type-imports"
    ],
    [
      "a module loaded for its types alone",
      "packages/adapter-node/src/a.ts",
      `import { type S3 } from "@aws-sdk/client-s3"\nexport type Client = S3`,
      "no-import-type-side-effects"
    ],
    [
      "301 lines of code",
      `${core}/files/Files.ts`,
      Array.from({ length: 301 }, (_, n) => `export const a${n} = ${n}\n`).join("\n"),
      "max-lines"
    ]
  ])("refuses %s", (_, file, text, reason) => {
    using planted = breach({ [file]: `${text}\n` })
    assertRefused(planted.lint(), reason)
  })

  it("refuses a cycle", () => {
    using planted = breach({
      [`${core}/files/A.ts`]: `import { b } from "./B.ts"\nexport const a = (): number => b()\n`,
      [`${core}/files/B.ts`]: `import { a } from "./A.ts"\nexport const b = (): number => a()\n`
    })
    assertRefused(planted.lint(), "no-cycle")
  })

  it("refuses a cycle of types alone", () => {
    using planted = breach({
      [`${core}/files/A.ts`]: `import type { B } from "./B.ts"\nexport interface A {\n  readonly b: B | null\n}\n`,
      [`${core}/files/B.ts`]: `import type { A } from "./A.ts"\nexport interface B {\n  readonly a: A | null\n}\n`
    })
    assertRefused(planted.lint(), "no-cycle")
  })

  it("lets 300 lines, a room below, a service beside and a test be", () => {
    using kept = breach({
      [`${core}/files/Files.ts`]: Array.from({ length: 300 }, (_, n) => `export const a${n} = ${n} // why\n`).join(
        "\n"
      ),
      [`${core}/jobs/Jobs.ts`]: `export * from "effect/sql"\nexport * from "../ports/Accounts.ts"\n`,
      [`${core}/uploads/Uploads.ts`]:
        `export * from "../files/Files.ts"\nexport { UploadsRepo } from "./UploadsRepo.ts"\n`,
      [`${core}/uploads/UploadsHandlers.ts`]: `export * from "../http/Api.ts"\nexport * from "./Uploads.ts"\n`,
      [`${core}/uploads/Uploads.test.ts`]:
        `export { FilesRepo } from "../files/FilesRepo.ts"\nexport * from "node:fs"\n`,
      "packages/media/src/a.ts": `export * from "@filedrive/core"\nexport * from "node:fs"\n`,
      "packages/adapter-node/src/a.ts": `export * from "@filedrive/media/kinds"\nexport * from "node:fs"\n`
    })
    const verdict = kept.lint()
    assert.isFalse(verdict.refused, verdict.output)
  })
})

/** Plants every breach in a file of its own, runs the compiler once and hands over what it says of each. */
const typeErrors = (project: string, folder: string, breaches: ReadonlyArray<readonly [string, string, string]>) => {
  using planted = breach(Object.fromEntries(
    breaches.map(([, text], n) => [
      `${folder}/breach${n}.ts`,
      `import { Effect } from "effect"\n${text}\nexport { Effect }\n`
    ])
  ))
  const { output } = planted.types(project)
  return breaches.map((_, n) =>
    output.split("\n").filter((line) => line.includes(`/breach${n}.ts(`) && line.includes(": error "))
  )
}

describe("types", { timeout: 120_000 }, () => {
  it.each<[project: string, folder: string, breaches: ReadonlyArray<[breach: string, text: string, reason: string]>]>([
    ["packages/core", core, [
      ["a type error", `export const a: number = "a"`, "TS2322"],
      ["an unchecked index", `export const a = (list: Array<number>): number => list[0]`, "TS2322"],
      ["a Node import", `export * as fs from "node:fs"`, "node:fs"],
      ["Node's globals", `export const a = Buffer.alloc(1)`, "Buffer"],
      ["an effect nobody runs", `Effect.log("lost")`, "floatingEffect"],
      ["the clock of the machine", `export const a = () => Date.now()`, "globalDate"],
      ["the clock in an effect", `export const a = Effect.sync(() => new Date())`, "globalDate"],
      ["chance", `export const a = () => Math.random()`, "globalRandom"],
      ["a UUID out of nowhere", `export const a = () => crypto.randomUUID()`, "cryptoRandomUUID"],
      ["fetch", `export const a = () => fetch("https://example.com")`, "globalFetch"],
      ["a timer", `export const a = () => setTimeout(() => undefined, 1)`, "globalTimers"],
      ["the console", `export const a = () => console.log("a")`, "globalConsole"],
      [
        "a failure that isn't returned",
        `export const a = Effect.gen(function*() { yield* Effect.fail("a") })`,
        "missingReturnYieldStar"
      ],
      ["syntax that can't be erased", `export enum A { B }`, "TS1294"]
    ]],
    ["packages/adapter-node", "packages/adapter-node/src", [
      ["the clock of the machine", `export const a = () => Date.now()`, "globalDate"],
      ["chance", `export const a = () => Math.random()`, "globalRandom"],
      ["the environment", `export const a = process.env["HOME"]`, "processEnv"],
      ["an effect nobody runs", `Effect.log("lost")`, "floatingEffect"]
    ]],
    [".", "test", [
      ["a type error", `export const a: number = "a"`, "TS2322"],
      ["an effect nobody runs", `Effect.log("lost")`, "floatingEffect"]
    ]]
  ])("of %s refuse each breach", (project, folder, breaches) => {
    const errors = typeErrors(project, folder, breaches)
    for (const [n, [name, , reason]] of breaches.entries()) {
      assert.include(errors[n]!.join("\n"), reason, `${name} was let through`)
    }
  })

  it("let a plain module be", () => {
    using kept = breach({
      [`${core}/a.ts`]: `import { Effect } from "effect"\nexport const a = Effect.succeed(1)\n`,
      "packages/adapter-node/src/a.ts": `import { readFileSync } from "node:fs"\nexport const a = readFileSync("a")\n`
    })
    for (const project of ["packages/core", "packages/adapter-node"]) {
      const verdict = kept.types(project)
      assert.isFalse(verdict.refused, verdict.output)
    }
  })
})

// A first run of the formatter compiles its plugin.
describe("format", { timeout: 120_000 }, () => {
  it("refuses an unformatted file", () => {
    using planted = breach({ [`${core}/a.ts`]: `export const a = 'a';\n` })
    assertRefused(planted.format(), "not formatted")
  })

  it("lets a formatted one be", () => {
    using kept = breach({ [`${core}/a.ts`]: `export const a = "a"\n` })
    assert.isFalse(kept.format().refused)
  })
})
