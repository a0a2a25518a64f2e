import { assert, describe, it } from "vitest"
import { consentTexts as spoken } from "../packages/agent/src/oauth/ConsentTexts.ts"
import { consentTexts } from "../packages/pages/src/texts/consentTexts.ts"

describe("pages that need no program", () => {
  it("PAGE-105 the texts of consent are those that the agent has without a host's pages", () => {
    assert.deepStrictEqual<Readonly<Record<string, string>>>(consentTexts.en, spoken)
  })
})
