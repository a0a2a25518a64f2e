/**
 * Writes the table of docs/pages.md ("Texts") from the texts of the pages:
 *
 *   node scripts/pageTexts.ts
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { argv } from "node:process"
import { type PageName, pages } from "../packages/pages/src/pages.ts"
import { plainNames, plainTextsOf, textsOf } from "../packages/pages/src/texts/texts.ts"
import { root } from "./workspace.ts"

const path = join(root, "docs/pages.md")

const header = "| key | in English |\n|---|---|\n"

/** Lines of the documentation are short: the beginning of a text does. */
const beginning = (text: string): string => text.length <= 110 ? text : `${text.slice(0, 107).trimEnd()} …`

/** The table, with a line break at its end. Of a plural it has the form for many. */
const table = (): string => {
  const names = Object.keys(pages) as ReadonlyArray<PageName>
  const texts: Readonly<Record<string, string>> = Object.assign(
    {},
    ...names.map((name) => textsOf(name, "en")),
    ...plainNames.map((name) => plainTextsOf(name, "en"))
  )
  const rows = Object.entries(texts).filter(([key]) => !key.endsWith(".one")).map(([key, text]) => {
    const isPlural = key.replace(/\.other$/, ".one") in texts && key.endsWith(".other")
    return `| \`${isPlural ? key.replace(/\.other$/, "") : key}\`${isPlural ? " (plural)" : ""} | ${
      beginning(text)
    } |\n`
  })
  return header + rows.join("")
}

/** The document as it should be. */
export const withTexts = (): string =>
  readFileSync(path, "utf8").replace(/^\| key \| in English \|\n(?:\|.*\n)*/m, table)

if (argv[1] === import.meta.filename) writeFileSync(path, withTexts())
