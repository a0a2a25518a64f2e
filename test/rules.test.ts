/**
 * Every rule of `docs/rules/*.md` begins the name of a test, stands in the section of its prefix, and no test names a rule
 * that does not exist. The breaches are planted in a directory of their own.
 */
import { assert, describe, it } from "@effect/vitest"
import { ruleCoverage } from "../scripts/ruleCoverage.ts"
import { root } from "../scripts/workspace.ts"
import { breach } from "./Breach.ts"

const coverage = ruleCoverage(root)

describe("rules", () => {
  it("are numbered once each", () => {
    assert.isAbove(coverage.ruleCount, 600)
    assert.deepStrictEqual(coverage.repeated, [])
  })

  it("belong to the section whose heading declares their prefix", () => {
    assert.deepStrictEqual(coverage.outsideSections, [])
  })

  it("have prefixes that one heading declares, and the index lists", () => {
    assert.deepStrictEqual(coverage.repeatedPrefixes, [])
    assert.deepStrictEqual(coverage.unlisted, [])
  })

  it("all have a test", () => {
    assert.deepStrictEqual(coverage.untested, [])
  })

  it("are the only ones that tests name", () => {
    assert.deepStrictEqual(coverage.unknown, [])
  })
})

describe("rule coverage", () => {
  // The ids are put together here, so that this file names no rule itself.
  const up = (number: number) => `UP-${number}`
  const zip = (number: number) => `ZIP-${number}`
  const uploads = `# Uploads\n\n## UP: uploads\n- **${up(1)}** first\n\n### More\n- **${up(2)}** second\n  line\n`
  const archives = `# Archives\n\n## ZIP: archives\n- **${zip(1)}** third\n`
  const index = "| UP | [uploads.md](uploads.md) | uploads |\n| ZIP | [archives.md](archives.md) | archives |\n"
  const tests = `it("${up(1)}, ${up(2)}: both hold")\nit("${zip(1)} holds")\n`
  const sound = {
    "docs/rules/README.md": index,
    "docs/rules/uploads.md": uploads,
    "docs/rules/archives.md": archives,
    "test/a.test.ts": tests
  }
  const complete = {
    untested: [],
    unknown: [],
    repeated: [],
    outsideSections: [],
    repeatedPrefixes: [],
    unlisted: [],
    ruleCount: 3
  }

  it.each<[breach: string, files: Readonly<Record<string, string>>, seen: object]>([
    ["nothing where all is right", {}, {}],
    [
      "a rule without a test, in any file",
      { "test/a.test.ts": `it("${up(1)} holds")\n// ${up(2)} and ${zip(1)} in a comment\n` },
      { untested: [zip(1), up(2)] }
    ],
    [
      "a test of a rule that does not exist",
      { "packages/core/src/b.test.ts": `it("${up(3)} holds")\nit("${zip(1)} and ${zip(2)} hold")` },
      { unknown: [`packages/core/src/b.test.ts: ${up(3)}`, `packages/core/src/b.test.ts: ${zip(2)}`] }
    ],
    [
      "a rule before the first section",
      {
        "docs/rules/archives.md": `# Archives\n- **${zip(2)}** fourth\n${archives}`,
        "test/b.test.ts": `it("${zip(2)} holds")`
      },
      { outsideSections: [`archives.md: ${zip(2)}`], ruleCount: 4 }
    ],
    [
      "a rule in a section without a prefix",
      {
        "docs/rules/archives.md": `${archives}\n## More\n- **${zip(2)}** fourth\n`,
        "test/b.test.ts": `it("${zip(2)} holds")`
      },
      { outsideSections: [`archives.md: ${zip(2)}`], ruleCount: 4 }
    ],
    [
      "a rule in the section of another file's prefix",
      { "docs/rules/archives.md": `${archives}- **${up(3)}** fourth\n`, "test/b.test.ts": `it("${up(3)} holds")` },
      { outsideSections: [`archives.md: ${up(3)}`], ruleCount: 4 }
    ],
    [
      "a rule whose prefix no heading declares, and that it has no test",
      { "docs/rules/archives.md": `${archives}- **${`NEW-${1}`}** fourth\n` },
      { outsideSections: [`archives.md: NEW-${1}`], untested: [`NEW-${1}`], ruleCount: 4 }
    ],
    [
      "a number given twice",
      { "docs/rules/uploads.md": `${uploads}- **${up(1)}** again\n` },
      { repeated: [up(1)] }
    ],
    [
      "a prefix declared twice in one file",
      { "docs/rules/archives.md": `${archives}\n## ZIP: again\n` },
      { repeatedPrefixes: ["archives.md: ZIP"] }
    ],
    [
      "a prefix declared in another file too",
      {
        "docs/rules/archives.md": `${archives}\n## UP: uploads\n- **${up(3)}** fourth\n`,
        "test/b.test.ts": `it("${up(3)} holds")`
      },
      { repeatedPrefixes: ["uploads.md: UP"], unlisted: ["archives.md: UP"], ruleCount: 4 }
    ],
    [
      "a prefix that the index does not list",
      { "docs/rules/README.md": index.split("\n")[0]! },
      { unlisted: ["archives.md: ZIP"] }
    ],
    [
      "names in the conformance suites of the testing package",
      { "test/a.test.ts": "", "packages/testing/src/store/PartsSuite.ts": tests },
      {}
    ]
  ])("sees %s", (_, files, seen) => {
    using planted = breach({ ...sound, ...files })
    assert.deepStrictEqual(ruleCoverage(planted.directory), { ...complete, ...seen })
  })
})
