/** What can be waited for: "somebody sends files to the request", "Grace opens report.pdf", "files land in /Inbox". */
import { collections, foldersCalled, targetPath } from "../drive/Collections.ts"
import { requests, theRequest } from "../drive/Requests.ts"
import { theReview } from "../drive/Reviews.ts"
import { chooseFiles } from "../files/chooseFiles.ts"
import { mentionFiles } from "../Focus.ts"
import { plainName } from "../grammar/Spelling.ts"
import type { Plan, PlanReply } from "../Plan.ts"
import { type PlanContext, say } from "../PlanContext.ts"
import { quoted } from "../Speech.ts"
import { byWhom, until } from "./Awaiting.ts"
import type { Intent } from "./Intent.ts"
import { jobEvents } from "./JobEvents.ts"
import { toldEvent } from "./ToldEvent.ts"

const someone = "(@someone|<people:who>)"

/** What people do at a request. */
const sends =
  "(@send|handed|hands|hand|turned|turns|turn|sent|sends|puts|put|submitted|submits|drops|dropped|uploaded|uploads|delivered|delivers|geschickt)"

const untilFilesIn = (it: PlanContext, path: string): Plan<PlanReply> =>
  until(it, { kind: "folder_files", folder: path, text: say(it, `files in ${path}`, `Dateien in ${path}`) })

/** Names that say nothing about which request. */
const noName = /^(?:me|us|it|them|my|the|a|an|request|anfrage|somebody|someone|they|people|drive|my drive|mir|uns)$/i

