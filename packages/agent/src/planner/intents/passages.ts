/** What a text says of a question: the lines or sentences that have most of its words. Pure. */
import { stem, wordsOf } from "../files/WordForms.ts"

/** Characters of a text that an answer quotes. */
const excerptLength = 1_500

/** Words that are in every question. */
const common = new Set(
  ("the a an of in is are was were it its what who when where how much many does do did say says said about for to on and or with by at be this that there any has have had much which tell me whats s written mentioned i we you my our write wrote put noted " +
    "der die das den dem ein eine ist sind was wer wann wo wie viel steht sagt uber von im in zu und oder mit es gibt ich wir habe hab haben hat geschrieben notiert")
    .split(" ")
)

/** The words of a question that say what it is about. */
export const keywords = (question: string): ReadonlyArray<string> =>
  wordsOf(question).filter((word) => !common.has(word))

/** Other words under which people look for a field. */
const synonyms: Readonly<Record<string, ReadonlyArray<string>>> = {
  amount: ["total", "sum", "betrag", "summe"],
  cost: ["price", "total", "amount", "kosten"],
  date: ["datum", "dated"],
  deadline: ["due", "until", "frist"],
  due: ["deadline", "payable", "fallig"],
  price: ["cost", "total", "preis", "amount"],
  rent: ["miete"],
  sum: ["total", "amount"],
  total: ["sum", "amount", "gesamt", "summe", "gesamtbetrag"],
  betrag: ["summe", "gesamt", "total"],
  miete: ["rent"],
  pay: ["due", "payable", "zahlbar", "fallig"],
  cancel: ["notice", "terminate", "termination", "kundigung"],
  kaution: ["deposit"],
  deposit: ["kaution"],
  telefonnummer: ["tel", "telefon", "phone"],
  nummer: ["nr"],
  number: ["no", "nr"],
  phone: ["tel", "telephone", "mobile"],
  wann: ["datum"]
}

/** How many of the words are in a line, by their stems. */
const hits = (line: string, words: ReadonlyArray<string>): number => {
  const known = wordsOf(line)
  return words.filter((word) =>
    [word, ...synonyms[word] ?? []].some((one, at) =>
      known.some((part) => part.startsWith(stem(one)) || (at === 0 && part.length > 3 && stem(part) === stem(one)))
    )
  ).length
}

/** A text with at most `excerptLength` characters. */
export const clip = (text: string): string =>
  text.length <= excerptLength ? text : `${text.slice(0, excerptLength).trimEnd()} …`

/** Lines or sentences that say most about the words, in their order. */
export const passages = (text: string, words: ReadonlyArray<string>): ReadonlyArray<string> => {
  // "3. Juni" and "No. 4" go on.
  const parts = text.split(/\n+|(?<=[!?]|(?<!\b(?:\d{1,2}|Nr|No|Dr|Mr|Mrs|St|Art|Abs|bzw|ca|z|B))\.)\s+(?=\p{Lu})/u)
    .map((part) => part.trim()).filter((part) => part !== "")
  const scored = parts.map((part, at) => ({ part, at, score: hits(part, words) }))
  const best = Math.max(0, ...scored.map(({ score }) => score))
  if (best === 0) return []
  return scored.filter(({ score }) => score === best).slice(0, 5).map(({ at, part }) =>
    // A heading or a field's name alone: its value is on the next line.
    (/[:–-]$/.test(part) || wordsOf(part).length <= words.length) && parts[at + 1] !== undefined && !/\d/.test(part)
      ? `${part} ${parts[at + 1]}`
      : part
  )
}
