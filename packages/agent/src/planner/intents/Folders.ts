/** Folders, and moving files into them. */
import { onFiles, unlessAll } from "../drive/Actions.ts"
import { askText } from "../drive/Choosing.ts"
import { collections, foldersCalled, listsOf, targetPath, theFolder } from "../drive/Collections.ts"
import type { FolderItem } from "../drive/Records.ts"
import { chooseFiles } from "../files/chooseFiles.ts"
import { anyFile, type FileQuery, saysNothing } from "../files/FileQuery.ts"
import { mention, mentionFiles } from "../Focus.ts"
import { plainName } from "../grammar/Spelling.ts"
import type { Plan, PlanReply } from "../Plan.ts"
import { call, type PlanContext, say } from "../PlanContext.ts"
import type { FolderName } from "../Slots.ts"
import { counted, quoted, theFiles } from "../Speech.ts"
import { folderCreation } from "./FolderCreation.ts"
import type { Family } from "./Intent.ts"
import { listed } from "./Listing.ts"
import { addToList } from "./ListPlans.ts"

/** "put X into Workout": a playlist or gallery of that name, where no folder has it. */
function* listNamed(
  it: PlanContext,
  said: string
): Plan<{ readonly kind: "playlist" | "gallery"; readonly title: string } | null> {
  if (said === "" || said.includes("/")) return null
  const known = yield* collections(it)
  if (foldersCalled(known, said, false).length > 0) return null
  for (const kind of ["playlist", "gallery"] as const) {
    const found = listsOf(known, kind).filter(({ title }) => plainName(title) === plainName(said))
    if (found.length === 1) return { kind, title: found[0]!.title }
  }
  return null
}

export function* move(it: PlanContext, query: FileQuery, folder: FolderName): Plan<PlanReply> {
  const list = folder.isNew || folder.said === "that" ? null : yield* listNamed(it, folder.said)
  if (list !== null) return yield* addToList(it, list.kind, query, list.title)
  const files = yield* chooseFiles(it, query, { mayBeAll: false })
  const path = yield* targetPath(it, folder.said, folder.isNew)
  const done = yield* onFiles<{ readonly folder: FolderItem | null }>(it, "move_files", files, (fileIds) => ({
    fileIds,
    ...(path === "/" ? { folderId: null } : { folder: path })
  }))
  const target = done.results[0]?.folder ?? null
  const moved = done.files.map((file) => ({ ...file, folder: target }))
  it.focus.folder = target === null ? { id: null, path: "/" } : { id: target.id, path: target.path }
  mentionFiles(it.focus, moved)
  return unlessAll(it, done, {
    text: say(
      it,
      `Moved ${theFiles(it, moved)} to ${target?.path ?? "/"}.`,
      `${theFiles(it, moved)} nach ${target?.path ?? "/"} verschoben.`
    )
  })
}

/** Out of a folder, to the top of the drive. */
export function* moveToTop(it: PlanContext, query: FileQuery, from: string): Plan<PlanReply> {
  return yield* move(it, query.refer === null ? { ...query, folder: from } : query, { said: "", isNew: false })
}

/** What stands before a folder's name in an answer: "into the folder". */
const intoFolder =
  /^(?:(?:into|in|to|please|bitte|nach|zu|zum|ins|im|the|a|new|den|die|das|einen|neuen|folder|ordner|called|namens|directory|verzeichnis)\s+)+/i

