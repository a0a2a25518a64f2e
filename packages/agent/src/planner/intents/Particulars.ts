/** What is said of a request or a review behind the sentence that makes it: "They should end up in /Wedding. No more than 200 MB." */
import { targetPath } from "../drive/Collections.ts"
import { requestLink, theRequest } from "../drive/Requests.ts"
import { reviews } from "../drive/Reviews.ts"
import { anyFile } from "../files/FileQuery.ts"
import type { Plan, PlanReply } from "../Plan.ts"
import { call, type PlanContext, say } from "../PlanContext.ts"
import { isEmptyOf, type RequestOptions } from "../RequestOptions.ts"
import type { Slots } from "../Slots.ts"
import { lastDay, quoted, reviewLink } from "../Speech.ts"
import { move } from "./Folders.ts"
import { helpText } from "./helpText.ts"
import type { Intent } from "./Intent.ts"

/** A clause of a message, as far as it matters here. */
interface Clause {
  readonly kind: string
  readonly parsed: { readonly intent: { readonly name: string }; readonly slots: Slots }
}

/** What was said besides; null for what was not. */
export type Particulars = Omit<RequestOptions, "head"> & { readonly title: string | null }

const nothing: Particulars = {
  title: null,
  folder: null,
  expireTime: null,
  maxBytes: null,
  message: null,
  password: null,
  allowDownload: null
}

const given = (slots: Slots): Particulars => ({
  ...nothing,
  ...slots.get("options"),
  title: slots.get("name") ?? null,
  ...(slots.get("folder") === undefined ? {} : { folder: slots.get("folder")!.said })
})

/** Intents that say more of what was just made, and what they say. */
const readers: Readonly<Record<string, (slots: Slots) => Particulars | null>> = {
  "more of a request or review": given,
  "change when a request ends": (slots) =>
    slots.get("name") === undefined ? { ...nothing, expireTime: slots.get("due")! } : null,
  "limit a request": (slots) => slots.get("name") === undefined ? { ...nothing, maxBytes: slots.get("size")! } : null,
  "rename a file": (slots) =>
    slots.get("files") === undefined || slots.get("files")!.refer === "it"
      ? { ...nothing, title: slots.get("name")! }
      : null
}

interface Following {
  clauses: ReadonlyArray<Clause>
  readonly done: Set<Clause>
}

const following = new WeakMap<PlanContext, Following>()

/** Tells the plan of a clause what follows it in the message. */
export const announce = (it: PlanContext, clauses: ReadonlyArray<Clause>): void => {
  const known = following.get(it) ?? { clauses: [], done: new Set<Clause>() }
  known.clauses = clauses
  following.set(it, known)
}

/** Whether an earlier plan has done what the clause says. */
export const isDone = (it: PlanContext, clause: Clause): boolean => following.get(it)?.done.has(clause) === true

/** What the message says next of what is being made. It counts as done. */
export const particulars = (it: PlanContext, of: "request" | "review"): Particulars => {
  const next = following.get(it)
  const said: Array<readonly [key: string, value: unknown]> = []
  for (const clause of next?.clauses ?? []) {
    if (clause.kind === "remark") continue
    const more = clause.kind === "do" ? readers[clause.parsed.intent.name]?.(clause.parsed.slots) ?? null : null
    // A review has no name of its own, and no folder.
    if (more === null || (of === "review" && (more.title ?? more.folder ?? more.maxBytes) !== null)) break
    said.push(...Object.entries(more).filter(([key, value]) => key in nothing && value !== null))
    next!.done.add(clause)
  }
  return { ...nothing, ...Object.fromEntries(said) }
}

function* change(it: PlanContext, more: Particulars): Plan<PlanReply> {
  const { latest } = it.focus
  const { allowDownload, expireTime, folder, maxBytes, message, password, title } = more
  const shared = {
    ...(expireTime === null ? {} : { expireTime }),
    ...(message === null ? {} : { message }),
    ...(password === null ? {} : { password })
  }
  if (latest === "review") {
    const review = (yield* reviews(it)).find(({ id }) => id === it.focus.review?.id)
    const changes = { ...shared, ...(allowDownload === null ? {} : { allowDownload }) }
    if (review === undefined || Object.keys(changes).length === 0) return helpText(it, [])
    yield* call(it, "update_file_review", { reviewId: review.id, ...changes })
    const name = quoted(review.file.fileName)
    return {
      text: say(it, `Changed the review of ${name}.`, `Review von ${name} geändert.`),
      links: [reviewLink(it, review)]
    }
  }
  if (latest !== "request") {
    // "They should go into /Wedding" of files.
    if (folder === null) return helpText(it, [])
    return yield* move(it, { ...anyFile, refer: "them", number: "many", said: "them" }, { said: folder, isNew: false })
  }
  const request = yield* theRequest(it, null)
  const changes = {
    ...shared,
    ...(maxBytes === null ? {} : { maxBytes }),
    ...(title === null ? {} : { title: title.slice(0, 200) })
  }
  if (Object.keys(changes).length > 0) yield* call(it, "update_file_request", { requestId: request.id, ...changes })
  const path = folder === null ? null : yield* targetPath(it, folder)
  const name = quoted(title ?? request.title)
  const until = expireTime === null
    ? ""
    : say(it, ` It is open until ${lastDay(it, expireTime)}.`, ` Sie ist offen bis ${lastDay(it, expireTime)}.`)
  const not = path === null
    ? ""
    : say(
      it,
      ` Files still land in ${request.folder.path}: where they land is said when a request is made.`,
      ` Dateien landen weiter in ${request.folder.path}: Wohin sie kommen, wird beim Anlegen gesagt.`
    )
  return {
    text: Object.keys(changes).length === 0
      ? not.trim()
      : say(it, `Changed the request ${name}.${until}${not}`, `Anfrage ${name} geändert.${until}${not}`),
    links: [requestLink(it, { ...request, title: title ?? request.title })]
  }
}

const files =
  "(they|these|it|everything|all|files|all files|the files|the uploads|uploads|submissions|what they send|whatever they send|what comes in|whatever comes in|what arrives|sie|es|alles|dateien|die dateien|die uploads|das)"

export const moreOfIt: Intent = {
  name: "more of a request or review",
  forms: [
    "<options>",
    `${files} @should [all|then|please|alle|dann] [be] (end up|land|go|arrive|put|saved|stored|collected|landen|kommen|gehen) @into <folder>`,
    `${files} @should [alle|dann] (in|nach|unter) <folder> (landen|kommen|gehen|gespeichert werden|abgelegt werden|liegen|rein)`,
    "(call|name|title|nenn|nenne) (the request|this request|that request|die anfrage) <name>",
    "(it|the request|sie|die anfrage) @should be @called <name>",
    "(sie|es|die anfrage) @should <name> heissen"
  ],
  judge: (slots) => {
    const options = slots.get("options")
    if (options === undefined) return 1.5
    const count = Object.entries(options).filter(([key, value]) => key !== "head" && value !== null).length
    return count > 0 && isEmptyOf(options) ? 1 + count : null
  },
  plan: (slots, it) => change(it, given(slots))
}
