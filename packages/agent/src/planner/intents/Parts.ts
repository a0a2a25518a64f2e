/** Files and links that come with a message. */
import type { FileRecord } from "../drive/Records.ts"
import { mentionFiles } from "../Focus.ts"
import { type Plan, type PlanReply, Stopped } from "../Plan.ts"
import { attempt, type PlanContext, say } from "../PlanContext.ts"
import { fileLink, quoted, theFiles } from "../Speech.ts"
import { finishImport } from "./Imports.ts"
import type { Family } from "./Intent.ts"

/** The record of a file that was just saved; as much of it as is known where the connection may not read. */
function* recordOf(it: PlanContext, id: string, fileName: string): Plan<FileRecord> {
  const { result } = it.tools.has("generate_download_url")
    ? yield* attempt<FileRecord>(it, "generate_download_url", { id })
    : {}
  return result ?? {
    id,
    fileName,
    type: "Other",
    mimeType: "",
    fileSize: 0,
    isPublic: false,
    downloadUrl: null,
    description: null,
    folder: null,
    tags: [],
    insertTime: "",
    media: null
  }
}

const lacking = (it: PlanContext, name: string): string =>
  say(
    it,
    `${quoted(name)} was not saved: this connection lacks the permission “add”.`,
    `${quoted(name)} wurde nicht gespeichert: Dieser Verbindung fehlt die Berechtigung „add“.`
  )

/** Saves what came with the message, which "it", "this" and "them" then mean; null when nothing did. */
export function* saveParts(it: PlanContext): Plan<PlanReply | null> {
  const saved: Array<FileRecord> = []
  const imported: Array<FileRecord> = []
  const said: Array<string> = []
  for (const [at, { index = at, kind, name }] of it.parts.entries()) {
    const tool = kind === "raw" ? "save_part" : "import_part"
    if (!it.tools.has(tool)) {
      said.push(lacking(it, name))
      continue
    }
    const { failure, result } = yield* attempt<{ readonly id: string; readonly fileName?: string }>(it, tool, { index })
    if (failure !== undefined) {
      said.push(
        say(
          it,
          `${quoted(name)} was not saved: ${failure.error}`,
          `${quoted(name)} wurde nicht gespeichert: ${failure.error}`
        )
      )
    } else if (kind === "raw") {
      saved.push(yield* recordOf(it, result!.id, result!.fileName ?? name))
    } else {
      it.focus.files = []
      said.push((yield* finishImport(it, result!.id, name)).text)
      imported.push(...it.focus.files)
    }
  }
  const files = [...saved, ...imported]
  if (files.length > 0) mentionFiles(it.focus, files)
  if (saved.length > 0) said.unshift(say(it, `Saved ${theFiles(it, saved)}.`, `${theFiles(it, saved)} gespeichert.`))
  return said.length === 0 ? null : { text: said.join("\n"), links: files.map(fileLink) }
}

/** "save this": what came with the message is saved by then. */
export const Keeping: Family = {
  name: "keeping",
  examples: { en: ["keep this", "save these"], de: ["speichere das"] },
  intents: [
    {
      name: "keep what came with the message",
      forms: [
        "(grab|take|save|keep|store|have|here is|here are|speicher|speichere|nimm|behalte|sichere|hier ist|hier sind) (this|these|that|it|them|das|die|diese|dies|dieses|sie|es) [file|files|link|photo|photos|datei|dateien|fotos|here|hier]"
      ],
      judge: () => 0.2,
      *plan(_, it) {
        if (it.parts.length > 0) return { text: "" }
        throw new Stopped({
          text: say(
            it,
            "What shall I save? Send the file or the link with your message.",
            "Was soll ich speichern? Schick die Datei oder den Link mit deiner Nachricht."
          )
        })
      }
    }
  ]
}
