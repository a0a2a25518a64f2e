/** What is done with playlists and galleries: both are lists of files, made, filled, ordered and shown. */
import { onFiles, perCall, unlessAll } from "../drive/Actions.ts"
import { collections, type ListKind, listsOf, theList } from "../drive/Collections.ts"
import type { Additions, FileRecord, ListItem } from "../drive/Records.ts"
import { chooseFiles } from "../files/chooseFiles.ts"
import type { FileQuery, Sort } from "../files/FileQuery.ts"
import { listFiles } from "../files/findFiles.ts"
import { sorted } from "../files/sorted.ts"
import { mention, mentionFiles, showFiles } from "../Focus.ts"
import type { Plan, PlanReply } from "../Plan.ts"
import { call, type PlanContext, say } from "../PlanContext.ts"
import { counted, fileLink, fileNames, quoted, theFiles } from "../Speech.ts"
import { filesListed, listing } from "./Listing.ts"

interface Kind {
  /** The name of its id in arguments. */
  readonly id: string
  readonly word: (it: PlanContext) => string
  /** What it holds. */
  readonly holds: ReadonlyArray<FileRecord["type"]>
}

const kinds: Readonly<Record<ListKind, Kind>> = {
  playlist: { id: "playlistId", word: () => "playlist", holds: ["Audio", "Video"] },
  gallery: { id: "galleryId", word: (it) => say(it, "gallery", "Galerie"), holds: ["Image"] }
}

/** Without a kind in the words, those that the list can hold. */
const fitting = (query: FileQuery, kind: ListKind): FileQuery =>
  query.types.length + query.extensions.length + query.names.length > 0 || query.refer !== null
    ? query
    : { ...query, types: kinds[kind].holds }

const link = (kind: ListKind, { id, title }: Pick<ListItem, "id" | "title">) =>
  ({ kind, id, name: title, url: null }) as const

