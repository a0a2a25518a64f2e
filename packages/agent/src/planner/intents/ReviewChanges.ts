/** Until when a review is open, and whether its file may be downloaded. */
import { theReview } from "../drive/Reviews.ts"
import type { FileQuery } from "../files/FileQuery.ts"
import type { Plan, PlanReply } from "../Plan.ts"
import { call, type PlanContext, say } from "../PlanContext.ts"
import { lastDay, quoted, reviewLink } from "../Speech.ts"
import type { Intent } from "./Intent.ts"

const of = "(of|for|on|von|zu|fur|bei)"

function* change(
  it: PlanContext,
  query: FileQuery | undefined,
  changes: Readonly<Record<string, unknown>>,
  done: (name: string) => string
): Plan<PlanReply> {
  const review = yield* theReview(it, query ?? null)
  yield* call(it, "update_file_review", { reviewId: review.id, ...changes })
  return { text: done(quoted(review.file.fileName)), links: [reviewLink(it, review)] }
}

const download = (isAllowed: boolean): Intent => ({
  name: isAllowed ? "change a review: downloads allowed" : "change a review: no downloads",
  forms: isAllowed
    ? [
      `(allow|permit|enable|turn on|erlaube|erlaub) (downloads|downloading|download|the download|das herunterladen|den download) (${"in|on|of|for|bei|im|beim|fur|zu|von"}) #review ${of} <files>`,
      `(allow|permit|enable|turn on|erlaube|erlaub) (downloads|downloading|download|das herunterladen|den download) (in|on|for|im|beim) <files> #review`,
      `(let|allow) (people|reviewers|everyone|them) [to] download <files> (in|from|on) #review`,
      `(people|reviewers|everyone|they) @should [be able to|be allowed to] download <files> (in|from|on) #review`,
      `#review ${of} <files> @should [be] @allowdownload`
    ]
    : [
      `(forbid|disable|turn off|block|stop|prevent|verbiete|verbiet|sperr|sperre) (downloads|downloading|download|das herunterladen|den download) (in|on|of|for|bei|im|beim|fur|zu|von) #review ${of} <files>`,
      `(nobody|no one|niemand) @should [be able to|be allowed to] download <files> (in|from|on) #review [anymore|any more]`,
      `(dont|do not) allow (downloads|downloading) (in|on|of|for) #review ${of} <files>`
    ],
  judge: () => 2,
  plan: (slots, it) =>
    change(it, slots.get("files"), { allowDownload: isAllowed }, (name) =>
      isAllowed
        ? say(it, `${name} can now be downloaded from its review.`, `${name} lässt sich im Review jetzt herunterladen.`)
        : say(
          it,
          `${name} can't be downloaded from its review any more.`,
          `${name} lässt sich im Review nicht mehr herunterladen.`
        ))
})

export const reviewChanges: ReadonlyArray<Intent> = [
  {
    name: "change when a review ends",
    forms: [
      `(extend|prolong|lengthen|verlangere|verlanger) #review ${of} <files> (until|till|to|by|bis) <due>`,
      `(extend|prolong|lengthen|verlangere|verlanger) <files> #review (until|till|to|by|bis) <due>`,
      `(extend|prolong|lengthen|verlangere|verlanger) #review (until|till|to|bis) <due>`,
      `#review ${of} <files> @should [be open|stay open|run|end|close|remain open|laufen|offen bleiben|enden] (until|till|on|bis|am) <due> [laufen|offen bleiben|enden|offen sein]`,
      `(keep|leave) #review ${of} <files> open (until|till|for) <due>`,
      `@change (deadline|end|end date|frist) (of|for|der|von|fur|des) #review ${of} <files> (to|auf) <due>`,
      `#review ${of} <files> (bis) <due> verlangern`
    ],
    judge: () => 2,
    plan: (slots, it) => {
      const time = slots.get("due")!
      return change(
        it,
        slots.get("files"),
        { expireTime: time },
        (name) =>
          say(
            it,
            `The review of ${name} is now open until ${lastDay(it, time)}.`,
            `Das Review von ${name} ist jetzt bis ${lastDay(it, time)} offen.`
          )
      )
    }
  },
  download(true),
  download(false),
  {
    name: "how a review is",
    forms: [
      `(until when|till when|how long|bis wann|wie lange) @is #review ${of} <files> [still|noch] [open|offen|running]`,
      `(when|wann) (does|endet|will|lauft) #review ${of} <files> [end|close|expire|ab|aus]`,
      `(until when|bis wann|how long) (can|kann|konnen) (people|man|leute|they|others|reviewers) (comment on|review|zu) <files> [kommentieren|feedback geben]`,
      `@is #review ${of} <files> [still|noch] (open|offen|closed|geschlossen)`,
      `(what|was|whats|where) @is #link (of|for|to|zu) #review ${of} <files>`,
      `(give|get|show|send|gib|zeig|schick) [me|us|mir|uns] #link (of|for|to|zu|zum) #review ${of} <files>`,
      `#link (of|for|to|zu|zum) #review ${of} <files>`,
      `(what|was|whats|where|wie) @is #review (of|for|to|zu|von|fur) <files>`,
      `(give|show|send|gib|zeig|schick) [me|us|mir|uns] #review (of|for|to|zu|von|fur) <files>`
    ],
    judge: () => 2,
    *plan(slots, it) {
      const review = yield* theReview(it, slots.get("files") ?? null)
      const { expireTime, file, open } = review
      const end = expireTime === null
        ? say(it, "without an end", "ohne Ende")
        : say(it, `until ${lastDay(it, expireTime)}`, `bis ${lastDay(it, expireTime)}`)
      return {
        text: open
          ? say(
            it,
            `The review of ${quoted(file.fileName)} is open, ${end}: ${reviewLink(it, review).url ?? ""}`,
            `Das Review von ${quoted(file.fileName)} ist offen, ${end}: ${reviewLink(it, review).url ?? ""}`
          )
          : say(
            it,
            `The review of ${quoted(file.fileName)} is closed.`,
            `Das Review von ${quoted(file.fileName)} ist geschlossen.`
          ),
        links: [reviewLink(it, review)]
      }
    }
  }
]
