/** Deleting what is no file: folders, lists, tags, requests, reviews, archives. Files in them stay, or go to trash where that is said. */
import { theArchive } from "../drive/Archives.ts"
import { confirm } from "../drive/Choosing.ts"
import { collections, foldersCalled, listsCalled, tagCalled, theFolder, theList } from "../drive/Collections.ts"
import { requests, theRequest } from "../drive/Requests.ts"
import { theReview } from "../drive/Reviews.ts"
import { type FileQuery, isWholeDrive } from "../files/FileQuery.ts"
import { findFiles } from "../files/findFiles.ts"
import { parseFiles } from "../files/parseFiles.ts"
import { sentenceOf, wholeOf } from "../grammar/Sentence.ts"
import { type Plan, type PlanReply, Stopped } from "../Plan.ts"
import { call, callEach, type PlanContext, say } from "../PlanContext.ts"
import { counted, enumerate, filesCounted, quoted } from "../Speech.ts"
import type { Family, Intent } from "./Intent.ts"
import { type ThingNoun, withNoun } from "./Thing.ts"

function* removeFolder(it: PlanContext, said: string | null, files: "parent" | "trash"): Plan<PlanReply> {
  const { id, path } = yield* theFolder(it, said ?? "that")
  const done = yield* call<{ readonly folders: number; readonly files: number }>(it, "delete_folder", {
    folderId: id,
    files
  })
  it.focus.folder = null
  it.focus.latest = null
  const inside = done.files === 0
    ? ""
    : files === "trash"
    ? say(
      it,
      ` Its ${filesCounted(it, done.files)} are in trash, from which they can be restored.`,
      ` Ihr Inhalt (${filesCounted(it, done.files)}) liegt im Papierkorb.`
    )
    : say(
      it,
      ` Its ${filesCounted(it, done.files)} are in the folder above.`,
      ` Der Inhalt (${filesCounted(it, done.files)}) liegt im Ordner darüber.`
    )
  return { text: say(it, `Deleted the folder ${path}.${inside}`, `Ordner ${path} gelöscht.${inside}`) }
}

type Remove = (it: PlanContext, said: string | null) => Plan<PlanReply>

const removed = (it: PlanContext, en: string, de: string): PlanReply => {
  it.focus.latest = null
  return { text: say(it, en, de) }
}

const things: Readonly<Record<Exclude<ThingNoun, "folder">, Remove>> = {
  *playlist(it, said) {
    const { id, title } = yield* theList(it, "playlist", said)
    yield* call(it, "delete_playlist", { playlistId: id })
    return removed(
      it,
      `Deleted the playlist ${quoted(title)}; its files stay.`,
      `Playlist ${quoted(title)} gelöscht; ihre Dateien bleiben.`
    )
  },
  *gallery(it, said) {
    const { id, title } = yield* theList(it, "gallery", said)
    yield* call(it, "delete_gallery", { galleryId: id })
    return removed(
      it,
      `Deleted the gallery ${quoted(title)}; its images stay.`,
      `Galerie ${quoted(title)} gelöscht; ihre Bilder bleiben.`
    )
  },
  *tag(it, said) {
    const tag = tagCalled(yield* collections(it), said ?? it.focus.tag ?? "")
    if (tag === null) {
      throw new Stopped({
        text: say(it, `There is no tag ${quoted(said ?? "")}.`, `Es gibt keinen Tag ${quoted(said ?? "")}.`)
      })
    }
    yield* call(it, "delete_tag", { tagId: tag.id })
    return removed(
      it,
      `Deleted the tag ${quoted(tag.text)}; its ${filesCounted(it, tag.fileCount)} stay.`,
      `Tag ${quoted(tag.text)} gelöscht; die Dateien (${tag.fileCount}) bleiben.`
    )
  },
  *request(it, said) {
    const { drops, id, title } = yield* theRequest(it, said)
    if (drops.length > 0) {
      yield* confirm(
        it,
        say(
          it,
          `Delete the request ${quoted(title)} for good? Files that were sent stay. To only stop it, say “close it”.`,
          `Anfrage ${quoted(title)} endgültig löschen? Gesendete Dateien bleiben. Zum Beenden reicht „schließ sie“.`
        )
      )
    }
    yield* call(it, "delete_file_request", { requestId: id })
    return removed(
      it,
      `Deleted the request ${quoted(title)}; files that were sent stay.`,
      `Anfrage ${quoted(title)} gelöscht; gesendete Dateien bleiben.`
    )
  },
  *review(it, said) {
    const { file, id, noteCount } = yield* theReview(
      it,
      said === null ? null : parseFiles(wholeOf(sentenceOf(said, it.language, it.moment))).query
    )
    if (noteCount > 0) {
      yield* confirm(
        it,
        say(
          it,
          `Delete the review of ${quoted(file.fileName)} with its ${noteCount} notes for good?`,
          `Review von ${quoted(file.fileName)} mit ${noteCount} Notizen endgültig löschen?`
        )
      )
    }
    yield* call(it, "delete_file_review", { reviewId: id })
    return removed(
      it,
      `Deleted the review of ${quoted(file.fileName)}; the file stays.`,
      `Review von ${quoted(file.fileName)} gelöscht; die Datei bleibt.`
    )
  },
  *archive(it, said) {
    const { id, title } = yield* theArchive(it, said)
    yield* call(it, "delete_archive", { id })
    return removed(
      it,
      `Deleted the ZIP archive ${quoted(title)}; the files in it stay.`,
      `ZIP-Archiv ${quoted(title)} gelöscht; die Dateien darin bleiben.`
    )
  }
}

