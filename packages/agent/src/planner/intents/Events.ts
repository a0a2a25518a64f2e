/** What can be waited for: "somebody sends files to the request", "Grace opens report.pdf", "files land in /Inbox". */
import { theArchive } from "../drive/Archives.ts"
import { collections, foldersCalled, targetPath } from "../drive/Collections.ts"
import type { FileRecord } from "../drive/Records.ts"
import { requests, theRequest } from "../drive/Requests.ts"
import { theReview } from "../drive/Reviews.ts"
import { type WaitFor, waitFor, type Woken, type WokenEvent } from "../drive/Waits.ts"
import { chooseFiles } from "../files/chooseFiles.ts"
import { mentionFiles } from "../Focus.ts"
import { type Plan, type Said, Stopped, ToolFailed } from "../Plan.ts"
import { callEach, say, type Situation } from "../Situation.ts"
import { enumerate, quoted, theFiles } from "../Speech.ts"
import { archiveDone } from "./Archives.ts"
import { generationDone } from "./Images.ts"
import { importDone } from "./Imports.ts"
import type { Intent } from "./Intent.ts"

const reasons: Readonly<Record<string, readonly [en: string, de: string]>> = {
  closed: ["it was closed", "es wurde geschlossen"],
  expired: ["it has ended", "es ist abgelaufen"],
  deleted: ["it was deleted", "es wurde gelöscht"],
  time: ["30 days have passed", "30 Tage sind vergangen"],
  timeout: ["30 days have passed", "30 Tage sind vergangen"]
}

const viewerOf = (it: Situation, { viewer }: WokenEvent): string =>
  viewer === null || viewer === undefined ? say(it, "Somebody", "Jemand") : viewer.displayName ?? viewer.handle ?? "?"

/** What happened, in a sentence. Texts of others are quoted. */
const happened = (it: Situation, wait: WaitFor, event: WokenEvent): string => {
  const files = event.files ?? (event.file === undefined ? [] : [event.file])
  const names = enumerate(it, files.map(({ fileName }) => fileName))
  switch (wait.kind) {
    case "request_files": {
      const note = event.note === null || event.note === undefined ? "" : ` (${quoted(event.note)})`
      return say(
        it,
        `${event.sender?.name ?? "Somebody"} sent ${names}${note}.`,
        `${event.sender?.name ?? "Jemand"} hat ${names} geschickt${note}.`
      )
    }
    case "review_note":
      return say(
        it,
        `${event.reviewer?.name ?? "Somebody"} left a note: ${quoted(event.text ?? "")}.`,
        `${event.reviewer?.name ?? "Jemand"} hat eine Notiz hinterlassen: ${quoted(event.text ?? "")}.`
      )
    case "file_opened":
      return say(
        it,
        `${viewerOf(it, event)} opened ${names === "" ? wait.text : quoted(names)}.`,
        `${viewerOf(it, event)} hat ${names === "" ? wait.text : quoted(names)} geöffnet.`
      )
    case "folder_files":
      return say(it, `${names} landed in ${wait.folder ?? ""}.`, `${names} ist in ${wait.folder ?? ""} angekommen.`)
    default:
      return ""
  }
}

/** Waits, and mentions what came of it. */
function* until(it: Situation, wait: WaitFor): Plan<Said> {
  const { failure, result } = yield* waitFor(it, wait)
  if (failure !== undefined) throw new ToolFailed("wait_for", failure)
  const { event, reason } = result as Woken
  const isOver = reasons[reason] !== undefined && event === null
  if (isOver) {
    const [en, de] = reasons[reason]!
    throw new Stopped({
      text: say(it, `I stopped waiting for ${wait.text}: ${en}.`, `Ich warte nicht mehr auf ${wait.text}: ${de}.`)
    })
  }
  if (wait.kind === "image") return yield* generationDone(it, wait.id!)
  if (wait.kind === "import") return yield* importDone(it, wait.id!)
  if (wait.kind === "archive") return yield* archiveDone(it, wait.id!)
  if (wait.kind === "review_note") it.focus.note = { id: event?.noteId ?? event?.id ?? "", name: event?.text ?? "" }
  const files = event?.files ?? (event?.file === undefined ? [] : [event.file])
  if (files.length > 0 && it.tools.has("generate_download_url")) {
    const made = yield* callEach(it, "generate_download_url", files.slice(0, 100).map(({ id }) => ({ id })))
    mentionFiles(it.focus, made.flatMap(({ failure, result }) => failure === undefined ? [result as FileRecord] : []))
  }
  return { text: happened(it, wait, event ?? {}) }
}

