/** Finds the files that a query means: in the drive, in trash, in a list, or among those mentioned before. */
import { collections, foldersCalled, listsCalled, tagCalled, theFolder, theList } from "../drive/Collections.ts"
import type { Collections, FilePage, FileRecord } from "../drive/Records.ts"
import { fold } from "../grammar/Token.ts"
import { boxOf } from "../Places.ts"
import type { Plan } from "../Plan.ts"
import { call, type PlanContext } from "../PlanContext.ts"
import { anyFile, type FileQuery, isWholeDrive, type Sort } from "./FileQuery.ts"
import { matches, textWords } from "./matchFile.ts"
import { type Found, mostFiles, searchArgs, searchFor, searchPages } from "./searchFiles.ts"
import { filesFrom, sentFiles } from "./sentFiles.ts"
import { endsOfShown, exactlyShown, isOfShown } from "./shownFiles.ts"
import { sorted } from "./sorted.ts"
import { isIn, wordsOf } from "./WordForms.ts"

/** Files that are read to find a name with a typing error, or one of a folder. */
const mostLooked = 2_000

/** Pages of something that answers with `files` and `nextOffset`. */
export function* allPages(
  it: PlanContext,
  tool: string,
  args: Readonly<Record<string, unknown>>
): Plan<ReadonlyArray<FileRecord>> {
  const files: Array<FileRecord> = []
  for (let offset: number | null = 0; offset !== null && files.length < mostFiles;) {
    const page: FilePage = yield* call<FilePage>(it, tool, { ...args, limit: 200, ...(offset === 0 ? {} : { offset }) })
    files.push(...page.files)
    offset = page.nextOffset
  }
  return files
}

/** The files of a playlist or gallery, in its order. */
export const listFiles = (it: PlanContext, kind: "playlist" | "gallery", id: string): Plan<ReadonlyArray<FileRecord>> =>
  kind === "playlist"
    ? allPages(it, "select_playlist", { playlistId: id })
    : allPages(it, "select_gallery", { galleryId: id })

function* sharedFiles(it: PlanContext): Plan<ReadonlyArray<FileRecord>> {
  const files: Array<FileRecord> = []
  for (let cursor: string | null | undefined; cursor !== null && files.length < mostFiles;) {
    const page: { readonly files: ReadonlyArray<FileRecord>; readonly nextCursor: string | null } = yield* call(
      it,
      "select_shared_files",
      {
        limit: 100,
        ...(cursor === undefined ? {} : { cursor })
      }
    )
    files.push(...page.files)
    cursor = page.nextCursor
  }
  return files
}

/** What was mentioned before, as files. */
export function* mentionedFiles(it: PlanContext, refer: "them" | "it" | "rest"): Plan<ReadonlyArray<FileRecord>> {
  const { focus } = it
  if (focus.latest === "playlist" && focus.playlist !== null) return yield* listFiles(it, "playlist", focus.playlist.id)
  if (focus.latest === "gallery" && focus.gallery !== null) return yield* listFiles(it, "gallery", focus.gallery.id)
  if (focus.latest === "folder" && focus.folder !== null && refer !== "rest") {
    const { files } = yield* searchPages(it, focus.folder.path === "/" ? {} : { folder: focus.folder.path })
    return files
  }
  return focus.files
}

