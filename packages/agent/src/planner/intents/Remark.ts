/** What is said beside a request, like "my Portfolio gallery is ready for the world, …": nothing is done, but "it" may mean it. */
import { collections, foldersCalled, listsCalled, tagCalled } from "../drive/Collections.ts"
import { requests } from "../drive/Requests.ts"
import { reviews } from "../drive/Reviews.ts"
import { anyFile, type FileQuery, isWholeDrive } from "../files/FileQuery.ts"
import { findFiles } from "../files/findFiles.ts"
import { parseFiles } from "../files/parseFiles.ts"
import { mention, mentionFiles } from "../Focus.ts"
import { slice, type Span, textOf, tokensOf } from "../grammar/Sentence.ts"
import { plainName } from "../grammar/Spelling.ts"
import type { Plan, PlanReply } from "../Plan.ts"
import type { PlanContext } from "../PlanContext.ts"
import type { Intent } from "./Intent.ts"

const verb =
  /^(?:is|are|was|were|has|have|had|'s|needs?|wants?|asked|sent|made|ist|sind|war|waren|hat|haben|liegt|braucht?|brauchen|brauche|will|wollen|mochte)$/

/** The words before the first verb of a statement, and those behind it. */
const partsOf = (span: Span): ReadonlyArray<Span> => {
  const { from, sentence, to } = span
  for (let at = from + 1; at < to; at++) {
    if (!verb.test(sentence.tokens[at]!.norm)) continue
    const [before, behind] = [slice(span, from, at), slice(span, at + 1, to)]
    return behind.from < behind.to ? [before, behind] : [before]
  }
  return []
}

const hasNoun = ({ from, sentence, to }: Span, noun: string): boolean =>
  sentence.hits.slice(from, to).some((hits) =>
    hits.some(({ className, isCorrected }) => className === `n:${noun}` && !isCorrected)
  )

const longest = <A>(all: ReadonlyArray<A>, nameOf: (one: A) => string, text: string): A | undefined =>
  all.filter((one) => plainName(nameOf(one)) !== "" && text.includes(plainName(nameOf(one)))).toSorted((a, b) =>
    nameOf(b).length - nameOf(a).length
  )[0]

/** The last name of the drive in a remark, where its noun stands beside it or it is in quotes. */
function* known(it: PlanContext, span: Span): Plan<boolean> {
  const token = tokensOf(span).findLast((one) => one.known !== undefined && one.kind === "quoted")
  const kinds = token?.known ?? []
  // A request's folder has its name.
  if (token === undefined || (kinds.includes("request") && hasNoun(span, "request"))) return false
  const all = yield* collections(it)
  for (const kind of ["playlist", "gallery"] as const) {
    const list = kinds.includes(kind) ? listsCalled(all, kind, token.raw)[0] : undefined
    if (list === undefined) continue
    mention(it.focus, kind, list)
    return true
  }
  const tag = kinds.includes("tag") && hasNoun(span, "tag") ? tagCalled(all, token.raw) : null
  if (tag !== null) {
    mention(it.focus, "tag", tag.text)
    return true
  }
  const folder = kinds.includes("folder") ? foldersCalled(all, token.raw, false)[0] : undefined
  if (folder !== undefined) mention(it.focus, "folder", folder)
  return folder !== undefined
}

/** The list, folder, request or review that the remark names. */
function* thing(it: PlanContext, span: Span): Plan<boolean> {
  if (yield* known(it, span)) return true
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
  if ((hasNoun(span, "review") || hasNoun(span, "note")) && it.tools.has("select_file_reviews")) {
    const review = longest(yield* reviews(it), ({ file }) => file.fileName, text)
    if (review !== undefined) {
      mention(it.focus, "review", { id: review.id, name: review.file.fileName })
      return true
    }
  }
  return false
}

/** Whether words mean files and nothing else. */
const isPlain = (query: FileQuery): boolean =>
  !isWholeDrive(query) && query.refer === null && query.folder === null && query.list === null &&
  query.isShared === null && !query.isTrashed

function* remember(it: PlanContext, span: Span): Plan<PlanReply> {
  it.focus.remarks = [...it.focus.remarks, textOf(span)]
  return yield* mentionNamed(it, span)
}

/** Mentions the files or the thing that a text names. */
function* mentionNamed(it: PlanContext, span: Span): Plan<PlanReply> {
  if (!it.tools.has("select_collections") || !it.tools.has("search_files")) return { text: "" }
  const names = tokensOf(span).flatMap(({ kind, raw }) => kind === "file" ? [raw] : [])
  if (yield* thing(it, span)) return { text: "" }
  if (names.length > 0) {
    const { files } = yield* findFiles(it, { ...anyFile, names, number: "many", said: names.join(", ") })
    if (files.length > 0) mentionFiles(it.focus, files)
    return { text: "" }
  }
  for (const part of partsOf(span)) {
    const { query } = parseFiles(part)
    const isTold = query.types.length + query.extensions.length + query.tags.length > 0
    // Words alone are files where few are called so: "carol needs the floor plan".
    if (!isPlain(query) || (!isTold && (query.words.length === 0 || query.words.length > 4))) continue
    const { files, isGuess } = yield* findFiles(it, { ...query, words: query.words })
    if (files.length === 0 || isGuess || (!isTold && files.length > 20)) continue
    mentionFiles(it.focus, files)
    break
  }
  return { text: "" }
}

export const remark = (span: Span): Intent => ({
  name: "remark",
  forms: [],
  plan: (_, it) => remember(it, span)
})

/** What a request names is what "it" means in a condition of it: "share a.pdf with carol once bob has opened it". */
export const ahead = (span: Span): Intent => ({
  name: "ahead",
  forms: [],
  plan: (_, it) => mentionNamed(it, span)
})
