/** Finding, counting and locating files. */
import { theFolder } from "../drive/Collections.ts"
import { anyFile, type FileQuery, isWholeDrive, saysNothing } from "../files/FileQuery.ts"
import { findFiles } from "../files/findFiles.ts"
import { mention, mentionFiles, showFiles } from "../Focus.ts"
import type { Plan, PlanReply } from "../Plan.ts"
import { type PlanContext, say } from "../PlanContext.ts"
import { bytes, fileLink, filesCounted, quoted } from "../Speech.ts"
import { describeFiles } from "./Details.ts"
import type { Family } from "./Intent.ts"
import { filesListed, listing } from "./Listing.ts"
import { sharerNote } from "./sharerNote.ts"

const nothing = (it: PlanContext, { said }: FileQuery): PlanReply => ({
  text: say(it, `I found nothing that fits ${quoted(said)}.`, `Ich habe nichts gefunden, was zu ${quoted(said)} passt.`)
})

/** Lists the files that a query means. */
export function* find(it: PlanContext, query: FileQuery): Plan<PlanReply> {
  const isSortedOnly = query.sort !== null && query.count === null && query.position === null
  const { files: all, isCut, isGuess } = yield* findFiles(it, query)
  const files = isSortedOnly ? all.slice(0, filesListed) : all
  mentionFiles(it.focus, files)
  showFiles(it.focus, files, filesListed)
  if (query.folder !== null && query.folder !== "" && query.folder !== "that") {
    it.focus.folder = files[0]?.folder ?? it.focus.folder
  }
  if (files.length === 0) return nothing(it, query)
  const total = isCut
    ? say(it, `More than ${files.length} files`, `Mehr als ${files.length} Dateien`)
    : filesCounted(it, files.length, query.or.length > 0 ? null : query)
  const near = isGuess ? say(it, " (with nearly these words)", " (mit ähnlichen Wörtern)") : ""
  return {
    text: `${sharerNote(it, query, files)}${say(it, "I found", "Gefunden:")} ${total}${near}:\n${listing(it, files)}`,
    links: files.slice(0, filesListed).map(fileLink)
  }
}

