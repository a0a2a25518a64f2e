import { assert, describe, it } from "@effect/vitest"
import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { withTexts } from "../../../scripts/pageTexts.ts"
import { type PageName, pages } from "../src/pages.ts"
import { plainNames, plainTextsOf, textsOf, unknownText } from "../src/texts/texts.ts"

const root = join(import.meta.dirname, "../../..")
const names = Object.keys(pages) as ReadonlyArray<PageName>
const plain = (language: string) => Object.assign({}, ...plainNames.map((name) => plainTextsOf(name, language)))
const all = (language: string) => Object.assign({}, ...names.map((name) => textsOf(name, language)), plain(language))
const en: Readonly<Record<string, string>> = all("en")
const de: Readonly<Record<string, string>> = all("de")
const keys = Object.keys(en)
const valuesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).toSorted()
const base = (key: string) => key.replace(/\.(?:one|other)$/, "")

describe("texts", () => {
  it("PAGE-10 are in both languages, with the same values in them", () => {
    assert.isAbove(keys.length, 100)
    assert.sameMembers(Object.keys(de), keys)
    for (const key of keys) {
      assert.deepStrictEqual(valuesIn(de[key]!), valuesIn(en[key]!), key)
      assert.notStrictEqual(en[key]!.trim(), "", key)
    }
    const same = keys.filter((key) => en[key] === de[key])
    assert.isBelow(same.length, 8, `Not translated? ${same.join(", ")}`)
  })

  it("PAGE-10 are used", () => {
    const sources = [
      ...globSync("packages/pages/browser/**/*.{ts,tsx}", { cwd: root }),
      "packages/pages/src/document.ts"
    ]
      .map((path) => readFileSync(join(root, path), "utf8")).join("\n")
    // A key may be put together: `request.state.${state}`.
    const made = [...sources.matchAll(/`([a-zA-Z]+\.(?:[\w.]*))\$\{\w+\}([\w.]*)`/g)].map(([, start, end]) =>
      new RegExp(`^${start!.replaceAll(".", "\\.")}\\w+${end}$`)
    )
    const ofDocument = new Set(names.map((name) => `${name}.title`))
    // Those of plain pages are used by what makes them: test/plainTexts.test.ts compares the two.
    const ofPlain = new Set(Object.keys(plain("en")))
    const unused = keys.filter((key) => !ofPlain.has(key)).map(base).filter((key) =>
      !sources.includes(`"${key}"`) && !made.some((pattern) => pattern.test(key)) && !ofDocument.has(key)
    )
    assert.deepStrictEqual(unused, [])
  })

  it("PAGE-10 are what the table in docs/pages.md says: `node scripts/pageTexts.ts` writes it", () => {
    const document = withTexts()
    assert.strictEqual(readFileSync(join(root, "docs/pages.md"), "utf8"), document)
    assert.deepStrictEqual(keys.filter((key) => !document.includes(`| \`${base(key)}\``)), [])
  })

  it("PAGE-15 have the forms of a plural that their language has", () => {
    for (const key of keys.filter((key) => /\.(?:one|other)$/.test(key))) {
      for (const form of new Intl.PluralRules("de").resolvedOptions().pluralCategories) {
        assert.property(en, `${base(key)}.${form}`)
      }
    }
  })

  it("PAGE-4 a host's table may have the forms of any language, and no unknown text", () => {
    assert.isUndefined(unknownText({ pl: { "request.send.few": "{count} pliki", "request.finish": "Koniec" } }))
    assert.strictEqual(unknownText({ pl: { "request.sned": "x" } }), "pl.request.sned")
    assert.strictEqual(unknownText({ "../pl": {} }), "../pl")
  })
})
