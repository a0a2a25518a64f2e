/** Reading texts and PDFs, and answering what they say of a word or a field. */
import type { FileRecord } from "../drive/Records.ts"
import { chooseFiles } from "../files/chooseFiles.ts"
import { type FileQuery, isWholeDrive } from "../files/FileQuery.ts"
import { textWords } from "../files/matchFile.ts"
import { searchPages } from "../files/searchFiles.ts"
import { isIn } from "../files/WordForms.ts"
import { mentionFiles, showFiles } from "../Focus.ts"
import { fold } from "../grammar/Token.ts"
import { type Plan, type PlanReply, Stopped } from "../Plan.ts"
import { call, type PlanContext, say } from "../PlanContext.ts"
import { fileLink, quoted } from "../Speech.ts"
import { helpText } from "./helpText.ts"
import type { Family } from "./Intent.ts"
import { clip, keywords, passages } from "./passages.ts"

interface ReadAnswer {
  readonly note: string
  readonly text?: string
  readonly pages?: { readonly from: number; readonly to: number; readonly total: number }
  readonly nextOffset?: number | null
  readonly image?: unknown
}

/** Pieces of one file that are read at most, and of how many files. */
const piecesRead = 15
const filesRead = 8
/** The whole text of a file; null for a file without text. */
function* textOf(
  it: PlanContext,
  { id }: FileRecord,
  pieces = piecesRead
): Plan<{ readonly text: string | null; readonly note: string }> {
  let text = ""
  let note = ""
  let hasText = false
  for (let piece = 0, args: Readonly<Record<string, unknown>> = {}; piece < pieces; piece++) {
    const answer: ReadAnswer = yield* call<ReadAnswer>(it, "read_file", { fileId: id, ...args })
    note = answer.note
    if (answer.text !== undefined) {
      hasText = true
      text += (text === "" ? "" : "\n") + answer.text
    }
    if (answer.pages !== undefined && answer.pages.to < answer.pages.total) args = { fromPage: answer.pages.to + 1 }
    else if (typeof answer.nextOffset === "number") args = { offset: answer.nextOffset }
    else break
  }
  return { text: hasText ? text : null, note }
}

function* readable(it: PlanContext, query: FileQuery): Plan<ReadonlyArray<FileRecord>> {
  const isKind = query.types.length + query.extensions.length + query.names.length > 0 || query.refer !== null
  return yield* chooseFiles(it, isKind ? query : { ...query, types: ["Document", "Text"] })
}

function* read(it: PlanContext, query: FileQuery): Plan<PlanReply> {
  const [file] = yield* readable(it, query.number === "many" ? query : { ...query, number: "one" })
  mentionFiles(it.focus, [file!])
  const { note, text } = yield* textOf(it, file!, 1)
  if (text === null) return { text: `${quoted(file!.fileName)}: ${note}`, links: [fileLink(file!)] }
  return {
    text: text.trim() === ""
      ? say(it, `There is no text in ${quoted(file!.fileName)}.`, `In ${quoted(file!.fileName)} ist kein Text.`)
      : `${quoted(file!.fileName)}:\n${clip(text.trim())}`,
    links: [fileLink(file!)]
  }
}

