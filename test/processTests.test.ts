/** Which tests `npm run test:processes` runs. Files with breaches are written to a temporary directory. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { processTests, suffix } from "../scripts/processTests.ts"
import { testFiles, testFilesThat } from "../scripts/testFiles.ts"
import { root } from "../scripts/workspace.ts"
import { breach } from "./Breach.ts"

const named = testFiles().filter((file) => file.endsWith(suffix))

describe("tests that start processes or kill them", () => {
  it(`are called *${suffix}, so that npm test stays short`, () => {
    assert.deepStrictEqual(processTests().filter((file) => !named.includes(file)), [])
    assert.isAbove(named.length, 20)
  })

  it("are seen by themselves and by the modules of tests that they import, but not where one server serves all", () => {
    // The words are joined at run time, so that this file does not match itself.
    const starts = `import { spawn } from "node:child_process"\n${"spawn"}("node")\n`
    const kills = `child.kill("${"SIG"}KILL")\n`
    using planted = breach({
      "packages/a/test/Own.test.ts": starts,
      "packages/a/test/Imported.test.ts": `import { start } from "./Start.ts"\n`,
      "packages/a/test/Start.ts": starts,
      "packages/a/test/Killing.test.ts": kills,
      "packages/a/test/Served.test.ts": `import { server } from "./PostgresServer.ts"\n`,
      "packages/a/test/PostgresServer.ts": starts,
      "packages/a/test/Plain.test.ts": `it("adds")\n`
    })
    assert.deepStrictEqual(processTests(planted.directory).map((file) => file.split("/").at(-1)), [
      "Imported.test.ts",
      "Killing.test.ts",
      "Own.test.ts"
    ])
  })

  it("name the database that they are for, so that one run of them is enough", () => {
    // With `testDrive` a test names its database.
    const named = /\/(?:TestDatabase|TestDrive)\.ts$/
    const asking = testFilesThat((source) => /TestDatabase\.layer(?:New)?\b/.test(source), (path) => !named.test(path))
    assert.isAbove(asking.length, 100)
    assert.deepStrictEqual(asking.filter((file) => file.endsWith(suffix)), [])
  })

  it("run by a command of their own, and .ci/run calls both, and the others also on servers", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    assert.strictEqual(scripts.test, "vitest run --project=!processes*")
    assert.strictEqual(scripts["test:processes"], "vitest run --project=processes*")
    const run = readFileSync(join(root, ".ci/run"), "utf8")
    for (const [script, times] of [["test", 2], ["test:processes", 1]] as const) {
      assert.lengthOf(run.match(new RegExp(`^suite ".*" ${script}(?: |$)`, "gm"))!, times)
    }
  })
})
