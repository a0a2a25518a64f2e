/** What the pages may import is enforced: each breach is planted, and lint refuses it. */
import { assert, it } from "@effect/vitest"
import { breach } from "./Breach.ts"

it.each([
  ["packages/pages/browser/request/a.ts", `export * from "@filedrive/core"`, "the pages import the client only"],
  ["packages/pages/src/a.ts", `export * from "@filedrive/adapter-node"`, "the pages import the client only"],
  ["packages/pages/src/a.ts", `export * from "../../core/src/index.ts"`, "Import a package by its name"],
  ["packages/pages/browser/a.ts", `import "../../client/src/index.ts"`, "Import a package by its name"],
  ["packages/pages/browser/a.ts", `import "preact"`, "Imported module should be assigned"]
])("%s: %s", (file, text, reason) => {
  using workspace = breach({ [file]: `${text}\n` })
  const { output, refused } = workspace.lint()
  assert.include(output, reason)
  assert.isTrue(refused)
})

it("a page imports the client, and a component its style", () => {
  using workspace = breach({
    "packages/pages/browser/a.ts": `import "./a.css"\nexport * from "@filedrive/client"\n`
  })
  assert.isFalse(workspace.lint().refused)
})