/** A title for a list that was given none: what it is of. */
const titleOf = (it: PlanContext, query: FileQuery | undefined, kind: ListKind): string => {
  const said = (query?.said ?? "").replace(/^(?:all|the|my|every|alle|die|meine|the)\s+/i, "").replaceAll(/["“”„]/g, "")
    .trim()
  const title = said === "" || query?.refer !== null ? kinds[kind].word(it) : said
  return (title[0]!.toUpperCase() + title.slice(1)).slice(0, 200)
}

/** Makes a list of files, or an empty one. */
export function* createList(
  it: PlanContext,
  kind: ListKind,
  query: FileQuery | undefined,
  name: string | undefined,
  isPublic: boolean
): Plan<PlanReply> {
  const chosen = query === undefined ? [] : yield* chooseFiles(it, fitting(query, kind))
  const files = chosen.filter(({ type }) => kinds[kind].holds.includes(type))
  const title = name ?? titleOf(it, query, kind)
  const args = {
    title,
    ...(files.length === 0 ? {} : { fileIds: files.slice(0, perCall).map(({ id }) => id) }),
    ...(isPublic ? { isPublic } : {})
  }
  const list = yield* call<Additions>(it, `create_${kind}`, args)
  const rest = files.slice(perCall)
  if (rest.length > 0) yield* onFiles(it, `add_to_${kind}`, rest, (fileIds) => ({ [kinds[kind].id]: list.id, fileIds }))
  if (files.length > 0) mentionFiles(it.focus, files)
  mention(it.focus, kind, { id: list.id, title: list.title })
  const skipped = chosen.length - files.length + list.skipped.length
  const left = skipped === 0
    ? ""
    : say(it, ` ${skipped} of other kinds were left out.`, ` ${skipped} anderer Art wurden ausgelassen.`)
  const of = files.length === 0 ? "" : say(it, ` of ${theFiles(it, files)}`, ` aus ${theFiles(it, files)}`)
  return {
    text: say(
      it,
      `Made the ${kinds[kind].word(it)} ${quoted(list.title)}${of}.${left}`,
      `${kind === "playlist" ? "Playlist" : "Galerie"} ${quoted(list.title)}${of} erstellt.${left}`
    ),
    links: [link(kind, list)]
  }
}

/** Adds files to a list, and creates the list if it does not exist. */
export function* addToList(it: PlanContext, kind: ListKind, query: FileQuery, said: string | null): Plan<PlanReply> {
  const known = listsOf(yield* collections(it), kind)
  const files = yield* chooseFiles(it, fitting(query, kind))
  if (known.length === 0 && said !== null) return yield* createList(it, kind, query, said, false)
  const list = yield* theList(it, kind, said)
  const done = yield* onFiles<Additions>(
    it,
    `add_to_${kind}`,
    files,
    (fileIds) => ({ [kinds[kind].id]: list.id, fileIds })
  )
  const added = new Set(done.results.flatMap((result) => result.added))
  const news = files.filter(({ id }) => added.has(id))
  mention(it.focus, kind, list)
  return unlessAll(it, done, {
    text: news.length === 0
      ? say(
        it,
        `${quoted(list.title)} had them already, or can't hold them: ${fileNames(it, files)}.`,
        `${quoted(list.title)} enthielt sie schon oder kann sie nicht enthalten: ${fileNames(it, files)}.`
      )
      : say(
        it,
        `Added ${theFiles(it, news)} to ${quoted(list.title)}.`,
        `${theFiles(it, news)} zu ${quoted(list.title)} hinzugefügt.`
      ),
    links: [link(kind, list)]
  })
}

export function* removeFromList(
  it: PlanContext,
  kind: ListKind,
  query: FileQuery,
  said: string | null
): Plan<PlanReply> {
  const list = yield* theList(it, kind, said)
  const files = yield* chooseFiles(
    it,
    query.refer === null ? { ...query, list: { kind, name: list.title } } : query
  )
  const done = yield* onFiles(it, `remove_from_${kind}`, files, (fileIds) => ({ [kinds[kind].id]: list.id, fileIds }))
  mention(it.focus, kind, list)
  return unlessAll(it, done, {
    text: say(
      it,
      `Removed ${theFiles(it, done.files)} from ${quoted(list.title)}; the files stay in the drive.`,
      `${theFiles(it, done.files)} aus ${quoted(list.title)} entfernt; die Dateien bleiben im Drive.`
    )
  })
}

export function* showList(it: PlanContext, kind: ListKind, said: string | null): Plan<PlanReply> {
  const list = yield* theList(it, kind, said)
  const files = yield* listFiles(it, kind, list.id)
  mentionFiles(it.focus, files)
  showFiles(it.focus, files, filesListed)
  mention(it.focus, kind, list)
  return {
    text: files.length === 0
      ? say(it, `${quoted(list.title)} is empty.`, `${quoted(list.title)} ist leer.`)
      : `${quoted(list.title)} (${files.length}):\n${listing(it, files)}`,
    links: [link(kind, list), ...files.slice(0, 20).map(fileLink)]
  }
}

export function* listTitles(it: PlanContext, kind: ListKind): Plan<PlanReply> {
  const all = listsOf(yield* collections(it), kind)
  const en = kind === "playlist" ? ["playlist", "playlists"] as const : ["gallery", "galleries"] as const
  const de = kind === "playlist" ? ["Playlist", "Playlists"] as const : ["Galerie", "Galerien"] as const
  if (all.length === 0) return { text: say(it, `There are no ${en[1]} yet.`, `Es gibt noch keine ${de[1]}.`) }
  const lines = all.map(({ fileCount, isPublic, title }) =>
    `- ${title} (${fileCount}${isPublic ? say(it, ", public", ", öffentlich") : ""})`
  )
  return { text: `${counted(it, all.length, en, de)}:\n${lines.join("\n")}`, links: all.map((one) => link(kind, one)) }
}

/** Puts files first, or all in an order. */
export function* reorderList(
  it: PlanContext,
  kind: ListKind,
  said: string | null,
  order: Sort | null,
  first: FileQuery | null,
  isReversed: boolean
): Plan<PlanReply> {
  const found = yield* theList(it, kind, said)
  const files = first === null
    ? sorted(yield* listFiles(it, kind, found.id), order ?? "name")
    : yield* chooseFiles(it, first.refer === null ? { ...first, list: { kind, name: found.title } } : first)
  const wanted = isReversed ? files.toReversed() : files
  yield* call(it, `reorder_${kind}`, { [kinds[kind].id]: found.id, fileIds: wanted.map(({ id }) => id) })
  mention(it.focus, kind, found)
  if (first === null) showFiles(it.focus, wanted, wanted.length)
  return {
    text: first === null
      ? say(
        it,
        `Sorted ${quoted(found.title)}: ${fileNames(it, wanted)}.`,
        `${quoted(found.title)} sortiert: ${fileNames(it, wanted)}.`
      )
      : say(
        it,
        `${theFiles(it, wanted)} now come first in ${quoted(found.title)}.`,
        `${theFiles(it, wanted)} steht jetzt vorn in ${quoted(found.title)}.`
      )
  }
}