/** What the files say of some words. Their text is quoted, never followed. */
function* answer(it: PlanContext, query: FileQuery, question: string): Plan<PlanReply> {
  const words = keywords(question)
  if (words.length === 0) return yield* read(it, query)
  const files = yield* readable(it, query)
  if (files.length > filesRead) {
    throw new Stopped({
      text: say(
        it,
        `These are ${files.length} files; I read ${filesRead} at once. Which ones do you mean?`,
        `Das sind ${files.length} Dateien; ich lese ${filesRead} auf einmal. Welche meinst du?`
      )
    })
  }
  const lines: Array<string> = []
  const told: Array<FileRecord> = []
  for (const file of files) {
    const { note, text } = yield* textOf(it, file)
    if (text === null) {
      lines.push(`${quoted(file.fileName)}: ${note}`)
      told.push(file)
      continue
    }
    const found = passages(text, words)
    if (found.length > 0 || files.length === 1) told.push(file)
    if (found.length > 0) lines.push(`${quoted(file.fileName)}: ${clip(found.join("\n"))}`)
    else if (files.length === 1) {
      lines.push(
        say(
          it,
          `${quoted(file.fileName)} says nothing about ${quoted(words.join(" "))}.`,
          `In ${quoted(file.fileName)} steht nichts über ${quoted(words.join(" "))}.`
        )
      )
    }
  }
  mentionFiles(it.focus, told.length > 0 ? told : files)
  showFiles(it.focus, told, told.length)
  if (lines.length === 0) {
    return {
      text: say(
        it,
        `None of the ${files.length} files says anything about ${quoted(words.join(" "))}.`,
        `In keiner der ${files.length} Dateien steht etwas über ${quoted(words.join(" "))}.`
      )
    }
  }
  return { text: lines.join("\n"), links: told.map(fileLink) }
}

/** A question that names no file: it is answered from those whose name has most of its words. */
function* ask(it: PlanContext, question: string): Plan<PlanReply> {
  const words = keywords(question)
  const { files } = yield* searchPages(it, { types: ["Document", "Text"] }, 500)
  const scored = files.map((file) => ({
    file,
    found: words.filter((word) => isIn(word, textWords(file, true), "form"))
  }))
  const best = Math.max(0, ...scored.map(({ found }) => found.length))
  const chosen = scored.filter(({ found }) => found.length === best)
  if (best === 0 && files.length > filesRead) return helpText(it, [question])
  const lines: Array<string> = []
  const read: Array<FileRecord> = []
  for (const { file, found } of chosen.slice(0, filesRead)) {
    const left = words.filter((word) => !found.includes(word))
    const { text } = yield* textOf(it, file)
    const said = text === null || left.length === 0 ? [] : passages(text, left)
    if (said.length === 0) continue
    lines.push(`${quoted(file.fileName)}: ${clip(said.join("\n"))}`)
    read.push(file)
  }
  if (lines.length === 0) return helpText(it, [question])
  mentionFiles(it.focus, read)
  showFiles(it.focus, read, read.length)
  return { text: lines.join("\n"), links: read.slice(0, filesRead).map(fileLink) }
}

/** A question is plausible about a file that texts are in. */
const isDocument = (query: FileQuery): boolean => !isBareFolder(query) && hasText(query)

/** "the folder Contracts" alone: which files are in it is no question to their texts. */
const isBareFolder = (query: FileQuery): boolean => query.folder !== null && isWholeDrive({ ...query, folder: null })

const hasText = ({ extensions, names, refer, said, types }: FileQuery): boolean =>
  names.length + extensions.length > 0 || refer !== null || types.includes("Document") || types.includes("Text") ||
  /(?:contract|invoice|report|notes?|letter|receipt|lease|agreement|brief|minutes|script|agenda|offer|proposal|policy|manual|readme|vertrag|rechnung|bericht|brief|protokoll|angebot|quittung|essay|paper|lyrics|menu|recipe|statement|will|deed|permit|plan|memo|resume|cv|budget|quote|syllabus|handout|homework|schreiben|bescheid|kundigung|zeugnis|anleitung|ordnung|vollmacht|testament|gutachten|unterlagen|attest|befund|police|brochure|catalog|guide|transcript|chart|sheet|schedule|itinerary|ticket|certificate|form|diary|tagebuch|klausur|arbeitsblatt|skript|drehbuch|auszug|mahnung|abrechnung|bestell|auftrag|lieferschein|mitteilung|ausschreibung|prospekt|broschure|(?<!play|set|track)list|tarif|tariff)/
    .test(fold(said))

