/** How a file request is closed, opened again and changed. */
import { DateTime } from "effect"
import { amountAt } from "../Dates.ts"
import type { RequestItem } from "../drive/Records.ts"
import { requestLink, theRequest } from "../drive/Requests.ts"
import { sentenceOf } from "../grammar/Sentence.ts"
import { type Plan, type PlanReply, Stopped } from "../Plan.ts"
import { call, type PlanContext, say } from "../PlanContext.ts"
import { bytes, lastDay, quoted } from "../Speech.ts"
import type { Intent } from "./Intent.ts"

function* change(
  it: PlanContext,
  said: string | null,
  changes: (request: RequestItem) => Readonly<Record<string, unknown>>,
  done: (title: string) => string
): Plan<PlanReply> {
  const request = yield* theRequest(it, said)
  yield* call(it, "update_file_request", { requestId: request.id, ...changes(request) })
  return { text: done(quoted(request.title)), links: [requestLink(it, request)] }
}

function* setOpen(it: PlanContext, said: string | null, open: boolean): Plan<PlanReply> {
  const request = yield* theRequest(it, said)
  const made = yield* call<{ readonly open: boolean; readonly expireTime: string | null }>(
    it,
    "set_file_request_open",
    { requestId: request.id, open }
  )
  const text = made.open
    ? say(it, `The request ${quoted(request.title)} is open.`, `Die Anfrage ${quoted(request.title)} ist offen.`)
    : open
    ? say(
      it,
      `The request ${quoted(request.title)} can't be opened: it ended on ${lastDay(it, made.expireTime ?? "")}.`,
      `Die Anfrage ${quoted(request.title)} lässt sich nicht öffnen: Sie endete am ${
        lastDay(it, made.expireTime ?? "")
      }.`
    )
    : say(
      it,
      `The request ${quoted(request.title)} is closed and no longer accepts files.`,
      `Die Anfrage ${quoted(request.title)} ist geschlossen und nimmt keine Dateien mehr an.`
    )
  return { text, links: [requestLink(it, request)] }
}

const ofRequest = (texts: ReadonlyArray<string>): ReadonlyArray<string> =>
  texts.flatMap((
    text
  ) => [
    text.replaceAll("#which", "#request [@called|for|fur] <name>"),
    text.replaceAll("#which", "<name> #request"),
    text.replaceAll("#which", "#request"),
    text.replaceAll("#which", "(it|sie)")
  ])

/** "close it" after a review was mentioned. */
function* closeReview(it: PlanContext): Plan<PlanReply> {
  const review = it.focus.review!
  yield* call(it, "update_file_review", { reviewId: review.id, open: false })
  return {
    text: say(it, `Closed the review of ${quoted(review.name)}.`, `Review von ${quoted(review.name)} geschlossen.`)
  }
}

/** Whether it takes files. */
export const closing: ReadonlyArray<Intent> = [
  {
    name: "close a request",
    forms: [
      ...ofRequest(["@close #which", "#which @close"]),
      "(stop|don't|dont|do not|no longer) (accepting|taking|accept|take|collecting|collect) [any] [more] [files|uploads|submissions|photos] (for|at|to|on) #request <name>",
      "(stop|don't|dont|do not|no longer) (accepting|taking|accept|take|collecting|collect) [any] [more] [files|uploads|submissions|photos] (for|at|to|on) <name> [#request]",
      "(close|schliess|schliesse|beende) <name>",
      "(no|keine) more (files|uploads|submissions) (for|at|to|on) <name> [#request]",
      "(nimm|nehme|nehmt) keine (dateien|fotos|uploads|sachen|abgaben) mehr (fur|bei|an) [#request] <name> [an|entgegen]",
      "#request [@called] <name> @should (take|accept|receive|get|collect|have) no more (files|uploads|submissions|photos|deliveries)",
      "#request [@called] <name> @should (not|no longer) (take|accept|receive|collect) [any] [more] [files|uploads|submissions|photos] [anymore]",
      "#request [@called] <name> @should keine [weiteren] [dateien|fotos|uploads|sachen] mehr (annehmen|nehmen|bekommen|entgegennehmen)",
      "no more @something (for|at|to|on) <name> [#request]",
      "no more uploads (for|at|to|on) [#request] [@called] <name>",
      "(no|keine) (more|further|weiteren) (files|uploads|submissions|photos|dateien|abgaben|uploads) [mehr] (for|at|to|on|fur|bei|an) <name> [#request]",
      "keine (dateien|fotos|uploads|abgaben) mehr (fur|bei|an) <name> [#request]",
      "(stop|end|finish|shut down|beende|beenden|stopp|stoppe) #request [@called] <name>",
      "(stop|end|finish|shut down|beende|beenden|stopp|stoppe) <name> #request",
      "(mach|mache|macht) #request [@called] <name> (zu|dicht)",
      "#request [@called] <name> @should (zu|be closed|be over|end now)",
      "#request [@called] <name> (schliessen|beenden|zumachen|abschalten)",
      "#request [@called] <name> (is|ist) (over|done|finished|complete|vorbei|fertig|zu ende)"
    ],
    judge: (slots) =>
      /^(?:the|a|die|eine) |\b(?:review|playlist|gallery|folder)\b/i.test(slots.get("name") ?? "")
        ? -0.5
        : slots.get("name") === undefined
        ? 0.4
        : 1.5,
    plan: (slots, it) =>
      it.focus.latest === "review" && slots.get("name") === undefined
        ? closeReview(it)
        : setOpen(it, slots.get("name") ?? null, false)
  },
  {
    name: "reopen a request",
    forms: [
      ...ofRequest([
        "@reopen #which [again|wieder]",
        "#which wieder @reopen",
        "(open|offne|offnet|mach|mache|start|schalt) #which (again|once more|one more time|wieder auf|wieder|noch einmal|noch einmal auf|nochmal|nochmal auf|erneut|back up|wieder frei)",
        "#which @should (be open|open|be opened|take files|accept files) again",
        "#which @should (wieder) (auf|offen sein|geoffnet werden|geoffnet sein)",
        "#which (wieder|noch einmal|nochmal) (offnen|aufmachen)"
      ]),
      "(reopen|re-open) <name>"
    ],
    judge: (slots) =>
      /\b(?:that|until|till|til|for|so|with|called|die|bis|für|damit)\b/i.test(slots.get("name") ?? "")
        ? null
        : slots.get("name") === undefined
        ? 0.1
        : 1.6,
    plan: (slots, it) => setOpen(it, slots.get("name") ?? null, true)
  }
]

