/** Files that are there twice: of one size and kind, and of one name but for "(1)" or "copy". */
import { onFiles, perTrashCall, unlessAll } from "../drive/Actions.ts"
import { confirm } from "../drive/Choosing.ts"
import type { FileRecord } from "../drive/Records.ts"
import { searchPages } from "../files/searchFiles.ts"
import { mentionFiles } from "../Focus.ts"
import { fold } from "../grammar/Token.ts"
import type { Plan, PlanReply } from "../Plan.ts"
import { type PlanContext, say } from "../PlanContext.ts"
import { fileLink, theFiles } from "../Speech.ts"
import type { Family } from "./Intent.ts"
import { listing } from "./Listing.ts"

const plain = (name: string): string =>
  fold(name).replace(/(?:[ _-]*(?:\(\d+\)|copy(?: \d+)?|kopie(?: \d+)?))+(?=\.[a-z0-9]{1,5}$|$)/, "").replace(
    /^copy of /,
    ""
  )

/** All but the oldest of those that are alike. */
function* copies(it: PlanContext): Plan<ReadonlyArray<FileRecord>> {
  const { files } = yield* searchPages(it, { sort: "oldest" })
  const seen = new Set<string>()
  return files.filter(({ fileName, fileSize, type }) => {
    const key = `${type} ${fileSize} ${plain(fileName)}`
    if (seen.has(key)) return true
    seen.add(key)
    return false
  })
}

const none = (it: PlanContext): PlanReply => ({
  text: say(
    it,
    "I found no file twice with one name and one size.",
    "Ich habe keine Datei gefunden, die mit gleichem Namen und gleicher Größe doppelt da ist."
  )
})

export const Duplicates: Family = {
  name: "duplicates",
  examples: { en: ["find duplicate files", "remove duplicates"], de: ["lösche doppelte Dateien"] },
  intents: [
    {
      name: "find duplicates",
      forms: [
        "@find [@all] (duplicates|duplicate files|duplicate photos|doubles|doppelte dateien|doppelte fotos|dubletten|duplikate)",
        "(are|is|gibt) (there|es) [any] (duplicates|duplicate files|doppelte dateien|duplikate|dubletten)",
        "do i have [any] (duplicates|duplicate files)"
      ],
      judge: () => 2,
      *plan(_, it) {
        const files = yield* copies(it)
        if (files.length === 0) return none(it)
        mentionFiles(it.focus, files)
        return {
          text: `${say(it, "These are copies of older files", "Das sind Kopien älterer Dateien")}:\n${
            listing(it, files)
          }`,
          links: files.slice(0, 20).map(fileLink)
        }
      }
    },
    {
      name: "delete duplicates",
      forms: [
        "@delete [@all] (duplicates|duplicate files|duplicate photos|doubles|doppelte dateien|doppelten dateien|doppelte fotos|dubletten|duplikate)",
        "(doppelte dateien|dubletten|duplikate|doppelte fotos) @delete"
      ],
      judge: () => 2,
      *plan(_, it) {
        const files = yield* copies(it)
        if (files.length === 0) return none(it)
        yield* confirm(
          it,
          say(
            it,
            `These have the name and size of an older file:\n${listing(it, files)}\nShall I put them in trash?`,
            `Diese haben Namen und Größe einer älteren Datei:\n${
              listing(it, files)
            }\nSoll ich sie in den Papierkorb legen?`
          )
        )
        const done = yield* onFiles(it, "trash_files", files, (fileIds) => ({ fileIds }), perTrashCall)
        mentionFiles(it.focus, done.files)
        return unlessAll(it, done, {
          text: say(
            it,
            `Put ${theFiles(it, done.files)} in trash.`,
            `${theFiles(it, done.files)} in den Papierkorb gelegt.`
          )
        })
      }
    }
  ]
}