/** The query with folder, list, tags and "from X" as the drive has them. */
function* resolved(
  it: PlanContext,
  query: FileQuery
): Plan<{ readonly query: FileQuery; readonly known: Collections | null; readonly words: string | null }> {
  let out = query
  let known: Collections | null = null
  if (query.tags.length > 0) {
    known = yield* collections(it)
    const all = known
    out = { ...out, tags: out.tags.map((tag) => tagCalled(all, tag)?.text ?? tag) }
  }
  if (query.folder !== null && query.folder !== "" && query.folder !== "/") {
    out = { ...out, folder: (yield* theFolder(it, query.folder)).path }
  }
  if (query.folder === "/") out = { ...out, folder: null }
  // "the Weber files" are those of the folder Weber, where there is one.
  const isFolderLike = query.number === "many" && query.words.length > 0 && query.words.length <= 3 &&
    query.folder === null &&
    query.types.length + query.extensions.length + query.names.length + query.tags.length === 0
  if (query.somewhere === null && isFolderLike) {
    known = yield* collections(it)
    const [folder, ...others] = foldersCalled(known, query.words.join(" "), false)
    if (folder !== undefined && others.length === 0) {
      return { query: { ...out, words: [], folder: folder.path }, known, words: null }
    }
  }
  if (query.somewhere === null) return { query: out, known, words: null }
  known = yield* collections(it)
  const name = query.somewhere
  const folders = foldersCalled(known, name, false)
  const [folder] = folders
  if (folder !== undefined) {
    const path = folders.length === 1 ? folder.path : (yield* theFolder(it, name)).path
    return { query: { ...out, folder: path, somewhere: null }, known, words: null }
  }
  for (const kind of ["playlist", "gallery"] as const) {
    const [list] = listsCalled(known, kind, name)
    if (list !== undefined && wordsOf(list.title).length === wordsOf(name).length) {
      return { query: { ...out, list: { kind, name }, somewhere: null }, known, words: null }
    }
  }
  const tag = tagCalled(known, name)
  if (tag !== null) return { query: { ...out, tags: [...out.tags, tag.text], somewhere: null }, known, words: null }
  return { query: { ...out, somewhere: null }, known, words: name }
}

/** Files whose words are near, or whose folder has them: what people mean when a search finds nothing. */
function* looked(
  it: PlanContext,
  query: FileQuery,
  known: Collections | null
): Plan<Found & { readonly isLoose?: boolean }> {
  const wide = { ...query, words: [], names: [], nameParts: [] }
  const { files } = yield* searchPages(it, searchArgs(wide, known), mostLooked)
  const wanted = {
    ...query,
    names: [],
    nameParts: [],
    words: [...query.words, ...query.names, ...query.nameParts.map(({ text }) => text)]
  }
  const inFolder = files.filter((file) => wanted.words.every((word) => isIn(word, textWords(file, true), "form")))
  if (inFolder.length > 0) return { files: inFolder, isCut: false }
  const near = files.filter((file) => matches(file, { ...wanted, sort: null }, "near"))
  if (near.length > 0) return { files: near, isCut: false }
  // All words but one: "the apple pie recipe" is Grandma's apple pie.txt.
  const most = wanted.words.length < 3 ?
    [] :
    files.filter((file) =>
      wanted.words.filter((word) => isIn(word, textWords(file, true), "form")).length >= wanted.words.length - 1
    )
  // "the drawings tagged approved": the tags say which, and no file has the word.
  const isTagged = query.tags.length > 0 && wanted.words.length === 1 && wanted.names.length === 0 && most.length === 0
  if (isTagged && /^\p{Ll}/u.test(wanted.words[0]!)) return { files, isCut: false, isLoose: true }
  return most.length > 0 || query.names.length > 0
    ? { files: most, isCut: false }
    : { ...closest(files, wanted.words), isCut: false }
}

/** Words of a question that no file has. */
const unsaid =
  /^(?:name|names|file|files|again|thing|one|some|any|about|where|what|which|whats|called|show|find|there|here|still|please|datei|dateien|nochmal|wieder|heisst|irgendwo)$/

/** The files with most of the words, where they have half of them or more: a question has words that no file has. */
const closest = (
  files: ReadonlyArray<FileRecord>,
  given: ReadonlyArray<string>
): { readonly files: ReadonlyArray<FileRecord>; readonly isLoose: boolean } => {
  const words = [...new Set(given.flatMap(wordsOf))].filter((word) => word.length > 1 && !unsaid.test(word))
  const counts = files.map((file) => {
    const text = textWords(file, true)
    return words.filter((word) => isIn(word, text, "form")).length
  })
  const most = Math.max(0, ...counts)
  const isEnough = most > 0 && most * 2 >= words.length && words.length > 1
  return { files: isEnough ? files.filter((_, at) => counts[at] === most) : [], isLoose: true }
}