export const Folders: Family = {
  name: "folders",
  examples: {
    en: [
      "move all PDFs to /Reports",
      "put the photos of Lisbon into the folder Trips",
      "create a folder called Client Work",
      "make folders Audio, Video and Stills",
      "create a folder Drafts inside /Songs",
      "move the folder Old into Archive",
      "what folders do I have?"
    ],
    de: [
      "verschiebe alle PDFs in den Ordner Berichte",
      "lege einen Ordner Kunden an",
      "erstelle die Ordner Ton und Bild",
      "kannst du die Rechnungen nach /Steuer verschieben",
      "welche Ordner habe ich?"
    ]
  },
  intents: [
    {
      name: "move files",
      forms: [
        "@move <files> [back] @into <folder>",
        "@into <folder> @move <files>",
        "<files> @into <folder> @move",
        "<files> (belongs|belong|goes|go|should go|should be|gehort|gehoren|sollen|soll|kommt|kommen|wandert|wandern|muss|mussen) @into <folder>",
        "<files> @should (go|be|live|land|end up|move|stay|belong|be put|be kept|wait) @into <folder>",
        "<files> @should @into <folder> [rein|hinein|ab|gehen|wandern|kommen|liegen]",
        "(get|have|shove|stuff|bring|carry) <files> (into|to|over to|under|over into) <folder>",
        "@move <files> (away|out) @into <folder>",
        "@move <files> @into <folder> (please|bitte|rein|hinein|ruber|runter|hoch|um)",
        "@move <files> (out of|from|aus|von) <folder:from> @into <folder>",
        "@move <files> @into <folder> (ein|ab|rein)",
        "@move <files> (there|in there|into it|in it|to it|dorthin|dahin|darein|rein|hinein)",
        "<files> (dorthin|dahin|rein|hinein) @move"
      ],
      judge: (slots) =>
        (slots.get("files")!.isTrashed ? -1 : 0) + (slots.get("folder")?.said === "that" ? -0.3 : 0) +
        // "files should go to /A" says where those of a request land.
        (/^(?:files|dateien|they|uploads|everything sent)$/i.test(slots.get("files")!.said) ? -4 : 0),
      plan: (slots, it) => {
        const files = slots.get("files")!
        const from = slots.get("folder", "from")
        return move(
          it,
          from === undefined ? files : { ...files, folder: from.said },
          slots.get("folder") ?? { said: "that", isNew: false }
        )
      }
    },
    {
      name: "move a file under another name",
      forms: [
        "@move <files> @into <folder> (as|@called|als|under the name|and call it|and name it) <name>",
        "@move <files> (as|als|@called) <name> @into <folder>"
      ],
      judge: (slots) => /\.[a-z0-9]{1,5}$/i.test(slots.get("name")!) ? 0.6 : null,
      *plan(slots, it) {
        const [file] = yield* chooseFiles(it, slots.get("files")!, { one: true })
        mentionFiles(it.focus, [file!])
        const moved = yield* move(it, { ...anyFile, refer: "it", number: "one" }, slots.get("folder")!)
        const fileName = slots.get("name")!
        yield* call(it, "rename_file", { fileId: file!.id, fileName })
        mentionFiles(it.focus, [{ ...it.focus.files[0]!, fileName }])
        const named = say(
          it,
          `It is called ${quoted(fileName)} now.`,
          `Der Name ist jetzt ${quoted(fileName)}.`
        )
        return { text: `${moved.text} ${named}` }
      }
    },
    {
      name: "move files to the top",
      forms: [
        "@move <files> (out of|aus) <folder:from> [raus|heraus]",
        "(take|nimm|hol) <files> (out of|aus) <folder:from> [raus|heraus]"
      ],
      judge: () => 0.3,
      plan: (slots, it) => moveToTop(it, slots.get("files")!, slots.get("folder", "from")!.said)
    },
    {
      name: "move a folder",
      forms: [
        "@move #folder <folder:what> [with everything in it] @into <folder>",
        "@move <folder:what> #folder @into <folder>",
        "#folder <folder:what> @into <folder> @move"
      ],
      judge: () => 1,
      *plan(slots, it) {
        const folder = yield* theFolder(it, slots.get("folder", "what")!.said)
        const target = slots.get("folder")!
        const path = yield* targetPath(it, target.said, target.isNew)
        const moved = yield* call<FolderItem>(it, "move_folder", {
          folderId: folder.id,
          ...(path === "/" ? { parentId: null } : { folder: path })
        })
        mention(it.focus, "folder", moved)
        return {
          text: say(
            it,
            `Moved the folder ${folder.path} to ${moved.path}.`,
            `Ordner ${folder.path} nach ${moved.path} verschoben.`
          )
        }
      }
    },
    ...folderCreation,
    {
      name: "move files without a target",
      forms: ["@move <files>", "<files> @move"],
      judge: (slots) =>
        saysNothing(slots.get("files")) || slots.get("files")!.words.length > 3 ||
          /\b(?:to|into|nach|in|ins|up|down|hoch|under|onto)\b/i.test(slots.get("files")!.said)
          ? null
          : -0.8,
      *plan(slots, it) {
        const query = slots.get("files")!
        mentionFiles(it.focus, yield* chooseFiles(it, query, { mayBeAll: false }))
        const text = yield* askText(it, say(it, "Where should they go?", "Wohin sollen sie?"))
        const folder = text.trim().replace(intoFolder, "").replaceAll(
          /["“”„.!]+|[,\s]+(?:please|bitte|thanks|danke)$/gi,
          ""
        ).trim()
        return yield* move(it, { ...anyFile, refer: "them", number: "many", said: query.said }, {
          said: folder,
          isNew: false
        })
      }
    },
    {
      name: "list folders",
      forms: [
        ...listed("#folder")
      ],
      judge: () => 0.6,
      *plan(_, it) {
        const { folders } = yield* collections(it)
        if (folders.length === 0) return { text: say(it, "There are no folders yet.", "Es gibt noch keine Ordner.") }
        const lines = folders.map(({ fileCount, path }) => `- ${path} (${fileCount})`).join("\n")
        return { text: `${counted(it, folders.length, ["folder", "folders"], ["Ordner", "Ordner"])}:\n${lines}` }
      }
    },
    {
      name: "empty a folder",
      forms: [
        "@empty #folder <folder>",
        "@empty <folder> #folder",
        "#folder <folder> @empty",
        "(raum|raume|mach|mache) #folder <folder> (leer|aus)",
        "@delete @all (in|from|aus|im) #folder <folder>"
      ],
      judge: () => 1,
      *plan(slots, it) {
        const { path } = yield* theFolder(it, slots.get("folder")!.said)
        const files = yield* chooseFiles(it, { ...anyFile, folder: path, number: "many", said: path })
        const done = yield* onFiles(it, "trash_files", files, (fileIds) => ({ fileIds }), 100)
        mentionFiles(it.focus, done.files)
        return unlessAll(it, done, {
          text: say(
            it,
            `Put ${theFiles(it, done.files)} of ${quoted(path)} in trash.`,
            `${theFiles(it, done.files)} aus ${quoted(path)} in den Papierkorb gelegt.`
          )
        })
      }
    }
  ]
}
