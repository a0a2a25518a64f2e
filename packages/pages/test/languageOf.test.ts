import { assert, describe, it } from "@effect/vitest"
import { languageOf } from "../src/languageOf.ts"

describe("languageOf", () => {
  it.each([
    { header: undefined, is: "en" },
    { header: "", is: "en" },
    { header: "*", is: "en" },
    { header: "de", is: "de" },
    { header: "DE-at", is: "de" },
    { header: "de-CH-1996", is: "de" },
    { header: "fr, de;q=0.8", is: "de" },
    { header: "en;q=0.2, de;q=0.9", is: "de" },
    { header: "de;q=0, en", is: "en" },
    { header: "pt", is: "en" },
    { header: "pt-BR", is: "pt-BR" },
    { header: "de;q=nonsense, en;q=0.1", is: "en" },
    { header: `${"x-y,".repeat(10_000)}de`, is: "en" }
  ])("PAGE-4 '$header' is $is", ({ header, is }) => {
    assert.strictEqual(languageOf(header, ["en", "de", "pt-BR"]), is)
  })
})
