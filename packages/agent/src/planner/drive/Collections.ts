/** Folders, playlists, galleries and tags by the names that people use for them. */
import { isNear, plainName } from "../grammar/Spelling.ts"
import { type Plan, Stopped } from "../Plan.ts"
import { call, type PlanContext, say } from "../PlanContext.ts"
import { quoted } from "../Speech.ts"
import { choose } from "./Choosing.ts"
import type { Collections, FolderItem, ListItem, TagItem } from "./Records.ts"

export function* collections(it: PlanContext): Plan<Collections> {
  it.known.collections ??= yield* call<Collections>(it, "select_collections")
  return it.known.collections
}

const singular = (word: string): string => word.replace(/(?:s|en|n|e)$/u, "")

/** The candidates with this name: exact ones, else those that differ by a plural or a typing error, else those that contain all its words. */
export const named = <A>(all: ReadonlyArray<A>, name: string, nameOf: (one: A) => string): ReadonlyArray<A> => {
  const wanted = plainName(name)
  if (wanted === "") return []
  const exact = all.filter((one) => plainName(nameOf(one)) === wanted)
  if (exact.length > 0) return exact
  const near = all.filter((one) => {
    const known = plainName(nameOf(one))
    return singular(known) === singular(wanted) || isNear(known, wanted)
  })
  return near.length > 0 ? near : []
}

/** Those whose name contains all words of `name`. */
export const containing = <A>(all: ReadonlyArray<A>, name: string, nameOf: (one: A) => string): ReadonlyArray<A> => {
  const words = plainName(name).split(/[ /]/)
  return all.filter((one) => {
    const known = plainName(nameOf(one)).split(/[ /]/)
    return words.every((word) => known.some((part) => part.startsWith(singular(word))))
  })
}

const lastSegment = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** Folders that `said` may mean: a path, the end of one, or a name. */
export const foldersCalled = ({ folders }: Collections, said: string, isLoose = true): ReadonlyArray<FolderItem> => {
  const path = `/${said.split("/").map((part) => part.trim()).filter((part) => part !== "").join("/")}`
  const whole = named(folders, path, (folder) => folder.path)
  if (whole.length === 1 || said.startsWith("/")) return whole
  const name = plainName(said)
  const ends = folders.filter((folder) =>
    plainName(folder.path).endsWith(`/${name}`) || plainName(folder.path) === `/${name}`
  )
  if (ends.length > 0) return ends
  const near = named(folders, said, (folder) => lastSegment(folder.path))
  if (near.length > 0 || !isLoose) return near
  return containing(folders, said, (folder) => lastSegment(folder.path))
}

/** A folder that must exist: asks which where several fit, and ends the request where none does. */
export function* theFolder(it: PlanContext, said: string): Plan<FolderItem> {
  const known = yield* collections(it)
  if (said === "that") {
    const { folder } = it.focus
    const found = known.folders.find(({ path }) => path === folder?.path)
    if (found !== undefined) return found
    if (known.folders.length === 1) return known.folders[0]!
    if (known.folders.length === 0) {
      throw new Stopped({ text: say(it, "There are no folders yet.", "Es gibt noch keine Ordner.") })
    }
    return yield* choose(
      it,
      known.folders,
      say(it, "Which folder do you mean?", "Welchen Ordner meinst du?"),
      ({ path }) => path
    )
  }
  const found = foldersCalled(known, said)
  if (found.length === 1) return found[0]!
  if (found.length > 1) {
    return yield* choose(
      it,
      found,
      say(it, `Several folders fit ${quoted(said)}. Which one?`, `Mehrere Ordner passen zu ${quoted(said)}. Welcher?`),
      ({ path }) => path
    )
  }
  const others = known.folders.slice(0, 8).map(({ path }) => path).join(", ")
  throw new Stopped({
    text: say(
      it,
      `There is no folder ${quoted(said)}.${others === "" ? "" : ` The folders are: ${others}.`}`,
      `Es gibt keinen Ordner ${quoted(said)}.${others === "" ? "" : ` Die Ordner sind: ${others}.`}`
    )
  })
}

/** A path to put something in: of a folder that exists, or of a new one. "/" is the top of the drive. */
export function* targetPath(it: PlanContext, said: string, isNew = false): Plan<string> {
  if (said === "" || said === "/") return "/"
  if (said === "that") return it.focus.folder?.path ?? (yield* theFolder(it, said)).path
  const path = `/${said.split("/").map((part) => part.trim()).filter((part) => part !== "").join("/")}`
  if (isNew) return path
  const known = yield* collections(it)
  const found = foldersCalled(known, said, false)
  if (found.length === 1) return found[0]!.path
  if (found.length === 0) return path
  return (yield* choose(
    it,
    found,
    say(it, `Several folders fit ${quoted(said)}. Which one?`, `Mehrere Ordner passen zu ${quoted(said)}. Welcher?`),
    (folder) => folder.path
  )).path
}

export type ListKind = "playlist" | "gallery"

export const listsOf = (known: Collections, kind: ListKind): ReadonlyArray<ListItem> =>
  kind === "playlist" ? known.playlists : known.galleries

const listNoun = (it: PlanContext, kind: ListKind): string =>
  kind === "playlist" ? "playlist" : say(it, "gallery", "Galerie")

/** Lists that `said` may mean. */
export const listsCalled = (known: Collections, kind: ListKind, said: string): ReadonlyArray<ListItem> => {
  const lists = listsOf(known, kind)
  const found = named(lists, said, ({ title }) => title)
  return found.length > 0 ? found : containing(lists, said, ({ title }) => title)
}

/** A playlist or gallery that must exist; without a name the one that was mentioned, or the only one. */
export function* theList(it: PlanContext, kind: ListKind, said: string | null): Plan<ListItem> {
  const known = yield* collections(it)
  const all = listsOf(known, kind)
  const noun = listNoun(it, kind)
  if (said === null) {
    const mentioned = all.find(({ id }) => id === it.focus[kind]?.id)
    if (mentioned !== undefined) return mentioned
    if (all.length === 1) return all[0]!
  }
  const found = said === null ? all : listsCalled(known, kind, said)
  if (found.length === 1) return found[0]!
  if (found.length === 0) {
    const name = said === null ? "" : ` ${quoted(said)}`
    throw new Stopped({
      text: say(
        it,
        `There is no ${noun}${name}.`,
        kind === "playlist" ? `Es gibt keine Playlist${name}.` : `Es gibt keine Galerie${name}.`
      )
    })
  }
  return yield* choose(
    it,
    found,
    say(
      it,
      `Which ${noun} do you mean?`,
      kind === "playlist" ? "Welche Playlist meinst du?" : "Welche Galerie meinst du?"
    ),
    ({ fileCount, title }) => `${title} (${fileCount})`
  )
}

/** The tag that people mean, or null. */
export const tagCalled = ({ tags }: Collections, said: string): TagItem | null =>
  named(tags, said.replace(/^#/, ""), ({ text }) => text)[0] ?? null
