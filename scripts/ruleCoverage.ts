/** Compares the rules that `docs/rules/*.md` number with the rules that tests name. */
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"

/** Where tests are, and the conformance suites that tests run. */
const testFiles = [
  "packages/*/{src,test}/**/*.test.ts",
  "packages/testing/src/**/*{Suite,Cases}.ts",
  "examples/**/*.test.ts",
  "test/**/*.test.ts"
]

const rulesDirectory = "docs/rules"

export interface RuleCoverage {
  /** Rules that begin no test's name. */
  readonly untested: ReadonlyArray<string>
  /** `file: id` of every id in a test that is not a rule. */
  readonly unknown: ReadonlyArray<string>
  /** Ids that number two rules. */
  readonly repeated: ReadonlyArray<string>
  /** `file: id` of rules that do not stand below the heading of their prefix. */
  readonly outsideSections: ReadonlyArray<string>
  /** `file: prefix` of headings whose prefix another heading has declared before. */
  readonly repeatedPrefixes: ReadonlyArray<string>
  /** `file: prefix` of headings that the table in `docs/rules/README.md` does not list with their file. */
  readonly unlisted: ReadonlyArray<string>
  readonly ruleCount: number
}

interface Numbered {
  readonly file: string
  readonly id: string
}

/** Reads one file: the prefixes that its headings declare (`## UP: uploads`, `## SPEED`), its rules, and those outside the section of their prefix. */
const readRules = (file: string, text: string) => {
  const prefixes: Array<string> = []
  const rules: Array<Numbered> = []
  const outside: Array<string> = []
  let section: string | undefined
  for (const line of text.split("\n")) {
    if (/^##? /.test(line)) {
      section = /^## ([A-Z]+)(?::|$)/.exec(line)?.[1]
      if (section !== undefined) prefixes.push(section)
    }
    const id = /^- \*\*([A-Z]+-\d+)\*\*/.exec(line)?.[1]
    if (id === undefined) continue
    rules.push({ file, id })
    if (id.replace(/-\d+$/, "") !== section) outside.push(`${file}: ${id}`)
  }
  return { file, prefixes, rules, outside }
}

const readDocuments = (root: string) =>
  globSync("*.md", { cwd: join(root, rulesDirectory) })
    .filter((file) => file !== "README.md")
    .toSorted()
    .map((file) => readRules(file, readFileSync(join(root, rulesDirectory, file), "utf8")))

const readIndex = (root: string): string => {
  const [file] = globSync(`${rulesDirectory}/README.md`, { cwd: root })
  return file === undefined ? "" : readFileSync(join(root, file), "utf8")
}

/** The elements that stand in the list more than once, once each. */
const repeatedOf = (ids: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))
]

export const ruleCoverage = (root: string): RuleCoverage => {
  const documents = readDocuments(root)
  const headings = documents.flatMap(({ file, prefixes }) => prefixes.map((prefix) => ({ file, prefix })))
  const index = readIndex(root)
  const rules = documents.flatMap((document) => document.rules.map(({ id }) => id))
  const known = new Set(rules)
  const prefixes = [
    ...new Set([...headings.map(({ prefix }) => prefix), ...rules.map((id) => id.replace(/-\d+$/, ""))])
  ].join("|")
  const anyId = new RegExp(String.raw`\b(?:${prefixes})-\d+\b`, "g")
  /** A test's name, or a suite's or a row's: a string that begins with an id, and may name more. */
  const namingStrings = new RegExp(String.raw`(["'\x60])((?:${prefixes})-\d+\b(?:(?!\1).)*)\1`, "g")
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
    repeated: repeatedOf(rules),
    outsideSections: documents.flatMap(({ outside }) => outside),
    repeatedPrefixes: headings
      .filter(({ prefix }, at) => headings.findIndex((other) => other.prefix === prefix) !== at)
      .map(({ file, prefix }) => `${file}: ${prefix}`),
    unlisted: headings
      .filter(({ file, prefix }) => !index.includes(`| ${prefix} | [${file}](${file}) |`))
      .map(({ file, prefix }) => `${file}: ${prefix}`),
    ruleCount: known.size
  }
}
