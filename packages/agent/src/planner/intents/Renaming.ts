/** Other names for files, folders, lists, tags and requests. */
import { askText } from "../drive/Choosing.ts"
import { collections, tagCalled, theFolder, theList } from "../drive/Collections.ts"
import type { FileRecord, FolderItem, ListItem } from "../drive/Records.ts"
import { theRequest } from "../drive/Requests.ts"
import { chooseFiles } from "../files/chooseFiles.ts"
import { anyFile, type FileQuery } from "../files/FileQuery.ts"
import { mention, mentionFiles } from "../Focus.ts"
import { type Plan, type PlanReply, Stopped } from "../Plan.ts"
import { call, type PlanContext, say } from "../PlanContext.ts"
import { quoted } from "../Speech.ts"
import type { Family, Intent } from "./Intent.ts"
import { renamingParts } from "./RenamingParts.ts"
import { type ThingNoun, withNoun } from "./Thing.ts"

const renamed = (it: PlanContext, from: string, to: string): PlanReply => ({
  text: say(it, `Renamed ${quoted(from)} to ${quoted(to)}.`, `${quoted(from)} in ${quoted(to)} umbenannt.`)
})

/** The extension stays when the new name has none. */
const withExtension = (name: string, { fileName }: FileRecord): string => {
  const [, extension] = /(\.[A-Za-z0-9]{1,5})$/.exec(fileName) ?? []
  return extension === undefined || /\.[A-Za-z0-9]{1,5}$/.test(name) ? name : name + extension
}

function* renameFile(it: PlanContext, query: FileQuery, name: string): Plan<PlanReply> {
  const [file] = yield* chooseFiles(it, query, { one: true })
  const record = yield* call<FileRecord>(it, "rename_file", { fileId: file!.id, fileName: withExtension(name, file!) })
  mentionFiles(it.focus, [record])
  return renamed(it, file!.fileName, record.fileName)
}

type Rename = (it: PlanContext, said: string | null, name: string) => Plan<PlanReply>

