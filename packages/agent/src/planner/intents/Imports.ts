/** Bringing in files from links. */
import { targetPath } from "../drive/Collections.ts"
import type { FileRecord, ImportItem } from "../drive/Records.ts"
import { waitIfPossible } from "../drive/Waits.ts"
import { mention, mentionFiles } from "../Focus.ts"
import { type Plan, type PlanReply, Stopped } from "../Plan.ts"
import { call, type PlanContext, say } from "../PlanContext.ts"
import type { FolderName } from "../Slots.ts"
import { bytes, fileLink, quoted } from "../Speech.ts"
import type { Family } from "./Intent.ts"
import { listed } from "./Listing.ts"

const stateOf = (it: PlanContext, { error, file, status, url }: ImportItem): string =>
  status === "done" && file !== null
    ? say(
      it,
      `Imported ${quoted(file.fileName)} (${bytes(it, file.fileSize)}) to ${file.folder?.path ?? "/"}.`,
      `${quoted(file.fileName)} (${bytes(it, file.fileSize)}) nach ${file.folder?.path ?? "/"} importiert.`
    )
    : status === "failed"
    ? say(it, `The import of ${url} failed: ${error ?? ""}`, `Der Import von ${url} ist gescheitert: ${error ?? ""}`)
    : say(it, `${url} is being imported.`, `${url} wird importiert.`)

function* states(it: PlanContext, args: Readonly<Record<string, unknown>>): Plan<ReadonlyArray<ImportItem>> {
  const answer = yield* call<ReadonlyArray<ImportItem> | { readonly imports: ReadonlyArray<ImportItem> }>(
    it,
    "select_imports",
    args
  )
  return "imports" in answer ? answer.imports : answer
}

/** How an import ended, and its file as what "it" means. Ends the request when it failed. */
export function* importDone(it: PlanContext, id: string): Plan<PlanReply> {
  const [one] = yield* states(it, { ids: [id] })
  if (one === undefined) throw new Stopped({ text: say(it, "The import is gone.", "Den Import gibt es nicht mehr.") })
  if (one.status === "failed") throw new Stopped({ text: stateOf(it, one) })
  if (one.file !== null) mentionFiles(it.focus, [one.file])
  return {
    text: stateOf(it, one),
    links: one.file === null ? [{ kind: "import", id, name: one.url, url: null }] : [fileLink(one.file)]
  }
}

/** Waits for an import that has begun. */
export function* finishImport(it: PlanContext, id: string, url: string): Plan<PlanReply> {
  mention(it.focus, "import", { id, name: url })
  yield* waitIfPossible(it, { kind: "import", id, text: say(it, `the import of ${url}`, `der Import von ${url}`) })
  return yield* importDone(it, id)
}

function* bringIn(
  it: PlanContext,
  url: string,
  folder: FolderName | undefined,
  fileName: string | undefined
): Plan<PlanReply> {
  const path = folder === undefined ? null : yield* targetPath(it, folder.said, folder.isNew)
  const { id } = yield* call<{ readonly id: string }>(it, "import_from_url", {
    url,
    ...(path === null || path === "/" ? {} : { folder: path }),
    ...(fileName === undefined ? {} : { fileName })
  })
  return yield* finishImport(it, id, url)
}

const verbs =
  "(@import|@move|@add|grab|take|keep|need|want|hol|hole|holt|lade|lad|zieh|sichere|speichere|speicher|brauche|mochte) [me|us|mir|uns]"

function* bringAllIn(it: PlanContext, urls: ReadonlyArray<string>, folder: FolderName | undefined): Plan<PlanReply> {
  const said: Array<PlanReply> = []
  const files: Array<FileRecord> = []
  for (const url of urls) {
    said.push(yield* bringIn(it, url, folder, undefined))
    files.push(...it.focus.files)
  }
  mentionFiles(it.focus, files)
  return { text: said.map(({ text }) => text).join("\n"), links: said.flatMap(({ links }) => links ?? []) }
}

const several =
  "[the|these|those|diese|folgende] [both|two|three|following|beiden|zwei|drei|folgenden] [files|links|pages|ones|dateien|seiten]"

