/** Waits for something, and tells what came of it. */
import type { FileRecord } from "../drive/Records.ts"
import { type WaitFor, waitFor, type Woken, type WokenEvent } from "../drive/Waits.ts"
import { mentionFiles } from "../Focus.ts"
import { type Plan, type Said, Stopped, ToolFailed } from "../Plan.ts"
import { callEach, say, type Situation } from "../Situation.ts"
import { enumerate, quoted } from "../Speech.ts"
import { archiveDone } from "./Archives.ts"
import { generationDone } from "./Images.ts"
import { importDone } from "./Imports.ts"

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
export function* until(it: Situation, wait: WaitFor): Plan<Said> {
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
  // "share it with her": who did what was waited for.
  const who = event?.viewer?.handle ?? event?.viewer?.displayName ?? event?.sender?.name ?? event?.reviewer?.name
  if (who !== undefined && who !== null) it.focus.people = [who]
  const files = event?.files ?? (event?.file === undefined ? [] : [event.file])
  if (files.length > 0 && it.tools.has("generate_download_url")) {
    const made = yield* callEach(it, "generate_download_url", files.slice(0, 100).map(({ id }) => ({ id })))
    mentionFiles(it.focus, made.flatMap(({ failure, result }) => failure === undefined ? [result as FileRecord] : []))
  }
  return { text: happened(it, wait, event ?? {}) }
}