const things: Readonly<Partial<Record<ThingNoun, Rename>>> = {
  *folder(it, said, name) {
    const folder = yield* theFolder(it, said ?? "that")
    const made = yield* call<FolderItem>(it, "rename_folder", { folderId: folder.id, name: name.replace(/^.*\//, "") })
    mention(it.focus, "folder", made)
    return renamed(it, folder.path, made.path)
  },
  *playlist(it, said, title) {
    const list = yield* theList(it, "playlist", said)
    const made = yield* call<ListItem>(it, "rename_playlist", { playlistId: list.id, title })
    mention(it.focus, "playlist", made)
    return renamed(it, list.title, made.title)
  },
  *gallery(it, said, title) {
    const list = yield* theList(it, "gallery", said)
    const made = yield* call<ListItem>(it, "rename_gallery", { galleryId: list.id, title })
    mention(it.focus, "gallery", made)
    return renamed(it, list.title, made.title)
  },
  *tag(it, said, text) {
    const tag = tagCalled(yield* collections(it), said ?? it.focus.tag ?? "")
    if (tag === null) {
      throw new Stopped({
        text: say(it, `There is no tag ${quoted(said ?? "")}.`, `Es gibt keinen Tag ${quoted(said ?? "")}.`)
      })
    }
    const made = yield* call<{ readonly text: string }>(it, "rename_tag", {
      tagId: tag.id,
      text: text.replace(/^#/, "")
    })
    it.focus.tag = made.text
    return renamed(it, tag.text, made.text)
  },
  *request(it, said, title) {
    const request = yield* theRequest(it, said)
    yield* call(it, "update_file_request", { requestId: request.id, title })
    return renamed(it, request.title, title)
  }
}

/** What "it" is gets the name: a folder, a list, a file. */
function* renameMentioned(it: PlanContext, name: string): Plan<PlanReply> {
  const { latest } = it.focus
  const rename = latest === null || latest === "files" ? undefined : things[latest as ThingNoun]
  return rename === undefined
    ? yield* renameFile(it, { ...anyFile, refer: "it", number: "one" }, name)
    : yield* rename(it, latest === "tag" ? it.focus.tag : null, name)
}

const thingForms = [
  "@rename #thing <name> (to|into|in|as|zu) <name:new> [um]",
  "@rename <name> #thing (to|into|in|as|zu) <name:new> [um]",
  "@rename #thing (to|into|in|as|zu) <name:new> [um]",
  "#thing <name> (in|zu) <name:new> umbenennen",
  "@change (name|title) of #thing <name> (to|into) <name:new>",
  "call #thing <name> <name:new>",
  "#thing <name> (should|shall|must|has to) [now] [from now on|now] be (called|named) <name:new> [instead]",
  "#thing <name> (is|gets) [now] (called|named|renamed to) <name:new>",
  "#thing <name> soll [jetzt|ab jetzt|ab sofort|kunftig|von nun an|in zukunft|ab heute] <name:new> heissen",
  "#thing <name> (heisst|heissen) [jetzt|ab jetzt] <name:new>",
  "(give|gib) #thing <name> #name <name:new>",
  "@change #name of #thing <name> (to|into) <name:new>",
  "(andere|andern) #name (von|des|der) #thing <name> (in|zu|auf) <name:new>"
]

const thingIntents: ReadonlyArray<Intent> = Object.entries(things).map(([noun, rename]) => ({
  name: `rename a ${noun}`,
  forms: withNoun(noun as ThingNoun, thingForms),
  judge: () => 0.5,
  plan: (slots, it) => rename(it, slots.get("name") ?? null, slots.get("name", "new")!)
}))

export const Renaming: Family = {
  name: "renaming",
  examples: {
    en: [
      "rename draft.txt to final.txt",
      "rename the folder Old to Archive",
      "change the name of IMG_2041.jpg to Sunset.jpg",
      "rename the playlist Workout to Running",
      "call it Final Mix"
    ],
    de: [
      "benenne entwurf.txt in fertig.txt um",
      "benenne den Ordner Alt in Archiv um",
      "kannst du bild.jpg in strand.jpg umbenennen"
    ]
  },
  intents: [
    ...thingIntents,
    renamingParts,
    {
      name: "rename without a name",
      forms: ["@rename <files>", "<files> umbenennen", "@rename <files> um"],
      judge: (slots) =>
        /\b(?:to|into|zu|nach)\b|\bin\b.*\./i.test(slots.get("files")!.said) || slots.get("files")!.said === ""
          ? null
          : -0.5,
      *plan(slots, it) {
        const query = slots.get("files")!
        const isThing = query.refer === "it" && it.focus.latest !== null && it.focus.latest !== "files"
        if (!isThing) mentionFiles(it.focus, yield* chooseFiles(it, query, { one: true }))
        const name = yield* askText(it, say(it, "What should the new name be?", "Wie soll der neue Name lauten?"))
        return yield* renameMentioned(it, name.replaceAll(/^["“„]|["”“]$/g, ""))
      }
    },
    {
      name: "give a file a name",
      forms: ["(give|gib|gebt|verpass) <files> (a|the|einen|den) [new|neuen] (name|namen|titel|title) [:] <name>"],
      judge: () => 2,
      plan: (slots, it) => renameFile(it, slots.get("files")!, slots.get("name")!)
    },
    {
      name: "rename a file",
      forms: [
        "@rename <files> (to|into|in|as|zu|nach) <name> [um]",
        "@rename <files> to be [called] <name>",
        "<files> (in|zu|nach) <name> umbenennen",
        "(call|name|nenne|nenn) (it|this|that|es|sie|ihn) <name>",
        "(call|nenne|nenn) <files> <name>",
        "@change #name of <files> (to|into) <name>",
        "(andere|andern) #name von <files> (in|zu|auf) <name>",
        "(set|andere|@change) <files> 's #name (to|into|as) <name>",
        "#name (of|von) <files> @should [now] (be|read|become) [changed to] <name>",
        "#name (von|der datei) <files> @should [jetzt|kunftig|ab jetzt] <name> (sein|lauten|werden)",
        "<files> @should [jetzt|ab jetzt|ab sofort|kunftig|von nun an|in zukunft|bitte] <name> heissen",
        "<files> (is|gets|ist) [now|from now on|from today] @called <name>",
        "<files> (heisst|heissen) [jetzt|ab jetzt|ab sofort|kunftig] <name>",
        "<files> @should [now] (become|be named|be called|be renamed to|be renamed) <name>",
        "@rename <files> : <name>",
        "<files> should be @called <name>",
        "@rename <files> <name>"
      ],
      judge: (slots) => slots.get("files")?.said === "" ? null : 0,
      *plan(slots, it) {
        const query = slots.get("files")
        const name = slots.get("name")!
        return query === undefined || query.refer === "it"
          ? yield* renameMentioned(it, name)
          : yield* renameFile(it, query, name)
      }
    }
  ]
}