const someone = "(@someone|<people:who>)"

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
      "(files|photos|pictures|tracks|stems|documents|videos|dateien|fotos) (from|by|von) <people:who>",
      "<name:what> (from|by|von) <people:who>"
    ],
    judge: (slots) => {
      const what = slots.get("name", "what")
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
      const request = fitting.length === 1 ? fitting[0]! : yield* theRequest(it, name)
      it.focus.request = { id: request.id, name: request.title }
      return yield* until(it, {
        kind: "request_files",
        id: request.id,
        text: say(it, `files at ${quoted(request.title)}`, `Dateien für ${quoted(request.title)}`)
      })
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
      "#note (on|for|zu) <files>"
    ],
    judge: () => 0.4,
    *plan(slots, it) {
      const review = yield* theReview(it, slots.get("files") ?? null)
      return yield* until(it, {
        kind: "review_note",
        id: review.id,
        text: say(it, `notes on ${quoted(review.file.fileName)}`, `Notizen zu ${quoted(review.file.fileName)}`)
      })
    }
  },
  {
    name: "an opening of a file",
    forms: [
      `${someone} (@open|opens|has opened|views|watches|looks at|reads|sees|downloads|listens to|visits|plays) <files>`,
      `${someone} <files> (@open|offnet|ansieht|anschaut|geoffnet hat|aufmacht|sieht)`,
      "<files> (@is opened|is opened|is viewed|gets opened|gets viewed|gets seen|is seen|is watched|is downloaded|is read|has been opened|has been viewed|geoffnet wird|angesehen wird|gelesen wird|was opened)",
      "(an|a) (opening|view) of <files>"
    ],
    judge: (slots) => slots.get("files")!.said === "" ? null : 0.3,
    *plan(slots, it) {
      const [file] = yield* chooseFiles(it, slots.get("files")!, { one: true })
      mentionFiles(it.focus, [file!])
      return yield* until(it, {
        kind: "file_opened",
        id: file!.id,
        text: say(it, `somebody opening ${quoted(file!.fileName)}`, `das Öffnen von ${quoted(file!.fileName)}`)
      })
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
      return yield* until(it, {
        kind: "folder_files",
        folder: path,
        text: say(it, `files in ${path}`, `Dateien in ${path}`)
      })
    }
  },
  {
    name: "an image",
    forms: [
      "[@all] (#image|generation) @is (ready|done|finished|there|fertig|da|generated|made|complete)",
      "(#image|bild) (fertig|da) @is",
      "(#image|generation) (finishes|is through|completes)",
      "(it|es) @is (ready|done|finished|fertig|complete)",
      "(es|das) fertig ist",
      "(that|this) @is (ready|done|finished)"
    ],
    judge: () => 0.5,
    *plan(_, it) {
      const { archive, image, latest } = it.focus
      if (latest === "archive" && archive !== null) {
        return yield* until(it, { kind: "archive", id: archive.id, text: quoted(archive.name) })
      }
      if (latest === "import" && it.focus.import !== null) {
        return yield* until(it, { kind: "import", id: it.focus.import.id, text: it.focus.import.name })
      }
      if (image === null) {
        return {
          text: it.focus.files.length === 0
            ? say(it, "Nothing is under way in this conversation.", "In diesem Gespräch läuft gerade nichts.")
            : say(it, `${theFiles(it, it.focus.files)} is ready.`, `${theFiles(it, it.focus.files)} ist fertig.`)
        }
      }
      return yield* until(it, {
        kind: "image",
        id: image.id,
        text: say(it, `the image ${quoted(image.name)}`, `das Bild ${quoted(image.name)}`)
      })
    }
  },
  {
    name: "an import",
    forms: [
      "#import @is (ready|done|finished|complete|through|there|fertig|da)",
      "#import (finishes|completes|is through)",
      "#import (fertig|da|durch) @is",
      "#import"
    ],
    judge: () => 0.4,
    *plan(_, it) {
      const { import: known } = it.focus
      if (known === null) {
        throw new Stopped({
          text: say(it, "Nothing is being imported in this conversation.", "In diesem Gespräch wird nichts importiert.")
        })
      }
      return yield* until(it, { kind: "import", id: known.id, text: known.name })
    }
  },
  {
    name: "an archive",
    forms: [
      "#archive [@called] [<name>] @is (ready|done|finished|complete|built|there|fertig|da)",
      "<name> #archive @is (ready|done|finished|complete|built)",
      "#archive (finishes|completes)",
      "#archive (fertig|da) @is",
      "#archive"
    ],
    judge: () => 0.5,
    *plan(slots, it) {
      const one = yield* theArchive(it, slots.get("name") ?? null)
      return yield* until(it, { kind: "archive", id: one.id, text: quoted(one.title) })
    }
  }
]