export const events: ReadonlyArray<Intent> = [
  {
    name: "files at a request",
    forms: [
      `${someone} (@send|has sent|have sent|hat) [@something|<name:what>] (to|for|at|through|via|an|bei|fur|zu|in) #request [@called] <name>`,
      `${someone} (@send|has sent|have sent) [@something|<name:what>] (to|for|at|through|via|an|bei|fur) <name> #request`,
      `${someone} (@send|has sent|have sent) [@something|<name:what>] [(to|for|at|through|an|bei|zu) (#request|it|me|us|mich|mir)]`,
      `${someone} [@something|<name:what>] (to|for|an|bei|fur|zu|in|uber) #request [@called] <name> @send [@is|hat]`,
      `${someone} [mir|uns] @something @send [hat|haben]`,
      `${someone} @something (an|fur|bei|zu|in) <name> @send [hat|haben]`,
      `${someone} [has|have|had] ${sends} [@something|<name:what>] [in|off|over|up] (to|for|at|through|via|in|into) #request [@called] <name>`,
      `${someone} [has|have|had] ${sends} [@something|<name:what>] [in|off|over|up] (to|for|at|through|via|in|into) <name> [#request]`,
      `${someone} [has|have|had] ${sends} [@something|<name:what>] [in|off|over|up]`,
      `${someone} [@something|<name:what>] (an|fur|bei|zu|in|uber|durch) [die|der] [#request] [@called] <name> @send [hat|haben]`,
      `${someone} (bei|an|fur|zu|uber) [die|der] [#request] [@called] <name> [@something|<name:what>] @send [hat|haben]`,
      `${someone} (bei|an|fur|zu|uber) [die|der] [#request] [@called] <name> [@something|<name:what>] (hochladt|abgibt|einreicht|schickt|sendet|reinstellt|einwirft)`,
      `(@something|<name:what>) [new|neues] (@arrive|turns up|shows up|is handed in|is submitted|has been sent|has arrived|has come in|@is sent|was sent|@send|@is submitted|@is handed in) (to|for|at|through|in|via|bei|an|fur) <name>`,
      `(bei|an|fur|uber|zu) [die|der] [#request] [@called] <name> (@something|<name:what>) (@arrive|eingeht|eingegangen ist|reinkommt|ankommt|angekommen ist|kommt|abgegeben wird|hochgeladen wird|da ist|da sind)`,
      `(@something|<name:what>) (@arrive|@is sent|was sent|@send) (to|for|at|through|in|via|an|bei|fur) #request [@called] <name>`,
      `(@something|<name:what>) (@arrive|@is sent|@send) (to|for|at|through|in|via|an|bei|fur) <name> #request`,
      `(@something|<name:what>) (@arrive|@is sent|@send) [(to|for|at|through|in) (#request|it)]`,
      `@something (bei|an|fur|in) #request [@called] <name> (@arrive|@is)`,
      "#request [@called] <name> (gets|receives|has|got|bekommt|erhalt|has received) @something",
      "<name> #request (gets|receives|has|got|has received) @something",
      "#delivery (to|at|for|fur|an|bei) #request <name>",
      "#delivery (to|at|for|fur|an) <name> #request",
      "@something (at|to|for|from|fur) #request <name>",
      "@something (at|to|for) <name> #request",
      "the [first|next] #delivery [@arrive]",
      "<people:who> (files|photos|pictures|tracks|stems|documents|videos|songs|dateien|fotos)",
      "<people:who> 's (files|photos|pictures|tracks|stems|documents|videos|songs|homework|essay|uploads|dateien|fotos) (@arrive|have arrived|has arrived|are in|is in|are there|is there)",
      "(files|photos|pictures|tracks|stems|documents|videos|dateien|fotos) (from|by|von) <people:who>",
      "<name:what> (from|by|von) <people:who>"
    ],
    judge: (slots) => {
      const what = slots.get("name", "what")
      if (slots.get("name")?.startsWith("/") === true) return null
      if (/\b(?:folder|ordner|review|playlist|gallery)\b/i.test(slots.get("name") ?? "")) return null
      return what !== undefined && /\b(?:note|comment|notiz|kommentar|folder|ordner|zip|image|import)\b|\//i.test(what)
        ? null
        : 0
    },
    *plan(slots, it) {
      const given = slots.get("name")
      const name = given === undefined || noName.test(given) ? null : given
      const words = [slots.get("name", "what"), ...slots.get("people", "who") ?? []].filter((word) =>
        word !== undefined && !noName.test(word)
      )
      const all = yield* requests(it)
      const open = all.filter((request) => request.open)
      const fitting = name === null && open.length > 1
        ? open.filter(({ title }) =>
          words.some((word) =>
            title.toLowerCase().includes(word!.toLowerCase().replace(/^(?:the|their|his|her)\s+/, ""))
          )
        )
        : []
      const isKnown = name === null || all.some(({ title }) => plainName(title).includes(plainName(name)))
      const folder = isKnown || fitting.length === 1 ? undefined : foldersCalled(yield* collections(it), name, false)[0]
      if (folder !== undefined) return yield* untilFilesIn(it, folder.path)
      const who = slots.get("people", "who")
      const from = byWhom(it, who)
      const isAny = name === null && fitting.length !== 1 && all.length > 0 &&
        !all.some(({ id }) => id === it.focus.request?.id)
      if (isAny) {
        const text = say(it, `files${from} at any of your requests`, `Dateien${from} für irgendeine Anfrage`)
        return yield* until(it, { kind: "request_files", text }, who)
      }
      const request = fitting.length === 1 ? fitting[0]! : yield* theRequest(it, name)
      it.focus.request = { id: request.id, name: request.title }
      return yield* until(
        it,
        {
          kind: "request_files",
          id: request.id,
          text: say(it, `files${from} at ${quoted(request.title)}`, `Dateien${from} für ${quoted(request.title)}`)
        },
        who
      )
    }
  },
  {
    name: "a note on a review",
    forms: [
      `${someone} (@leave|has left|writes|adds|posts|makes|left|macht|schreibt|hinterlasst) #note (on|to|for|about|zu|auf) <files> [@leave]`,
      `${someone} (@leave|has left|writes|adds|posts|makes|left) #note`,
      `${someone} #note (zu|auf|fur) <files> (@leave|macht|schreibt|hinterlasst)`,
      `${someone} (comments|comment|replies|reply|answers|kommentiert|antwortet|responds) [on|to|about|zu] <files>`,
      `${someone} (comments|replies|answers|kommentiert|antwortet|responds)`,
      `${someone} <files> kommentiert`,
      "[@there|i get|we get] [@is|there is|there are|are|gibt es] [@new] #note (on|for|about|zu|fur|@arrive on) <files> [@arrive|gibt|da]",
      "[@new] #note (@arrive|@is @left|is left|are left|@arrive in) (on|for|zu) <files>",
      "[@there|i get|we get] [@is|there is|there are] [@new] #note [@arrive] [on it]",
      "<files> (gets|receives|has|bekommt|erhalt) [@new] #note",
      "(a reply|an answer|eine antwort) (to|on|auf|zu) <files>",
      "#note (on|for|zu) <files>",
      `${someone} [has|have] [@something|a note|a comment|feedback|etwas|was|eine notiz] (zu|on|about|to|under|unter|uber|bei) <files> (@leave|says|writes|sagt|schreibt|anmerkt|kommentiert|schreiben|geschrieben) [hat|haben]`,
      `${someone} [has|have] (@leave|says|writes|said|written|commented|schreibt|sagt) [@something] [@new] [#note] (zu|on|about|to|under|unter|uber|bei) <files>`,
      `${someone} [has|have] (reviewed|annotated|commented on|replied to|answered|looked over) <files>`,
      "es [@new] #note (zu|fur|on|bei) <files> (gibt|gab)",
      "(zu|bei|fur) <files> [@new|eine|neue] #note (@arrive|gibt|da ist|eingeht|kommt|hinterlassen wird|gemacht wird)",
      "[@new] #note (zu|fur|on|bei) <files> (@arrive|da ist|eingeht|eingehen|da sind)"
    ],
    judge: () => 0.4,
    *plan(slots, it) {
      const review = yield* theReview(it, slots.get("files") ?? null)
      const who = slots.get("people", "who")
      const [from, name] = [byWhom(it, who), quoted(review.file.fileName)]
      return yield* until(
        it,
        { kind: "review_note", id: review.id, text: say(it, `notes${from} on ${name}`, `Notizen${from} zu ${name}`) },
        who
      )
    }
  },
  {
    name: "an opening of a file",
    forms: [
      `${someone} (@open|opens|has opened|views|watches|looks at|reads|sees|downloads|listens to|visits|plays) <files>`,
      `${someone} <files> (@open|offnet|ansieht|anschaut|geoffnet hat|aufmacht|sieht)`,
      "<files> (@is opened|is opened|is viewed|gets opened|gets viewed|gets seen|is seen|is watched|is downloaded|is read|has been opened|has been viewed|geoffnet wird|angesehen wird|gelesen wird|was opened)",
      "(an|a) (opening|view) of <files>",
      `${someone} (has|have|had) (@open|seen|read|watched) <files>`,
      `${someone} <files> (@open|gesehen|gelesen|angesehen|angeschaut) [hat|haben]`,
      `${someone} [sich] <files> (@open|ansieht|anschaut|anguckt|anhort) [hat]`,
      "<files> (has been|was|is|wurde|wird) (@open|seen|read|watched|geoffnet|angesehen|gelesen) [worden|wurde|wird|ist]"
    ],
    judge: (slots) => slots.get("files")!.said === "" ? null : 0.3,
    *plan(slots, it) {
      const [file] = yield* chooseFiles(it, slots.get("files")!, { one: true })
      mentionFiles(it.focus, [file!])
      const who = slots.get("people", "who")
      const [from, name] = [byWhom(it, who), quoted(file!.fileName)]
      return yield* until(
        it,
        {
          kind: "file_opened",
          id: file!.id,
          text: from.startsWith(" (") || from === ""
            ? say(it, `somebody opening ${name}`, `das Öffnen von ${name}`)
            : say(it, `${who!.join(", ")} opening ${name}`, `das Öffnen von ${name} durch ${who!.join(", ")}`)
        },
        who
      )
    }
  },
  {
    name: "files in a folder",
    forms: [
      "(@something|<name:what>) (@arrive|@moved|is put|are put|appears|land|lands|is uploaded|are uploaded|gets uploaded|goes|go|show up|shows up|gets added|is added|are added|get added|is saved) (in|into|to|inside|at) [@new] <folder>",
      "(@something|<name:what>) (in|im) <folder> (@arrive|landet|landen|ankommt|liegt|auftaucht|hochgeladen wird|abgelegt wird|kommt)",
      `${someone} (puts|adds|uploads|drops|saves|moves|put|add|upload|drop|legt|ladt|stellt) (@something|<name:what>) (in|into|to|on) <folder> [ab|hoch|rein]`,
      `${someone} (@something|<name:what>) (in|nach) <folder> (legt|ladt|hochladt|verschiebt|stellt|ablegt)`,
      "[@there] [@is|there is|there are|are|gibt es] (@something|<name:what>) (in|inside|im) <folder> [gibt|liegt|ist]",
      "<folder> (gets|receives|has|contains|bekommt|erhalt) (@something|<name:what>)",
      "#folder <folder> (gets|receives|has|bekommt|erhalt|changes) [@something|<name:what>]",
      "(@something|<name:what>) (in|im|inside) <folder>",
      "<folder> for (@something|<name:what>)",
      "(in|im|nach) <folder> (@something|<name:what>) (@arrive|landet|landen|ankommt|liegt|auftaucht|hochgeladen wird|abgelegt wird|kommt|gelandet ist|angekommen ist|erscheint|ist)",
      `${someone} (in|im|nach) <folder> (@something|<name:what>) (ablegt|hochladt|legt|reinlegt|hinzufugt|ladt|tut)`,
      "#folder <folder> (and|und) @notify [me|mir] (when|if|as soon as|about|of|once|wenn|sobald|uber) [@new] (@something|<name:what>) [@arrive|shows up|turns up|kommt|da ist]",
      "<folder> (and|und) @notify [me|mir] (when|if|as soon as|about|of|once|wenn|sobald|uber) [@new] (@something|<name:what>) [@arrive|shows up|turns up|kommt|da ist]",
      "[@something] [new|neues] (@arrive|happens|lands|appears) (in|into|to|inside) <folder>",
      "#folder <folder>"
    ],
    judge: (slots) => {
      const what = slots.get("name", "what")
      return what !== undefined &&
          !/\b(?:files?|photos?|images?|pictures?|videos?|tracks?|songs?|documents?|pdfs?|recordings?|mix|mixes|takes?|invoices?|receipts?|dateien|fotos|bilder|rechnungen?|scans?|uploads?|stems?|drafts?|footage|material|homework|more|anything|reports?|contracts?|plans?|drawings?|clips?|new)\b/i
            .test(what)
        ? -0.6
        : 0.2
    },
    *plan(slots, it) {
      const { isNew, said } = slots.get("folder")!
      const known = yield* collections(it)
      const path = foldersCalled(known, said).length === 0
        ? yield* targetPath(it, said, true)
        : yield* targetPath(it, said, isNew)
      return yield* untilFilesIn(it, path)
    }
  },
  toldEvent,
  ...jobEvents
]
