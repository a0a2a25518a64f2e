/** Compares the rules that `docs/rules.md` numbers with the rules that tests name. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Where tests are, and the conformance suites that tests run. */
const testFiles = [
  "packages/*/{src,test}/**/*.test.ts",
  "packages/testing/src/**/*{Suite,Cases}.ts",
  "examples/**/*.test.ts",
  "test/**/*.test.ts"
]

export interface RuleCoverage {
  /** Rules that begin no test's name. */
  readonly untested: ReadonlyArray<string>
  /** `file: id` of every id that is no rule. */
  readonly unknown: ReadonlyArray<string>
  /** Ids that number two rules. */
  readonly repeated: ReadonlyArray<string>
  /** Rules whose prefix no section's heading states. */
  readonly outsideSections: ReadonlyArray<string>
  readonly ruleCount: number
}

/** The prefix that each section's heading states: `## UP: uploads`, `## SPEED`. */
const prefixesOf = (rules: string): ReadonlyArray<string> =>
  [...rules.matchAll(/^## ([A-Z]+)(?::|$)/gm)].map(([, prefix]) => prefix!)

export const ruleCoverage = (root: string): RuleCoverage => {
  const document = readFileSync(join(root, "docs/rules.md"), "utf8")
  const sections = prefixesOf(document)
  const prefixes = sections.join("|")
  const anyId = new RegExp(String.raw`\b(?:${prefixes})-\d+\b`, "g")
  /** A test's name, or a suite's or a row's: a string that begins with an id, and may name more. */
  const namingStrings = new RegExp(String.raw`(["'\x60])((?:${prefixes})-\d+\b(?:(?!\1).)*)\1`, "g")
  const rules = [...document.matchAll(/^- \*\*([A-Z]+-\d+)\*\*/gm)].map(([, id]) => id!)
  const known = new Set(rules)
  const named = new Set<string>()
  const unknown: Array<string> = []

  for (const file of globSync(testFiles, { cwd: root, exclude: (name) => /(^|\/)node_modules$/.test(String(name)) })) {
    const text = readFileSync(join(root, file), "utf8")
    for (const [, , name] of text.matchAll(namingStrings)) for (const id of name!.match(anyId)!) named.add(id)
    for (const id of new Set(text.match(anyId))) if (!known.has(id)) unknown.push(`${file}: ${id}`)
  }
  return {
    untested: rules.filter((id) => !named.has(id)),
    unknown,
    repeated: rules.filter((id, index) => rules.indexOf(id) !== index),
    outsideSections: rules.filter((id) => !sections.includes(id.replace(/-\d+$/, ""))),
    ruleCount: known.size
  }
}