function* searched(it: PlanContext, given: FileQuery): Plan<FoundFiles> {
  const { known, query, words } = yield* resolved(it, given)
  if (query.list !== null || query.isTrashed || query.isShared !== null || query.sent !== null) {
    const base = query.sent !== null
      ? yield* sentFiles(it, query.sent)
      : query.list !== null
      ? yield* listFiles(it, query.list.kind, (yield* theList(it, query.list.kind, query.list.name)).id)
      : query.isTrashed
      ? yield* call<ReadonlyArray<FileRecord>>(it, "select_trashed_files")
      : query.isShared === "withMe"
      ? (yield* filesFrom(it, query)) ?? (yield* sharedFiles(it))
      : yield* sharedByMe(it, query)
    const all = listed(base).filter((file) =>
      matches(file, { ...query, words: words === null ? query.words : [...query.words, words] }, "beginning")
    )
    if (all.length > 0) return { files: all, isCut: false, isGuess: false }
    return {
      files: listed(base).filter((file) =>
        matches(file, query, "near") && (words === null || isIn(words, textWords(file, true), "near"))
      ),
      isCut: false,
      isGuess: query.words.length > 0
    }
  }
  const box = words === null ? null : boxOf(fold(words))
  if (words !== null && box !== null) {
    const found = yield* searchFor(it, query, known, { ...searchArgs(query, known), within: box })
    if (found.files.length > 0) return { ...found, isGuess: false }
  }
  const full = words === null ? query : { ...query, words: [...query.words, words] }
  const found = yield* searchFor(it, full, known)
  if (found.files.length > 0 || full.words.length + full.names.length + full.nameParts.length === 0) {
    return { ...found, isGuess: false }
  }
  const near = yield* looked(it, full, known)
  const isInFolder =
    near.files.every((file) => full.words.every((word) => isIn(word, textWords(file, true), "form"))) &&
    full.names.length === 0
  return { ...near, isGuess: !isInFolder }
}

/** An answer of a list of files: as it is, or as `{ files }`. */
const listed = (
  answer: ReadonlyArray<FileRecord> | { readonly files: ReadonlyArray<FileRecord> }
): ReadonlyArray<FileRecord> => "files" in answer ? answer.files : answer

/** The user's own files that others were let see. */
function* sharedByMe(it: PlanContext, query: FileQuery): Plan<ReadonlyArray<FileRecord>> {
  const { files } = yield* searchPages(it, searchArgs({ ...anyFile, types: query.types }, null), 500)
  if (files.length === 0) return []
  const shares = yield* call<
    { readonly files: ReadonlyArray<{ readonly id: string; readonly users: ReadonlyArray<unknown> }> }
  >(it, "select_shares", {
    fileIds: files.slice(0, 100).map(({ id }) => id)
  })
  const ids = new Set(shares.files.filter(({ users }) => users.length > 0).map(({ id }) => id))
  return files.filter(({ id }) => ids.has(id))
}

const ordered = (files: ReadonlyArray<FileRecord>, { count, position, sort }: FileQuery): ReadonlyArray<FileRecord> => {
  const inOrder = sort === null ? files : sorted(files, sort)
  if (position !== null) {
    return inOrder.slice(position < 0 ? position : position - 1, position < 0 ? (position + 1 || undefined) : position)
  }
  return count === null ? inOrder : inOrder.slice(0, count)
}

const attached =
  /^(?:(?:this|these|both|das hier|die hier|dies|dieser?|dieses|diesen|die beiden|beide|alle drei|both of)\b|(?:(?:the|my|all|den|die|das|alle)\s+)*(?:attached|enclosed|attachments?|angehängte\w*|beigefügte\w*|mitgeschickte\w*|anhang|anhänge|anlage|anlagen)\b)/i

/** "this paper", "the attached files": what came with the message, where something did. */
const meansParts = ({ focus, parts }: PlanContext, { folder, names, said, tags }: FileQuery): boolean =>
  parts.length > 0 && focus.files.length > 0 && names.length + tags.length === 0 && folder === null &&
  attached.test(said.trim())

export interface FoundFiles extends Found {
  /** Whether only files with nearly these words were found. */
  readonly isGuess: boolean
  /** Whether there is nothing of what is to be left out. */
  readonly isExceptionMissing?: boolean
  /** Whether words had to be left out to find any: nothing is done with them unasked. */
  readonly isLoose?: boolean
}