/** Until when it does, how much, and what senders see. */
export const changes: ReadonlyArray<Intent> = [
  {
    name: "change when a request ends",
    forms: [
      "(extend|prolong|lengthen|verlangere|verlanger|verlangert) #request [@called|for] <name> (until|till|to|by|bis|um) <due>",
      "(extend|prolong|lengthen|verlangere|verlanger|verlangert) <name> #request (until|till|to|by|bis|um) <due>",
      "(extend|prolong|lengthen|verlangere|verlanger|verlangert) <name> (until|till|to|bis) <due>",
      "#request [@called] <name> (until|till|to|bis) <due> (extend|verlangern)",
      "#request [@called] <name> @should [now|jetzt] (be open|stay open|run|end|close|remain open|offen sein|laufen|offen bleiben|enden|stop) (until|till|on|at|by|bis|am) <due>",
      "#request [@called] <name> @should [now|jetzt] (bis|erst am|am) <due> (offen sein|laufen|offen bleiben|enden|gehen|verlangert werden)",
      "(push|move|shift|verschieb|verschiebe|set|setz|setze) (deadline|end|end date|closing date|frist|ende|abgabefrist) (of|for|der|von|fur|des) [#request] [@called] <name> (to|until|auf|bis) <due>",
      "(extend|prolong|lengthen|verlangere|verlanger|verlangert) (it|the request) (until|till|to|by|bis|um) <due>",
      "(keep|leave) #request <name> open (until|till|for) <due>",
      "(keep|leave) <name> #request open (until|till|for) <due>",
      "@change (deadline|end|end date|expiry|frist) (of|for|der|von|fur) #request <name> (to|auf) <due>",
      "@change (deadline|end|end date|expiry|frist) (of|for|der|von|fur) <name> #request (to|auf) <due>",
      "@change (deadline|end|end date|expiry|frist) (of|for|der|von|fur) <name> (to|auf) <due>",
      "(let|make|have) #request <name> (end|expire|close) (on|at|in|by) <due>",
      "(let|make|have) <name> #request (end|expire|close) (on|at|in|by) <due>",
      "(it|#request) (should|shall|must|is to|has to|can) (stop|end|close|expire) [(taking|accepting|collecting)] [any] [more] [files|uploads|photos|pictures|submissions] (on|at|in|by|after) <due>",
      "(stop|end|close) (it|#request) (on|at|by|after) <due>",
      "(es|sie|#request) (soll|sollte|muss) (am|um|bis|nach) <due> (enden|schliessen|ablaufen|zugehen|zu sein)",
      "(es|sie|#request) (soll|sollte|muss) (bis|bis zum) <due> (offen sein|laufen|offen bleiben)"
    ],
    judge: () => 1,
    plan: (slots, it) => {
      const time = slots.get("due")!
      return change(
        it,
        slots.get("name") ?? null,
        () => ({ expireTime: time }),
        (title) =>
          say(
            it,
            `The request ${title} is now open until ${lastDay(it, time)}.`,
            `Die Anfrage ${title} ist jetzt bis ${lastDay(it, time)} offen.`
          )
      )
    }
  },
  {
    name: "give a request more time",
    forms: [
      "(extend|prolong|verlangere|verlanger|verlangert|lengthen) #request [@called|for] <name> (by|um) <text>",
      "(extend|prolong|verlangere|verlanger|verlangert|lengthen) <name> [#request] (by|um) <text>",
      "(extend|prolong|verlangere|verlanger|verlangert|lengthen) (it|the request|sie) (by|um) <text>",
      "(give|gib) (people|them|everyone|allen|leuten|den leuten) <text> (for|fur|bei) [#request] <name> [#request]"
    ],
    judge: () => 1.2,
    *plan(slots, it) {
      const request = yield* theRequest(it, slots.get("name") ?? null)
      const now = DateTime.toEpochMillis(it.moment.now)
      const day = 86_400_000
      const sentence = sentenceOf(
        slots.get("text")!.replace(/\s+more\s+/i, " ").replace(/\s+more$/i, ""),
        it.language,
        it.moment
      )
      const amount = amountAt(sentence, 0, sentence.tokens.length)
      if (amount === null) throw new Stopped({ text: say(it, "By how long?", "Um wie lange?") })
      const from = Math.max(now, request.expireTime === null ? 0 : Date.parse(request.expireTime))
      const expireTime = DateTime.formatIso(DateTime.makeUnsafe(from + amount.days * day))
      yield* call(it, "update_file_request", { requestId: request.id, expireTime })
      return {
        text: say(
          it,
          `The request ${quoted(request.title)} is now open until ${lastDay(it, expireTime)}.`,
          `Die Anfrage ${quoted(request.title)} ist jetzt bis ${lastDay(it, expireTime)} offen.`
        ),
        links: [requestLink(it, request)]
      }
    }
  },
  {
    name: "limit a request",
    forms: [
      "(limit|begrenze|restrict|cap) #request [@called|for] <name> (to|at|auf) <size>",
      "(limit|begrenze|restrict|cap) <name> #request (to|at|auf) <size>",
      "(limit|restrict|cap) (it|the request) (to|at) <size>",
      "@change (limit|size limit|maximum) (of|for) #request <name> (to|auf) <size>"
    ],
    judge: () => 1,
    plan: (slots, it) => {
      const size = slots.get("size")!
      return change(
        it,
        slots.get("name") ?? null,
        () => ({ maxBytes: size }),
        (title) =>
          say(
            it,
            `The request ${title} now takes ${bytes(it, size)} at most.`,
            `Die Anfrage ${title} nimmt jetzt höchstens ${bytes(it, size)}.`
          )
      )
    }
  },
  {
    name: "message or password of a request",
    forms: [
      "@change message (of|on|for) #request <name> (to|into) <text>",
      "@change message (of|on|for) <name> #request (to|into) <text>",
      "@change password (of|on|for) #request <name> (to|into) <name:password>",
      "@change password (of|on|for) <name> #request (to|into) <name:password>",
      "(protect|secure|schutze) #request <name> (with|by|mit) [the|a|dem] [password|passwort] <name:password>",
      "(add|put) [the|a] password <name:password> (to|on) #request <name>",
      "(add|put|set|use) [the|a] password (to|on|for) (it|that|this|the request) [:] <name:password>",
      "(protect|secure|schutze|sichere) (it|that|this|sie|die anfrage|the request) (with|by|mit) [the|a|dem|einem] (password|passwort) [:] <name:password>",
      "(setz|setze|leg|lege|vergib|gib) [ein|das|ihr] (passwort) [darauf|drauf|dafur|auf die anfrage|an] [:] <name:password>"
    ],
    judge: () => 1.5,
    *plan(slots, it) {
      const [text, password] = [slots.get("text"), slots.get("name", "password")]
      // "Put a password on it" is about the request that was just mentioned, and no other.
      if (slots.get("name") === undefined && it.focus.latest !== "request") {
        throw new Stopped({
          text: say(
            it,
            "I can put a password on a file request. Which one do you mean?",
            "Ein Passwort kann ich für eine Dateianfrage setzen. Welche meinst du?"
          )
        })
      }
      return yield* change(
        it,
        slots.get("name") ?? null,
        () => text === undefined ? { password } : { message: text.replaceAll(/^["“„]|["”“]$/g, "") },
        (title) => say(it, `Changed the request ${title}.`, `Anfrage ${title} geändert.`)
      )
    }
  }
]
