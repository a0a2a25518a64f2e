/** In which language a text is written. */
import { tokenize } from "./Token.ts"
import { type LanguageCode, vocabularies } from "./Vocabulary.ts"

/** Words that only one of the languages has, and that say it at once. */
const telling: Readonly<Record<LanguageCode, ReadonlySet<string>>> = {
  en: new Set(
    "the my is are of with please and all them it to this that what how you i me which from for when".split(" ")
  ),
  de: new Set(
    "der die das den dem ein eine einen und ist sind mein meine meinen bitte mit alle allen von vom im auf nach ich du mir sie wie was wenn sobald welche nicht zum zur aus fur fuer mach zeig wer aus als danke hilfe hallo ja nein"
      .split(" ")
  )
}

/** The language whose words the text has most of; `fallback` where that is not clear. */
export const languageOf = (text: string, fallback: LanguageCode): LanguageCode => {
  const score = { en: 0, de: /[äöüß]/i.test(text) ? 1 : 0 }
  for (const { kind, norm } of tokenize(text)) {
    if (kind !== "word") continue
    for (const code of ["en", "de"] as const) {
      if (telling[code].has(norm)) score[code] += 1
      else if (vocabularies[code].entries.has(norm) || vocabularies[code].fillers.has(norm)) score[code] += 0.5
    }
  }
  return score.en === score.de ? fallback : score.en > score.de ? "en" : "de"
}