/** "delete it" for what was mentioned last, when that is no file; null otherwise. */
export function* removeMentioned(it: PlanContext, query: FileQuery): Plan<PlanReply | null> {
  const { latest } = it.focus
  if (
    query.refer === "rest" || latest === null || latest === "files" || latest === "image" || latest === "import" ||
    latest === "trash"
  ) {
    return null
  }
  return latest === "folder"
    ? yield* removeFolder(it, it.focus.folder?.path ?? null, "trash")
    : yield* things[latest](it, null)
}

/** "the folder Old", "my Old folder": no files of it. */
const folderAlone =
  /^(?:(?:the|my|our|that|this|den|der|das|meinen|diesen|whole|entire|ganzen) )*(?:(?:sub)?folder|directory|(?:unter)?ordner|verzeichnis)\b|^(?!.*\b(?:in|from|of|inside|aus|im|von)\b).*\b(?:folder|directory|ordner)$/i

export const isFolderAlone = (query: FileQuery): boolean =>
  query.folder !== null && isWholeDrive({ ...query, folder: null }) && query.number === "unknown" &&
  folderAlone.test(query.said.trim())

/** "delete Workout" where no file is called so, but a folder, list or tag is; null otherwise. */
export function* removeNamed(it: PlanContext, query: FileQuery): Plan<PlanReply | null> {
  const name = query.words.join(" ")
  const isBareName = name !== "" && query.said.replaceAll(/^(?:the|my|die|den|das|der|meine?n?)\s+/gi, "") === name
  const isFolder = query.folder !== null && (query.folder.startsWith("/") && query.said.trim() === query.folder ||
    isFolderAlone(query))
  const path = isFolder ? query.folder : null
  if (!isBareName && path === null) return null
  if (path === null && (yield* findFiles(it, query)).files.length > 0) return null
  const known = yield* collections(it)
  const [folder] = foldersCalled(known, path ?? name, false)
  if (folder !== undefined) return yield* removeFolder(it, folder.path, "trash")
  for (const kind of ["playlist", "gallery"] as const) {
    if (listsCalled(known, kind, name).length > 0) return yield* things[kind](it, name)
  }
  return tagCalled(known, name) === null ? null : yield* things.tag(it, name)
}

const forms = [
  "@delete #thing [@called] <name>",
  "@delete <name> #thing",
  "@delete #thing",
  "#thing [@called] <name> @delete",
  "(cancel|abort|brich) #thing [@called] <name> [ab]",
  "(cancel|abort|brich) #thing [ab]",
  "#thing [@called] <name> @should (go|go away|disappear|vanish)",
  "#thing [@called] <name> @should (weg|verschwinden|raus)",
  "(i|we) (dont|do not|no longer) (need|want) #thing [@called] <name> [anymore|any more|any longer]",
  "#thing [@called] <name> (brauche|brauchen|brauch) (ich|wir) nicht [mehr|langer]",
  "#thing [@called] <name> (isnt|is not|is no longer) (needed|used|required) [anymore|any more]",
  "#thing [@called] <name> nicht mehr",
  "@delete #thing [@called] <name> (ganz|komplett|completely|altogether|wieder|again)",
  "(mach|mache|nimm|raum) #thing [@called] <name> weg"
]

const folderForms = (tail: string): ReadonlyArray<string> => [
  `@delete #folder <folder> ${tail}`,
  `@delete <folder> #folder ${tail}`,
  `#folder <folder> ${tail} @delete`,
  `@delete <folder> ${tail}`,
  `#folder <folder> @should (go|weg|be deleted|geloscht werden) ${tail}`
]

