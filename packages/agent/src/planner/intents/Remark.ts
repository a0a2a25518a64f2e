/** What is said beside a request, like "my Portfolio gallery is ready for the world, …": nothing is done, but "it" may mean it. */
import { collections } from "../drive/Collections.ts"
import { requests } from "../drive/Requests.ts"
import { anyFile, isWholeDrive } from "../files/FileQuery.ts"
import { findFiles } from "../files/findFiles.ts"
import { parseFiles } from "../files/parseFiles.ts"
import { mention, mentionFiles } from "../Focus.ts"
import { slice, type Span, textOf, tokensOf } from "../grammar/Sentence.ts"
import { plainName } from "../grammar/Spelling.ts"
import type { Plan, Said } from "../Plan.ts"
import type { Situation } from "../Situation.ts"
import type { Intent } from "./Intent.ts"

const verb = /^(?:is|are|was|were|has|have|had|'s|need|needs|ist|sind|war|waren|hat|haben|liegt|braucht|brauchen)$/

/** The words before the first verb of a statement. */
const subjectOf = (span: Span): Span | null => {
  for (let at = span.from + 1; at < span.to; at++) {
    if (verb.test(span.sentence.tokens[at]!.norm)) return slice(span, span.from, at)
  }
  return null
}

const hasNoun = ({ from, sentence, to }: Span, noun: string): boolean =>
  sentence.hits.slice(from, to).some((hits) =>
    hits.some(({ className, isCorrected }) => className === `n:${noun}` && !isCorrected)
  )

const longest = <A>(all: ReadonlyArray<A>, nameOf: (one: A) => string, text: string): A | undefined =>
  all.filter((one) => plainName(nameOf(one)) !== "" && text.includes(plainName(nameOf(one)))).toSorted((a, b) =>
    nameOf(b).length - nameOf(a).length
  )[0]

/** The list, folder or request that the remark names. */
function* thing(it: Situation, span: Span): Plan<boolean> {
  const text = plainName(textOf(span))
  for (const kind of ["playlist", "gallery"] as const) {
    if (!hasNoun(span, kind)) continue
    const known = yield* collections(it)
    const list = longest(kind === "playlist" ? known.playlists : known.galleries, ({ title }) => title, text)
    if (list !== undefined) {
      mention(it.focus, kind, list)
      return true
    }
  }
  if (hasNoun(span, "folder")) {
    const { folders } = yield* collections(it)
    const folder = longest(folders, ({ path }) => path.slice(path.lastIndexOf("/") + 1), text)
    if (folder !== undefined) {
      mention(it.focus, "folder", folder)
      return true
    }
  }
  if (hasNoun(span, "request") && it.tools.has("select_file_requests")) {
    const request = longest(yield* requests(it), ({ title }) => title, text)
    if (request !== undefined) {
      mention(it.focus, "request", { id: request.id, name: request.title })
      return true
    }
  }
  return false
}

function* remember(it: Situation, span: Span): Plan<Said> {
  it.focus.remarks = [...it.focus.remarks, textOf(span)]
  if (!it.tools.has("select_collections") || !it.tools.has("search_files")) return { text: "" }
  const names = tokensOf(span).flatMap(({ kind, raw }) => kind === "file" ? [raw] : [])
  if (names.length === 0 && (yield* thing(it, span))) return { text: "" }
  const subject = subjectOf(span)
  const query = names.length > 0
    ? { ...anyFile, names, number: "many" as const, said: names.join(", ") }
    : subject === null
    ? null
    : parseFiles(subject).query
  const isPlain = query !== null && !isWholeDrive(query) && query.refer === null && query.folder === null &&
    query.list === null && query.isShared === null && !query.isTrashed
  if (!isPlain) return { text: "" }
  if (query.types.length + query.extensions.length + query.names.length + query.tags.length === 0) return { text: "" }
  const { files, isGuess } = yield* findFiles(it, query)
  if (files.length > 0 && !isGuess) mentionFiles(it.focus, files)
  return { text: "" }
}

export const remark = (span: Span): Intent => ({
  name: "remark",
  forms: [],
  plan: (_, it) => remember(it, span)
})
