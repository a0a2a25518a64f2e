/** What the client may import is enforced: each breach is planted, and lint refuses it for the right reason. */
import { assert, describe, it } from "@effect/vitest"
import { breach } from "./Breach.ts"

const client = "packages/client/src"

describe("lint", () => {
  it.each<[breach: string, file: string, text: string, reason: string]>([
    ["Effect", "Wire.ts", `export * from "effect"`, "The client imports nothing but itself"],
    ["another package of the workspace", "upload/Queue.ts", `export * from "@filedrive/core"`, "nothing but itself"],
    ["another package by its path", "Wire.ts", `export * from "../../core/src/index.ts"`, "nothing but itself"],
    ["Node", "upload/Queue.ts", `export * from "node:fs"`, "what needs Node is in src/node"],
    ["what needs Node, by its path", "upload/Queue.ts", `export * from "../node/paths.ts"`, "Only #platform leads"],
    ["a platform by its path", "index.ts", `export * from "./web/platform.ts"`, "decides #platform"],
    ["React outside the hooks", "upload/Queue.ts", `export * from "react"`, "nothing but itself"],
    ["a library in the hooks", "react/index.ts", `export * from "react-dom"`, "the client and React"],
    [
      "a library in the uploader for Uppy",
      "uppy/index.ts",
      `export * from "@uppy/utils"`,
      "the client and Uppy's core"
    ],
    ["a library in the part for Node", "node/paths.ts", `export * from "undici"`, "and what Node has"]
  ])("CLIENT-1 refuses %s in the client", (_, file, text, reason) => {
    using planted = breach({ [`${client}/${file}`]: `${text}\n` })
    const verdict = planted.lint()
    assert.include(verdict.output, reason)
    assert.isTrue(verdict.refused)
  })

  it("CLIENT-1 lets its own modules and #platform be", () => {
    using kept = breach({
      [`${client}/index.ts`]: `export * from "./upload/Queue.ts"\nexport * from "#platform"\n`,
      [`${client}/react/index.ts`]: `export * from "react"\nexport * from "../Client.ts"\n`,
      [`${client}/uppy/index.ts`]: `export * from "@uppy/core"\n`,
      [`${client}/node/paths.ts`]: `export * from "node:fs"\nexport * from "../upload/Source.ts"\n`
    })
    assert.deepInclude(kept.lint(), { refused: false })
  })
})