/** The entry of the list that was shown last; none without such a list. */
function* amongShown(it: PlanContext, query: FileQuery): Plan<FoundFiles & { readonly isOrdered: boolean }> {
  const { files, isWhole } = it.focus.shown
  const narrowed = { ...query, refer: null, position: null, or: [], except: null }
  const isPlaced = query.folder !== null || query.somewhere !== null || query.isShared !== null ||
    query.sent !== null || query.isTrashed
  const ids = isPlaced && files.length > 0
    ? new Set((yield* searched(it, narrowed)).files.map(({ id }) => id))
    : null
  const kept = files.filter((file) => ids === null ? matches(file, narrowed) : ids.has(file.id))
  const found = query.position! < 0 && !isWhole ? [] : ordered(kept, { ...query, sort: null })
  return { files: found, isCut: false, isGuess: false, isOrdered: true }
}

function* amongMentioned(it: PlanContext, query: FileQuery): Plan<FoundFiles & { readonly isOrdered?: boolean }> {
  const base = yield* mentionedFiles(it, query.refer ?? "them")
  const kept = base.filter((file) => matches(file, { ...query, refer: null }))
  return { files: ordered(kept, query), isCut: false, isGuess: false, isOrdered: true }
}

/** Every file that the query means, in its order. */
export function* findFiles(it: PlanContext, given: FileQuery): Plan<FoundFiles> {
  const meant = meansParts(it, given)
    ? { ...anyFile, refer: "them" as const, number: "many" as const, said: given.said }
    : given
  const isBoth = meant.exactly !== null && isWholeDrive({ ...meant, exactly: null })
  const query = isBoth ? { ...meant, refer: "them" as const } : meant
  const two = exactlyShown(it, query)
  if (two !== null) return { files: two, isCut: false, isGuess: false }
  const ends = endsOfShown(it, query)
  const first: FoundFiles & { readonly isOrdered?: boolean } = ends !== null
    ? { files: ends, isCut: false, isGuess: false, isOrdered: true }
    : yield* isOfShown(query)
      ? amongShown(it, query)
      : query.refer !== null
      ? amongMentioned(it, query)
      : searched(it, { ...query, or: [], except: null, ...(query.except === null ? {} : { count: null }) })
  let files = [...first.files]
  let { isCut, isGuess } = first
  const isLoose = first.isLoose === true
  const isOrdered = first.isOrdered === true || (query.or.length > 0 && query.position !== null)
  if (isOrdered && first.isOrdered !== true) files = [...ordered(files, query)]
  for (const other of query.or) {
    const more = yield* findFiles(it, other)
    const ids = new Set(files.map(({ id }) => id))
    for (const file of more.files) if (!ids.has(file.id)) files.push(file)
    isCut ||= more.isCut
    isGuess ||= more.isGuess
  }
  let isExceptionMissing = false
  if (query.except !== null) {
    const left = yield* exceptedFrom(it, files, query.except, query.sort)
    isExceptionMissing = left.length === 0
    const without = new Set(left.map(({ id }) => id))
    files = files.filter(({ id }) => !without.has(id))
  }
  return { files: isOrdered ? files : ordered(files, query), isCut, isGuess, isLoose, isExceptionMissing }
}

/** The files that are left out: "except the newest" and "but not number 2" are of those that are meant. */
function* exceptedFrom(
  it: PlanContext,
  files: ReadonlyArray<FileRecord>,
  except: FileQuery,
  sort: Sort | null
): Plan<ReadonlyArray<FileRecord>> {
  const { count, position } = except
  if (isOfShown(except) && sort === null) return (yield* amongShown(it, except)).files
  const ends = sort === null ? endsOfShown(it, except) : null
  if (ends !== null) return ends
  const isOfThem = (position !== null || (except.sort !== null && (count !== null || except.number === "one"))) &&
    except.names.length + except.words.length + except.nameParts.length === 0 && except.folder === null
  return isOfThem
    ? ordered(files.filter((file) => matches(file, { ...except, sort: null, refer: null })), {
      ...except,
      sort: except.sort ?? sort ?? "oldest",
      count: position === null ? count ?? 1 : null
    })
    : (yield* findFiles(it, isOnlyRefer(except) ? except : { ...except, refer: null })).files
}

/** "the ones from March" are told by the month, and no files that were mentioned. */
const isOnlyRefer = (query: FileQuery): boolean => isWholeDrive({ ...query, refer: null })