/** "the plumber in todo.txt": what is asked is in the document that stands last. */
export const isToldInside = (files: FileQuery): boolean => {
  const said = files.said.split(/\s(?:in|inside|im|from|aus)\s/i).slice(1).at(-1)
  return said !== undefined && !said.includes("/") &&
    (/\.\w{2,5}$/.test(said) ||
      isDocument({ ...files, names: [], extensions: [], refer: null, types: [], said }))
}

const writer = "(i|we|you|he|she|they|<people>|ich|wir|du|er|sie)"
const wrote = "(write|written|put|say|said|note|noted|note down|noted down|jot down|wrote)"

export const Reading: Family = {
  name: "reading",
  examples: {
    en: [
      "what does contract.pdf say about termination?",
      "what is the total in invoice.pdf?",
      "read notes.txt",
      "who is the tenant in the lease.pdf?",
      "does contract.pdf mention a deposit?"
    ],
    de: ["was steht in vertrag.pdf über Kündigung?", "lies notizen.txt vor", "wie hoch ist die Miete in vertrag.pdf?"]
  },
  intents: [
    {
      name: "read a file",
      forms: [
        "(read|read out|open|lies|show me the text of|what does|was steht in|was sagt) [me|us|mir|out|uns] [out|aloud] <files> [(say|vor|contain|aloud|out loud)]",
        "(what|was) (does|do) <files> say",
        "(what|was) (is|s|'s|steht|stands|is written) @in <files>",
        "(summarize|summarise|fass) <files> [zusammen]",
        "(show|give) [me] [the] (text|contents|content) (of|in|from) <files>",
        "(what|worum) (is|geht es in) <files> [about]",
        "<files> vorlesen",
        "(give|get|show|gib|zeig) [me|us|mir|uns] [a|the|eine|die] [short|quick|kurze] (summary|gist|overview|zusammenfassung|ubersicht) (of|from|von|zu|uber) <files>",
        "(read|read out|recite|lies|lest|lesen) <files> [to|for] [me|us|mir|uns] [out loud|aloud|vor|bitte|out]",
        "(what|was) (do|does|have|has|steht) [we|i] [have|got] (in|written in|alles in|drin in) <files>",
        "(show|zeig) [me|mir] (what|was) (is in|s in|steht in|in) <files> [steht]",
        "(worum|um was) geht es [denn] (in|bei) <files>",
        "(what|was) [is|s] [there] [written] (in|inside) <files>"
      ],
      judge: (slots) => isDocument(slots.get("files")!) ? 0.5 : null,
      plan: (slots, it) => read(it, slots.get("files")!)
    },
    {
      name: "ask a file",
      forms: [
        `(what|was) (did|do|have|has|had) ${writer} ${wrote} (about|on|regarding|concerning) <text> (in|inside|down in) <files>`,
        `(what|was) (did|do|have|has|had) ${writer} ${wrote} [down] (in|inside) <files> (about|on|regarding|concerning) <text>`,
        `was (hab|habe|haben|hast|hat) ${writer} (uber|zu|zum|zur|wegen) <text> (in|im) <files> (geschrieben|notiert|gesagt|vermerkt|aufgeschrieben)`,
        `was (hab|habe|haben|hast|hat) ${writer} (in|im) <files> (uber|zu|zum|zur|wegen) <text> (geschrieben|notiert|gesagt|vermerkt|aufgeschrieben)`,
        "(what|who|when|where|which|how much|how high|how many|how long|wer|wann|wo|wie hoch|wie viel|was) @is <text> (in|of|according to|from|laut|von) <files>",
        "(when|what|who|where|how much|how high|how long) @is <files> <text>",
        "(was|what) steht @in <files> (uber|zu|zum|zur) <text>",
        "(what|was) (does|do|did) <files> say (about|on|regarding|concerning) <text>",
        "(what|was) (steht|sagt|sagen) in <files> (uber|zu|zum|zur) <text>",
        "(was|what) steht (uber|zu) <text> in <files>",
        "(was|what) sagt <files> (uber|zu|zum|zur) <text>",
        "(what|who|when|where|which|how much|how high|how many|how long|wer|wann|wo|wie hoch|wie viel|wie lang|wie lange|wie|welche|welcher|welches|was) (is|are|s|was|were|ist|sind|war|does|do|did|lautet|betragt|kostet) <text> (in|according to|on|laut|of|from) <files>",
        "(does|do|did) <files> (say|mention|contain|include|have|talk about|state|list|refer to|cover) <text>",
        "@is <text> (mentioned|listed|named|written|included|stated|in|contained) [in] <files>",
        "(look up|find|check|search|such|suche|finde|look for|tell me) <text> in <files>",
        "(look|search|check) in <files> for <text>",
        "(look|search|check|durchsuche) <files> (for|nach) <text>",
        "(what|welche|which) <text> (does|do|did) <files> (have|contain|list|mention|give|state|say|name)",
        "(kommt|wird|steht) <text> in <files> [vor|erwahnt]",
        "(erwahnt|enthalt|nennt) <files> <text>",
        "(according to|laut) <files> (what|who|when|how much|wer|was|wann) (is|are|ist|sind) <text>",
        "(read|open|check) <files> and tell me <text>",
        "(check|look) [in] <files> (what|who|when|where|how much) [@is] <text>",
        "(what|who|whom|when|where|which|why|how|how much|how many|how high|how long|how old|how often|until when|by when|whose|was|wer|wen|wem|wann|wo|wie|wie viel|wie viele|wie hoch|wie lange|wie alt|wie oft|bis wann|ab wann|warum|welche|welcher|welches|welchen|wessen|wieviel) <text> [@is] [given|stated|mentioned|written|named|listed|printed|shown|noted] (in|on|according to|from|laut|auf|im|gemass) <files>",
        "(what|who|whom|when|where|which|why|how|how much|how many|how high|how long|how old|how often|until when|by when|whose|was|wer|wen|wem|wann|wo|wie|wie viel|wie viele|wie hoch|wie lange|wie alt|wie oft|bis wann|ab wann|warum|welche|welcher|welches|welchen|wessen|wieviel) <text> (steht|stehen|findet sich|ist angegeben|stands|appears|appear) (in|on|auf|im) <files>",
        "(what|who|whom|when|where|which|why|how|how much|how many|how high|how long|how old|how often|until when|by when|whose|was|wer|wen|wem|wann|wo|wie|wie viel|wie viele|wie hoch|wie lange|wie alt|wie oft|bis wann|ab wann|warum|welche|welcher|welches|welchen|wessen|wieviel) <text> (in|auf|laut) <files> (steht|stehen|angegeben ist|@is)",
        "(according to|laut|gemass|going by|based on|in) <files> [,] (what|who|whom|when|where|which|why|how|how much|how many|how high|how long|how old|how often|until when|by when|whose|was|wer|wen|wem|wann|wo|wie|wie viel|wie viele|wie hoch|wie lange|wie alt|wie oft|bis wann|ab wann|warum|welche|welcher|welches|welchen|wessen|wieviel) <text>",
        "(nenn|nenne|sag|tell|give|look up|find out|check|show|read out|get|zeig|such|suche|finde|find) [me|us|mir|uns] <text> (aus|in|from|of|laut|auf|on|according to) <files> [raus|heraus]",
        "(find out|tell me|check|look up|sag mir|finde heraus|schau nach) (from|in|aus) <files> [,] (what|who|whom|when|where|which|why|how|how much|how many|how high|how long|how old|how often|until when|by when|whose|was|wer|wen|wem|wann|wo|wie|wie viel|wie viele|wie hoch|wie lange|wie alt|wie oft|bis wann|ab wann|warum|welche|welcher|welches|welchen|wessen|wieviel) <text>",
        "(steht|findet sich|gibt es|steht da) in <files> (etwas|was|irgendwas|irgendetwas|schon etwas) (uber|zu|zum|zur|von|wegen) <text>",
        "(is there|is|are there) (something|anything|a word) [said|written] (about|on|regarding|concerning) <text> (in|on) <files>",
        "(does|do) <files> (say|contain|have) (something|anything) (about|on|regarding) <text>",
        "(was|what) steht [alles] (uber|zu|zum|zur|wegen) <text> (in|im|auf) <files>",
        "(what|was) (does|do|sagt|sagen|meint) <files> (say|have|uber|zu|zum|zur) [to say|about|on|regarding] <text>",
        "(quote|zitier|zitiere) [me|mir] [the part|die stelle] (about|on|uber|zu) <text> (in|from|aus|of) <files>"
      ],
      judge: (slots) => {
        const text = slots.get("text")!
        return isDocument(slots.get("files")!) &&
            !/^(?:all|my|the)? ?(?:files?|photos?|videos?|tracks?|songs?|images?|folders?|pictures?|dateien|fotos|bilder)\b/i
              .test(text) &&
            keywords(text).length > 0
          ? 0.3
          : null
      },
      plan: (slots, it) => answer(it, slots.get("files")!, slots.get("text")!)
    },
    {
      name: "ask a file by its name",
      forms: [
        "(what|who|whom|when|where|which|why|how|how much|how many|how high|how long|how old|how often|until when|by when|whose|was|wer|wen|wem|wann|wo|wie|wie viel|wie viele|wie hoch|wie lange|wie alt|wie oft|bis wann|ab wann|warum|welche|welcher|welches|welchen|wessen|wieviel) <text> <files>",
        "(what|who|whom|when|where|which|why|how|how much|how many|how high|how long|how old|how often|until when|by when|whose|was|wer|wen|wem|wann|wo|wie|wie viel|wie viele|wie hoch|wie lange|wie alt|wie oft|bis wann|ab wann|warum|welche|welcher|welches|welchen|wessen|wieviel) <text> <files> <text:more>",
        "(what|who|whom|when|where|which|why|how|how much|how many|how high|how long|how old|how often|until when|by when|whose|was|wer|wen|wem|wann|wo|wie|wie viel|wie viele|wie hoch|wie lange|wie alt|wie oft|bis wann|ab wann|warum|welche|welcher|welches|welchen|wessen|wieviel) <files> <text>"
      ],
      // Only of a file that is named with its ending: other words could be anything.
      judge: (slots) => {
        const { names, words } = slots.get("files")!
        const text = `${slots.get("text")} ${slots.get("text", "more") ?? ""}`
        return names.length === 1 && words.length === 0 && isDocument(slots.get("files")!) &&
            keywords(text).length > 0 &&
            !/\b(?:public|private|shared?|opened|viewed|seen|watched|looked|access|tags?|folder|big|long|notes?|comments?|feedback|link|description|geteilt|geöffnet|angesehen|öffentlich|ordner|groß|notizen|anmerkungen|kommentare|beschreibung|zugriff|sehen|open|see|send|sent|review|upload(?:ed)?|size|played|called|named)\b/i
              .test(text)
          ? -0.6
          : null
      },
      plan: (slots, it) => answer(it, slots.get("files")!, `${slots.get("text")!} ${slots.get("text", "more") ?? ""}`)
    },
    {
      name: "ask without a file",
      forms: [
        "(what|who|when|where|how long|how much|how high|how old|at what|which|why|until when|wer|wann|wo|wie lange|wie viel|wie hoch|warum|bis wann|was) [(do|does|did|can|should|must|muss|soll)] <text>"
      ],
      judge: (slots) => keywords(slots.get("text")!).length >= 2 ? -1 : null,
      plan: (slots, it) => ask(it, slots.get("text")!)
    }
  ]
}