/** What was counted, where the words say more than "do I have". */
const countedAs = (it: PlanContext, { said }: FileQuery): string => {
  const rest = said.replace(
    /^(?:files?|dateien) ?|\s*\b(?:do (?:i|we) (?:still )?have|have (?:i|we)(?: got)?|are (?:there|here)|there are|habe? ich|haben wir|gibt es|gibts|gibt's|sind (?:da|es))\b.*$/gi,
    ""
  ).trim()
  return rest === "" ? "" : say(it, ` for ${quoted(rest)}`, ` zu ${quoted(rest)}`)
}

function* count(it: PlanContext, query: FileQuery): Plan<PlanReply> {
  const { files, isCut } = yield* findFiles(it, query)
  mentionFiles(it.focus, files)
  showFiles(it.focus, files, 0)
  if (query.isTrashed) it.focus.latest = "trash"
  const total = files.reduce((sum, { fileSize }) => sum + fileSize, 0)
  const more = isCut ? say(it, "more than ", "mehr als ") : ""
  return {
    text: say(
      it,
      `There ${files.length === 1 ? "is" : "are"} ${more}${filesCounted(it, files.length, query)} (${
        bytes(it, total)
      })${countedAs(it, query)}.`,
      `Es ${files.length === 1 ? "ist" : "sind"} ${more}${filesCounted(it, files.length, query)} (${bytes(it, total)})${
        countedAs(it, query)
      }.`
    )
  }
}

function* locate(it: PlanContext, query: FileQuery): Plan<PlanReply> {
  const { files } = yield* findFiles(it, query)
  mentionFiles(it.focus, files)
  showFiles(it.focus, files, filesListed)
  if (files.length === 0) return nothing(it, query)
  return {
    text: files.slice(0, filesListed).map(({ fileName, folder }) =>
      folder === null
        ? say(
          it,
          `${quoted(fileName)} is at the top of the drive (/).`,
          `${quoted(fileName)} liegt ganz oben im Drive (/).`
        )
        : say(it, `${quoted(fileName)} is in ${folder.path}.`, `${quoted(fileName)} liegt in ${folder.path}.`)
    ).join("\n"),
    links: files.slice(0, filesListed).map(fileLink)
  }
}

export const Finding: Family = {
  name: "finding",
  examples: {
    en: [
      "find the photos of Lisbon",
      "show me all videos from last week",
      "how many songs over 120 bpm are there?",
      "where is report.pdf?",
      "do I have any invoices from March?",
      "what is in the folder Client Work?",
      "what's in the trash?",
      "the five largest files",
      "how long is demo.wav?"
    ],
    de: [
      "finde alle Fotos von Lissabon",
      "zeig mir die Videos von letzter Woche",
      "wie viele Songs über 120 bpm gibt es?",
      "wo ist vertrag.pdf?",
      "welche Rechnungen habe ich?",
      "was ist im Ordner Kunden?"
    ]
  },
  intents: [
    {
      name: "find files",
      forms: [
        "@find <files>",
        "(which|welche) (of|von) <files>",
        "(do|does|can|have) (i|we) [still] @has [still] <files> [(somewhere|left)]",
        "@has (i|we) [got] <files>",
        "(is|are) there <files>",
        "(what|which) <files> (do|have|are) (i|we|there) [have|got]",
        "(what|which) <files> @is <files:more>",
        "gibt es <files>",
        "(welche|welches|welchen|was fur) <files> (habe|haben|hab|sind|gibt) (ich|wir|es)",
        "<files> (anzeigen|auflisten|finden|suchen|zeigen|raussuchen|heraussuchen)",
        "@find <files> nicht [mehr]",
        "(did|have|do) (i|we) [ever|already] (upload|uploaded|save|saved|have|keep|store) <files>",
        "(what|which) <files> (did|have) (i|we) (upload|uploaded|add|added|take|took|save|saved|make|made) <files:more>",
        "@find <files> (nach|nach allem) <files:more>",
        "@find (where|wo) <files> @is",
        "@find [@me] [a|the] list of <files>",
        "(what|was|which files|welche dateien) (did|have|habe|hab|haben) (i|we|ich|wir) (upload|uploaded|add|added|save|saved|import|imported|record|recorded|receive|get) <files>"
      ],
      judge: (slots) => {
        const query = slots.get("files")
        if (saysNothing(query) || /^(?:wie ?viele?|how many)\b/i.test(query?.said ?? "")) return null
        return slots.get("files", "more") === undefined ? 0 : 0.1
      },
      plan: (slots, it) => {
        const [query, more] = [slots.get("files")!, slots.get("files", "more")]
        return find(
          it,
          more === undefined ? query : {
            ...query,
            ...Object.fromEntries(
              Object.entries(more).filter(([key, value]) =>
                !["number", "said", "types", "extensions"].includes(key) && value !== null && value !== false &&
                !(Array.isArray(value) && value.length === 0)
              )
            ),
            said: `${query.said} ${more.said}`
          }
        )
      }
    },
    {
      name: "files without a verb",
      forms: ["<files>"],
      judge: (slots) => {
        const query = slots.get("files")!
        const isPlain = query.types.length + query.extensions.length + query.names.length > 0 ||
          query.number !== "unknown" ||
          !isWholeDrive({ ...query, words: [] })
        return isPlain && !isWholeDrive(query) && query.refer === null && query.words.length <= 3 ? 0.9 : null
      },
      plan: (slots, it) => find(it, slots.get("files")!)
    },
    {
      name: "count two kinds of files",
      forms: [
        "@howmany <files> (and|und) @howmany <files:second> [@that|@havewe]",
        "(count|zahl|zahle) <files> (and|und) <files:second>"
      ],
      judge: () => 2,
      *plan(slots, it) {
        const [first, second] = [yield* count(it, slots.get("files")!), yield* count(it, slots.get("files", "second")!)]
        return { text: `${first.text}\n${second.text}` }
      }
    },
    {
      name: "find files by their tag",
      forms: [
        "(what|which|was|welche) [files|photos|videos|documents|tracks|dateien|fotos] (did|have|habe|hab|haben) (i|we|ich|wir) (tag|tagged|label|labelled|labeled|mark|marked|flag|flagged) (with|as) <tags>",
        "(was|welche) [dateien|fotos|videos|dokumente] (habe|hab|haben) (ich|wir) (mit|als) <tags> (getaggt|markiert|verschlagwortet|gekennzeichnet)",
        "(what|which|was|welche) [files|photos|dateien|fotos] (carries|carry|bears|has|have|hat|haben|tragt|tragen) #tag <tags>",
        "@find [@all] [files|dateien|everything|alles] (with|mit) #tag <tags>"
      ],
      judge: () => 1.5,
      plan: (slots, it) => {
        const tags = slots.get("tags")!
        return find(it, { ...anyFile, tags, number: "many", said: tags.join(", ") })
      }
    },
    {
      name: "find what came",
      forms: [
        "(what|which files|was|welche dateien) [@is|has|hat|have] [been] (came in|came|arrived|got added|was added|were added|was uploaded|were uploaded|kam|kamen|kam rein|dazugekommen|reingekommen|hinzugekommen|neu|new|hochgeladen worden|been added|come in) <files>",
        "(was|welche dateien) (ist|sind|wurde|wurden) <files> (dazugekommen|hochgeladen|reingekommen|hinzugekommen|angekommen|gekommen) [worden]",
        "@find (what|was) [was|is|has been] (new|neu|added|uploaded|arrived) <files>"
      ],
      // Nothing but a time: "what came in this week".
      judge: (slots) => {
        const query = slots.get("files")!
        const time = query.dated ?? query.uploaded
        return time !== null && isWholeDrive({ ...query, dated: null, uploaded: null, number: "many" }) ? 2.5 : null
      },
      plan: (slots, it) => {
        const query = slots.get("files")!
        return find(it, { ...query, dated: null, uploaded: query.uploaded ?? query.dated, number: "many" })
      }
    },
    {
      name: "shared with me",
      forms: [
        "(what|which|was|welche) [files|things|stuff|dateien] (have|has|did|do|haben|hat) (other people|others|people|anyone|anybody|somebody|someone|everyone|they|you|colleagues|friends|andere|leute|jemand|die anderen|kollegen) [all|already|alles|schon] (share|shared|sent|given|geteilt|share with|give) [with|to] [@me] [mit mir|mit uns]",
        "(what|which|was|welche) [files|things|stuff|dateien] (is|was|were|are|has been|have been|gets|wurde|wurden|ist|sind) [@all] (shared|geteilt|freigegeben) [with] [@me]",
        "(what|which|was|welche) [dateien|files] (haben|hat|wurde|wurden|ist|sind) [andere|andere leute|leute|jemand] mit (mir|uns) geteilt [worden]",
        "(was|welche) [dateien] (wurde|wurden|ist|sind) (fur mich|fur uns) freigegeben [worden]",
        "(is|are|gibt es|ist) [there] (anything|something|any files|etwas|irgendwas|dateien) (shared|mit) [with] [@me] [mir geteilt|geteilt]",
        "(has|have|did|hat|haben) (anyone|anybody|someone|somebody|people|others|jemand|andere) (shared|share|etwas mit mir|dateien mit mir) [anything|something|files] [with @me] [geteilt]",
        "@find (what|everything|all|files|anything|was|alles|dateien) (people|others|other people|someone|everybody|andere|leute) [have|has|haben] (shared|share) with @me",
        "@find (files|things|stuff|everything|dateien|alles) (shared|geteilt|freigegeben) with @me",
        "@find (was|alles was|dateien die) [andere|leute] mit (mir|uns) geteilt [haben|wurde|ist|wurden]"
      ],
      judge: () => 2,
      plan: (_, it) =>
        find(it, { ...anyFile, isShared: "withMe", number: "many", said: say(it, "shared with me", "mit mir geteilt") })
    },
    {
      name: "list what is in trash",
      forms: [
        "(what|whats|was|which files|welche dateien|anything|something|etwas) [@is|liegt|steckt|liegen|stecken|befindet sich] [still|all|alles|noch] (in|inside|im|in der) #trash",
        "@find #trash",
        "(what|which files|was) (do|have|can|habe|haben|hab) (i|you|we|ich|wir|du) [have|got|see|still have|noch] (in|inside|im) #trash",
        "@find (what|was) @is [still|all|alles] (in|im) #trash",
        "@find (content|contents|files|everything|inhalt|dateien|alles|was) (of|in|from|von|vom|im|des) #trash [liegt|ist|steckt]",
        "(look|have a look|schau|guck) (in|into|inside|im) #trash [nach]",
        "@is [there] (anything|something|any files|stuff|etwas|irgendwas|noch etwas|noch was|was) [left] (in|im) #trash",
        "(what|which files|was|welche dateien) (did|have|has|habe|hab|haben) (i|we|ich|wir) [recently|lately|alles|zuletzt] (delete|deleted|trash|trashed|remove|removed|geloscht|throw away|thrown away|weggeworfen)",
        "@is #trash (empty|full|leer|voll)",
        "liegt [noch] (etwas|was) im #trash",
        "@howmany [files|things|dateien|items] (are|is|there|liegen|sind) [in|there in|im] #trash",
        "@howmany [files|things|dateien|items] (are|is|liegen|sind) (in|im) #trash"
      ],
      judge: () => 2,
      *plan(_, it) {
        const said = yield* find(it, {
          ...anyFile,
          isTrashed: true,
          number: "many",
          said: say(it, "trash", "Papierkorb")
        })
        it.focus.latest = "trash"
        return (said.links ?? []).length > 0
          ? said
          : { text: say(it, "The trash is empty.", "Der Papierkorb ist leer.") }
      }
    },
    {
      name: "count files",
      forms: [
        "@howmany <files>",
        "@howmany (of|von) <files>",
        "@count <files>",
        "@find @howmany <files>",
        "@know @howmany <files>",
        "(what|was) @is the number of <files>"
      ],
      plan: (slots, it) => count(it, slots.get("files")!)
    },
    {
      name: "locate files",
      forms: [
        "@where <files>",
        "@find @where <files>",
        "(where|wo) (did|have|has) (i|we) (put|save|saved|store|stored) <files>",
        "@where <files> [gespeichert|abgelegt|stored|saved]",
        "@know @where <files> @is",
        "(which|what|welchem) #folder @is <files> [in]",
        "in welchem ordner (ist|sind|liegt|liegen) <files>"
      ],
      judge: (slots) => saysNothing(slots.get("files")) ? null : 0.5,
      plan: (slots, it) => locate(it, slots.get("files")!)
    },
    describeFiles,
    {
      name: "show a folder",
      forms: [
        "(what|was|whats) @is [@all] @in <folder>",
        "[@find] (what|was) @is @in <folder>",
        "@find (contents|content|inhalt|everything|files|alles|dateien) (of|in|from|von|vom|im|aus) <folder>",
        "@find #folder <folder>",
        "(open|offne|mach) #folder <folder> [auf]",
        "(open|offne|mach) <folder> #folder [auf]",
        "@find <folder> #folder",
        "(what|was) (liegt|befindet sich|steckt) @in <folder>",
        "(what|which) (files|dateien) @is @in <folder>",
        "(look|schau) @in <folder>"
      ],
      judge: () => 0.3,
      *plan(slots, it) {
        const folder = yield* theFolder(it, slots.get("folder")!.said)
        const said = yield* find(it, { ...anyFile, folder: folder.path, said: folder.path })
        mention(it.focus, "folder", folder)
        it.focus.latest = "files"
        return said
      }
    }
  ]
}