export const Removing: Family = {
  name: "removing",
  examples: {
    en: [
      "delete the folder Old with everything in it",
      "delete the playlist Workout",
      "remove the folder Temp but keep the files",
      "delete the tag draft",
      "delete the request Wedding photos"
    ],
    de: ["lösche die Playlist Sport", "lösche den Ordner Alt samt Inhalt", "lösche den Tag Entwurf"]
  },
  intents: [
    ...Object.entries(things).map(([noun, remove]): Intent => ({
      name: `delete a ${noun}`,
      forms: withNoun(
        noun as ThingNoun,
        noun === "tag"
          ? [
            ...forms,
            "@delete #tag <name> (everywhere|completely|altogether|from all files|from everything|uberall)"
          ]
          : noun === "playlist" || noun === "gallery"
          ? [
            ...forms,
            "@delete #thing [@called] <name> @keepFiles",
            "@delete <name> #thing @keepFiles",
            "#thing [@called] <name> @delete @keepFiles",
            "#thing [@called] <name> @should (go|weg|be deleted|geloscht werden) @keepFiles"
          ]
          : forms
      ),
      judge: () => 0.6,
      plan: (slots, it) => remove(it, slots.get("name") ?? null)
    })),
    {
      name: "delete a folder",
      forms: [
        "@delete #folder [@called] <folder>",
        "@delete <folder> #folder",
        "#folder <folder> @delete",
        "@delete @empty #folder <folder>",
        "@delete that #folder",
        "#folder <folder> @should (go|go away|disappear|weg|verschwinden)",
        "(i|we) (dont|do not|no longer) (need|want) #folder <folder> [anymore|any more]",
        "#folder <folder> (brauche|brauchen|brauch) (ich|wir) nicht [mehr]"
      ],
      judge: () => 0.8,
      plan: (slots, it) => removeFolder(it, slots.get("folder")?.said ?? null, "trash")
    },
    {
      name: "delete empty folders",
      forms: [
        "@delete [@all] @empty (folders|directories|subfolders|ordner)",
        "@all @empty ordner @delete",
        "@delete [@all] (folders|directories|ordner) (that|which|die) (are|is|sind) @empty",
        "@delete [@all] (folders|directories) (with nothing in them|without files)",
        "@delete [@all] ordner ohne (dateien|inhalt)",
        "@delete [@all] ordner (die) @empty sind"
      ],
      judge: () => 2,
      *plan(_, it) {
        const { folders } = yield* collections(it)
        // Folders in an empty one go with it.
        const isEmpty = ({ path }: { readonly path: string }): boolean =>
          folders.every((other) => other.fileCount === 0 || (other.path !== path && !other.path.startsWith(`${path}/`)))
        const empty = folders.filter(isEmpty)
        // Where files are awaited, nothing is deleted.
        const awaited = it.tools.has("select_file_requests")
          ? (yield* requests(it)).filter(({ open }) => open).map(({ folder }) => folder.path)
          : []
        const top = empty.filter(({ path }) => !awaited.some((one) => one === path || one.startsWith(`${path}/`)))
          .filter(({ path }) => !empty.some((other) => path.startsWith(`${other.path}/`)))
        if (top.length === 0) return { text: say(it, "No folder is empty.", "Kein Ordner ist leer.") }
        const made = yield* callEach(it, "delete_folder", top.map(({ id }) => ({ folderId: id, files: "parent" })))
        const done = top.filter((_, at) => made[at]!.failure === undefined).map(({ path }) => path)
        const reason = made.find(({ failure }) => failure !== undefined)?.failure?.error
        it.focus.folder = null
        return {
          text: [
            say(
              it,
              `Deleted ${counted(it, done.length, ["empty folder", "empty folders"], ["", ""])}: ${
                enumerate(it, done)
              }.`,
              `${done.length} leere Ordner gelöscht: ${enumerate(it, done)}.`
            ),
            ...(reason === undefined ? [] : [reason])
          ].join(" ")
        }
      }
    },
    {
      name: "delete a folder with its files",
      forms: folderForms("@alsoFiles"),
      judge: () => 1.5,
      plan: (slots, it) => removeFolder(it, slots.get("folder")!.said, "trash")
    },
    {
      name: "delete a folder without its files",
      forms: folderForms("@keepFiles"),
      judge: () => 1.5,
      plan: (slots, it) => removeFolder(it, slots.get("folder")!.said, "parent")
    }
  ]
}
