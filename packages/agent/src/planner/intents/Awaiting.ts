/** Waits for something, and tells what came of it. */
import type { FileRecord } from "../drive/Records.ts"
import { isCalled, isNamedPerson } from "../drive/SenderNames.ts"
import { type WaitFor, waitFor, type Woken, type WokenEvent } from "../drive/Waits.ts"
import { mentionFiles } from "../Focus.ts"
import { type Plan, type PlanReply, Stopped, ToolFailed } from "../Plan.ts"
import { callEach, type PlanContext, say } from "../PlanContext.ts"
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

const viewerOf = (it: PlanContext, { viewer }: WokenEvent): string =>
  viewer === null || viewer === undefined ? say(it, "Somebody", "Jemand") : viewer.displayName ?? viewer.handle ?? "?"

/** What happened, in a sentence. Texts of others are quoted. */
const happened = (it: PlanContext, wait: WaitFor, event: WokenEvent): string => {
  const files = event.files ?? (event.file === undefined ? [] : [event.file])
  const names = enumerate(it, files.map(({ fileName }) => fileName))
  switch (wait.kind) {
    case "request_files": {
      const note = event.note === null || event.note === undefined ? "" : ` (${quoted(event.note)})`
      const at = wait.id === undefined && event.request !== undefined ? quoted(event.request.title) : null
      return say(
        it,
        `${event.sender?.name ?? "Somebody"} sent ${names}${at === null ? "" : ` to ${at}`}${note}.`,
        `${event.sender?.name ?? "Jemand"} hat ${names}${at === null ? "" : ` für ${at}`} geschickt${note}.`
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

/** Others' events after which a wait for one person gives up. */
const mostOthers = 12

/** Whether an event is of one of these people; an opening by a link that nobody signed in for is nobody's. */
const isBy = ({ reviewer, sender, viewer }: WokenEvent, people: ReadonlyArray<string>): boolean => {
  // Nothing says who it was.
  if (sender === undefined && reviewer === undefined && viewer === undefined) return true
  const names = [sender?.name, reviewer?.name, viewer?.handle, viewer?.displayName].filter((name) =>
    name !== undefined && name !== null
  )
  return names.some((name) => people.some((who) => isCalled(name, who)))
}

/** Waits until it happens; of named people only what they do counts, what others do is waited past. */
function* awaited(it: PlanContext, wait: WaitFor, people: ReadonlyArray<string>): Plan<Woken> {
  for (let others = 0;; others++) {
    const { failure, result } = yield* waitFor(it, wait)
    if (failure !== undefined) throw new ToolFailed("wait_for", failure)
    const woken = result as Woken
    if (people.length === 0 || woken.event === null || isBy(woken.event, people)) return woken
    if (others === mostOthers) {
      throw new Stopped({
        text: say(
          it,
          `I stopped waiting for ${wait.text}: only others did that, ${mostOthers + 1} times.`,
          `Ich warte nicht mehr auf ${wait.text}: Das taten nur andere, ${mostOthers + 1}-mal.`
        )
      })
    }
  }
}

/** "Frau Meier ihre Fotos" */
const possessive = /\s+(?:ihre[nrms]?|seine[nrms]?|ihr|sein|his|her|their|the|die|das|den)$/i

/** The people whose acts alone count: those that are called by a name. */
const namedOf = (who: ReadonlyArray<string> | undefined): ReadonlyArray<string> => {
  const people = (who ?? []).map((name) => name.replace(possessive, ""))
  return people.every(isNamedPerson) ? people : []
}

/** "from Grace" where she alone counts, and "from anybody" where somebody is meant whom the drive can't tell apart. */
export const byWhom = (it: PlanContext, who: ReadonlyArray<string> | undefined): string => {
  const people = namedOf(who)
  if (people.length > 0) return say(it, ` from ${enumerate(it, people)}`, ` von ${enumerate(it, people)}`)
  const isOne = (who ?? []).some((name) =>
    /^(?:the|my|our|his|her|their|der|die|das|dem|mein|meine|unser|unsere|sein|seine|ihr|ihre) /i.test(name)
  )
  return isOne ? say(it, " (anybody’s count)", " (von wem auch immer)") : ""
}

/** Waits, and mentions what came of it. Of people who are called by a name only their own acts count. */
export function* until(it: PlanContext, wait: WaitFor, who?: ReadonlyArray<string>): Plan<PlanReply> {
  const { event, reason } = yield* awaited(it, wait, namedOf(who))
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
  const by = event?.viewer?.handle ?? event?.viewer?.displayName ?? event?.sender?.name ?? event?.reviewer?.name
  if (by !== undefined && by !== null) it.focus.people = [by]
  const files = event?.files ?? (event?.file === undefined ? [] : [event.file])
  if (files.length > 0 && it.tools.has("generate_download_url")) {
    const made = yield* callEach(it, "generate_download_url", files.slice(0, 100).map(({ id }) => ({ id })))
    mentionFiles(it.focus, made.flatMap(({ failure, result }) => failure === undefined ? [result as FileRecord] : []))
  }
  return { text: happened(it, wait, event ?? {}) }
}
