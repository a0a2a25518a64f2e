/** Asks the drive which names it has, before a request is read in which they may stand. A plain search or question needs none. */
import type { ToolCall } from "./Decision.ts"
import type { Collections, FilePage, RequestItem, ReviewItem } from "./drive/Records.ts"
import { wordsOf } from "./files/WordForms.ts"
import { cutsOf, sentencesOf, withoutPoliteness } from "./grammar/clauses.ts"
import { type KnownName, type Lexicon, lexiconOf, noNames } from "./grammar/Lexicon.ts"
import { isFiller, type Sentence, sentenceOf, type Span, wholeOf } from "./grammar/Sentence.ts"
import { makeCalls, type Plan } from "./Plan.ts"
import type { PlanContext } from "./PlanContext.ts"
import type { MadeCall } from "./Transcript.ts"

const isThing = /^n:(?:folder|playlist|gallery|tag|request|review|note|delivery)$/

/** Words with which a question or a search begins. */
const asking =
  /^(?:find|search|look|locate|list|show|which|what|whats|how|where|wheres|who|when|why|do|does|did|is|are|has|have|any|hello|hi|help|thanks|finde?|such|suche|zeige?|liste|welche[rsnm]?|was|wie|wieviele?|wo|wer|wann|habe?|gibt|ist|sind|hallo|hilfe|danke)$/

const isQuestion = (whole: Span): boolean => {
  const { from, sentence } = withoutPoliteness(whole)
  return asking.test(sentence.tokens[from]?.norm ?? "") && sentencesOf(whole).length === 1 && cutsOf(whole).length === 0
}

/** Whether something is asked for in which names of the drive may stand. */
const matters = (sentence: Sentence): boolean => {
  const { hits, tokens, vocabulary } = sentence
  const hasThing = hits.some((at) => at.some(({ className }) => isThing.test(className))) ||
    tokens.some(({ kind }) => kind === "path")
  return hasThing || (!isQuestion(wholeOf(sentence)) &&
    hits.some((at) => at.some(({ className }) => vocabulary.verbs.has(className))))
}

const hasNoun = ({ hits }: Sentence, ...nouns: ReadonlyArray<string>): boolean =>
  hits.some((at) => at.some(({ className }) => nouns.some((noun) => className === `n:${noun}`)))

/** Files that are looked up at most. */
const mostFiles = 6

/** A file's name with a word before it, which may belong to it: "cover letter.pdf". */
const fileSearches = (sentence: Sentence): ReadonlyArray<ToolCall> => {
  const { hits, tokens } = sentence
  return tokens.flatMap(({ kind, norm }, at) => {
    const before = tokens[at - 1]
    const isOpen = before !== undefined && (before.kind === "word" || before.kind === "number") &&
      !isFiller(sentence, at - 1) &&
      !hits[at - 1]!.some(({ className, isCorrected }) =>
        !isCorrected && /^(?:and|in|into|of|to|with|from|called|n:any|or)$/.test(className)
      )
    return kind === "file" && isOpen
      ? [{ name: "search_files", args: { text: wordsOf(norm).join(" "), limit: 50 } }]
      : []
  }).slice(0, mostFiles)
}

const collectionNames = ({ folders, galleries, playlists, tags }: Collections): ReadonlyArray<KnownName> => [
  ...folders.map(({ path }) => ({ kind: "folder" as const, name: path })),
  ...playlists.map(({ title }) => ({ kind: "playlist" as const, name: title })),
  ...galleries.map(({ title }) => ({ kind: "gallery" as const, name: title })),
  ...tags.map(({ text }) => ({ kind: "tag" as const, name: text }))
]

/** What an answer names; nothing of a call that failed. */
const namesOf = (it: PlanContext, { failure, name, result }: MadeCall): ReadonlyArray<KnownName> => {
  if (failure !== undefined) return []
  if (name === "select_collections") {
    it.known.collections = result as Collections
    return collectionNames(result as Collections)
  }
  if (name === "select_file_requests") {
    const { requests } = result as { readonly requests: ReadonlyArray<RequestItem> }
    it.known.requests = requests
    return requests.map(({ title }) => ({ kind: "request", name: title }))
  }
  if (name === "select_file_reviews") {
    const { reviews } = result as { readonly reviews: ReadonlyArray<ReviewItem> }
    it.known.reviews = reviews
    return reviews.map(({ file }) => ({ kind: "review", name: file.fileName }))
  }
  return (result as FilePage).files.flatMap(({ fileName }) =>
    wordsOf(fileName).length > 1 && fileName.includes(".") ? [{ kind: "file" as const, name: fileName }] : []
  )
}

/** Words for what people do at a request: its name may stand there without its noun. */
const sending =
  /^(?:sent|sends?|uploads?|uploaded|came|comes?|arrived|arrives?|submitted|submits?|handed|hands|turned|turns|delivers?|delivered|dropped|drops|received|receives?|close|reopen|extend|prolong|limit|deadline|geschickt|schickt|hochgeladen|hochladt|eingegangen|eingeht|angekommen|ankommt|abgegeben|abgibt|eingereicht|einreicht|gekommen|kommt|reinkommt|gesendet|sendet|verlangere|verlanger|schliess|schliesse|frist)$/

/** The names that may stand in a text; none where they would not matter. All are asked for in one step. */
export function* knownNames(it: PlanContext, text: string): Plan<Lexicon> {
  const sentence = sentenceOf(text, it.language, it.moment)
  if (!matters(sentence)) return noNames
  const { tokens } = sentence
  const calls = [
    { name: "select_collections", args: {} },
    ...(hasNoun(sentence, "request", "delivery") || tokens.some(({ norm }) => sending.test(norm))
      ? [{ name: "select_file_requests", args: {} }]
      : []),
    ...(hasNoun(sentence, "review", "note") ? [{ name: "select_file_reviews", args: {} }] : []),
    ...fileSearches(sentence)
  ].filter(({ name }) => it.tools.has(name))
  const made = yield* makeCalls(calls)
  return lexiconOf(made.flatMap((call) => namesOf(it, call)))
}
