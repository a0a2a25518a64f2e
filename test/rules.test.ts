/** Every rule of `docs/rules.md` begins the name of a test, and no test names a rule that is not there. */
import { assert, describe, it } from "@effect/vitest"
import { ruleCoverage } from "../scripts/ruleCoverage.ts"
import { root } from "../scripts/workspace.ts"

const coverage = ruleCoverage(root)

describe("rules", () => {
  it("are numbered once each", () => {
    assert.isAbove(coverage.ruleCount, 100)
    assert.deepStrictEqual(coverage.repeated, [])
  })

  it("belong to a section whose heading states their prefix", () => {
    assert.deepStrictEqual(coverage.outsideSections, [])
  })

  it("all have a test", () => {
    assert.deepStrictEqual(coverage.untested, [])
  })

  it("are the only ones that tests name", () => {
    assert.deepStrictEqual(coverage.unknown, [])
  })
})