export const Imports: Family = {
  name: "imports",
  examples: {
    en: [
      "import https://example.com/papers/report.pdf into /Papers",
      "download https://example.com/a.jpg to the folder Photos as cover.jpg",
      "how is the import going?"
    ],
    de: ["importiere https://example.com/bericht.pdf in den Ordner Berichte", "lade https://example.com/a.jpg herunter"]
  },
  intents: [
    {
      name: "import a link",
      forms: [
        `${verbs} [the] [file|datei|this|that] [at|from|under|von|unter] <url> [(to|on|onto|in|auf) [my|the|meinem] drive] [herunter|runter|ein]`,
        `${verbs} [the] [file|datei|this|that] [at|from|under|von|unter] <url> @into <folder> [herunter|runter|ein|hoch]`,
        `${verbs} [the] [file|datei|this|that] [at|from|under|von|unter] <url> @into <folder> (as|@called|als|and call it|under the name) <name>`,
        `${verbs} [the] [file|datei|this|that] [at|from|under|von|unter] <url> (as|@called|als|and call it|under the name) <name> @into <folder>`,
        `${verbs} [the] [file|datei|this|that] [at|from|under|von|unter] <url> (as|@called|als|and call it|under the name) <name>`,
        `${verbs} (this|that|the|diesen|den|following) (#link|page|website|file|datei|pdf|image|bild|foto|photo|video|song) [@into [my|the|meinem|meinen] (drive|account|files)] [for me] [:|-] <url>`,
        `${verbs} (this|that|the|diesen|den|following) (#link|page|website|file|datei|pdf|image|bild|foto|photo|video|song) @into <folder> [:|-] <url>`,
        `${verbs} (this|that|it|dies|das) [:|-] <url> [@into <folder>]`,
        `${verbs} (this|that|it|dies|das) @into <folder> [:|-] <url>`,
        `${verbs} <url> (and|und) (save|put|store|leg|lege|speicher|speichere) (it|that|es|sie|das) @into <folder> [ab] [(as|@called|als|under the name) <name>]`,
        `${verbs} <url> (and|und) (save|store|call|name|nenn|nenne|speicher) (it|that|es|sie) [as|als] <name>`,
        `${verbs} [the] [file|datei|this|that] [at|from|under|von|unter] <url> [(to|on|onto|in|auf)] [my|the|meinen|meinem] (drive|account)`,
        `<url> (bitte|please) @import`,
        `${verbs} <url> (herunterladen|importieren|holen)`,
        `<url> (herunterladen|importieren|holen|@import)`,
        `<url> @into <folder>`,
        `<url> @should [go|be|be put|be saved] @into <folder> [as|als <name>]`,
        `<url> @into <folder> (as|@called|als) <name>`,
        `${verbs} [the|a|die] [file|datei|thing] [behind|hinter|from|von] <url> (herunter|runter|rein|ein|down|in)`,
        `${verbs} <url> [herunter|runter] @into <folder> [herunter|runter|ein|hoch|rein] [(as|@called|als|und nenn sie|und nenne sie|und nenn es|and name it) <name>]`,
        `${verbs} (down|in) <url> [@into <folder>]`,
        `@into <folder> ${verbs} <url> [(as|@called|als) <name>]`,
        `(theres|there is|there s|unter|at|behind|hinter) [a|eine] [file|datei|pdf|photo|video|thing] [(at|under|on|auf|unter)] <url> [liegt|ist|gibt es|is] [there] [a|eine] [file|datei] [,] [and|und|please|bitte] ${verbs} (it|that|sie|es|die) [rein|herunter|runter|ab|please|bitte]`,
        `(theres|there is|there s) [a|the] [file|pdf|photo|video|thing] (at|under|on) <url> [,] ${verbs} (it|that) [,] (call|name) (it|that) <name> [,] [and] (put|save|store|move) (it|that) @into <folder>`,
        `(theres|there is|there s) [a|the] [file|pdf|photo|video|thing] (at|under|on) <url> [,] ${verbs} (it|that) @into <folder> [[,] [and] (call|name) (it|that) <name>]`,
        `<url>`
      ],
      judge: () => 1,
      plan: (slots, it) => bringIn(it, slots.get("url")!, slots.get("folder"), slots.get("name"))
    },
    {
      name: "import several links",
      forms: [
        `${verbs} ${several} [for me|from|at|von|fur mich] [:] <urls> [herunter|runter|rein|ein]`,
        `${verbs} ${several} [for me|from|at|von|fur mich] [:] <urls> @into <folder> [herunter|runter|rein|ein|ab]`,
        `${verbs} ${several} @into <folder> [:] <urls>`,
        "<urls> @into <folder>",
        "<urls> [bitte] (herunterladen|importieren|holen|laden|speichern|@import)",
        "<urls> @should [go|be|be put|be saved] @into <folder>",
        "<urls>"
      ],
      judge: (slots) => slots.get("urls")!.length > 1 ? 1.5 : null,
      plan: (slots, it) => bringAllIn(it, slots.get("urls")!, slots.get("folder"))
    },
    {
      name: "how imports are",
      forms: [
        "@find [recent|latest|my|@all] #import",
        "(how|wie) (is|are|goes|steht|laufen|lauft|far is|weit ist) #import [going|doing|es]",
        "@is [the] #import (done|ready|finished|fertig) [yet|schon]",
        "(did|has) #import (work|finish|finished|worked|succeed|succeeded)",
        "(what|which|welche) #import (do|have|are|habe|gibt) (i|there|we|ich|es) [have]",
        "@howfar @is [the] #import",
        "(status|state|stand) (of|von) #import",
        "(what|which|welche) #import @is (running|going on|under way|active|unfinished|am laufen|aktiv)",
        ...listed("#import")
      ],
      judge: () => 1,
      *plan(_, it) {
        const { import: known } = it.focus
        const all = yield* states(it, known === null ? { limit: 20 } : { ids: [known.id] })
        return {
          text: all.length === 0
            ? say(it, "Nothing was imported lately.", "In letzter Zeit wurde nichts importiert.")
            : all.map((one) => stateOf(it, one)).join("\n")
        }
      }
    }
  ]
}
