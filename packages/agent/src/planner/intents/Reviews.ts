/** Reviews: links at which people play a file and leave notes. */
import type { ReviewItem } from "../drive/Records.ts"
import { hasReview, reviews, theReview } from "../drive/Reviews.ts"
import { chooseFiles } from "../files/chooseFiles.ts"
import { anyFile, type FileQuery } from "../files/FileQuery.ts"
import { parseFiles } from "../files/parseFiles.ts"
import { mention } from "../Focus.ts"
import { type Plan, type PlanReply, Stopped } from "../Plan.ts"
import { call, type PlanContext, say } from "../PlanContext.ts"
import type { RequestOptions } from "../RequestOptions.ts"
import { counted, lastDay, pageUrl, quoted, reviewLink } from "../Speech.ts"
import type { Family, Intent } from "./Intent.ts"
import { noteIntents } from "./NoteChanges.ts"
import { moreOfIt, particulars } from "./Particulars.ts"
import { reviewChanges } from "./ReviewChanges.ts"
import { exporting, showNotes, showNotesOf, showOpenNotes } from "./ReviewNotes.ts"

type Given = Pick<RequestOptions, "allowDownload" | "expireTime" | "message" | "password"> & {
  readonly head?: RequestOptions["head"]
}

/** Reviews that the present message has made, by their files. */
const madeNow = new WeakMap<PlanContext, Map<string, ReviewItem>>()

const noOptions: Given = { allowDownload: null, expireTime: null, message: null, password: null }

function* create(it: PlanContext, asked: Given, files?: FileQuery): Plan<PlanReply> {
  const more = particulars(it, "review")
  const { head } = asked
  const allowDownload = more.allowDownload ?? asked.allowDownload
  const expireTime = more.expireTime ?? asked.expireTime
  const message = more.message ?? asked.message
  const password = more.password ?? asked.password
  const query = files ?? (head === undefined ? anyFile : parseFiles(head).query)
  const chosen = yield* chooseFiles(
    it,
    query.types.length + query.extensions.length + query.names.length > 0 || query.refer !== null
      ? query
      : { ...query, types: ["Audio", "Video"] }
  )
  const playable = chosen.filter(({ type }) => type === "Audio" || type === "Video")
  if (playable.length === 0) {
    throw new Stopped({
      text: say(it, "Only videos and tracks can be reviewed.", "Nur Videos und Tracks können ein Review bekommen.")
    })
  }
  const made: Array<ReviewItem> = []
  const options = {
    ...(message === null ? {} : { message }),
    ...(expireTime === null ? {} : { expireTime }),
    ...(allowDownload === null ? {} : { allowDownload }),
    ...(password === null ? {} : { password })
  }
  const before = madeNow.get(it) ?? new Map<string, ReviewItem>()
  madeNow.set(it, before)
  for (const file of playable.slice(0, 20)) {
    // "I'd like feedback on cut.mp4. Make a review link for it": the same one.
    const known = before.get(file.id)
    if (known !== undefined && Object.keys(options).length > 0) {
      yield* call(it, "update_file_review", { reviewId: known.id, ...options })
    }
    const review = known ?? (yield* call<ReviewItem>(it, "create_file_review", { fileId: file.id, ...options }))
    before.set(file.id, review)
    made.push(review)
  }
  const [first] = made
  mention(it.focus, "review", { id: first!.id, name: first!.file.fileName })
  it.focus.files = playable
  const end = expireTime === null
    ? ""
    : say(it, ` It is open until ${lastDay(it, expireTime)}.`, ` Offen bis ${lastDay(it, expireTime)}.`)
  return {
    text: made.map((review) =>
      say(
        it,
        `Made a review of ${quoted(review.file.fileName)}: ${pageUrl(it, "reviews", review.id)}.${end}`,
        `Review von ${quoted(review.file.fileName)} erstellt: ${pageUrl(it, "reviews", review.id)}.${end}`
      )
    ).join("\n"),
    links: made.map((review) => reviewLink(it, review))
  }
}

const setOpen = (open: boolean): Intent => ({
  name: open ? "reopen a review" : "close a review",
  forms: [
    `@${open ? "reopen" : "close"} #review (of|for|on|von|fur|zu) <files> [again|wieder]`,
    `@${open ? "reopen" : "close"} <files> #review`,
    `@${open ? "reopen" : "close"} #review`
  ],
  judge: () => 0.8,
  *plan(slots, it) {
    const files = slots.get("files")
    // "open a review for cut.mp4" where there is none.
    const isThere = !open || files === undefined || (yield* hasReview(it, files))
    if (!isThere) return yield* create(it, noOptions, files)
    const review = yield* theReview(it, files ?? null)
    yield* call(it, "update_file_review", { reviewId: review.id, open })
    return {
      text: open
        ? say(
          it,
          `The review of ${quoted(review.file.fileName)} is open.`,
          `Das Review von ${quoted(review.file.fileName)} ist offen.`
        )
        : say(
          it,
          `The review of ${quoted(review.file.fileName)} is closed.`,
          `Das Review von ${quoted(review.file.fileName)} ist geschlossen.`
        ),
      links: [reviewLink(it, review)]
    }
  }
})

export const Reviews: Family = {
  name: "reviews",
  examples: {
    en: [
      "create a review for rough-cut.mp4 until Friday with the message \"What about the end?\"",
      "send demo.wav out for review",
      "what notes are there on rough-cut.mp4?",
      "reply to Grace's note: done, have a look",
      "mark all notes on rough-cut.mp4 as resolved",
      "export the notes of rough-cut.mp4 as csv",
      "close the review of rough-cut.mp4"
    ],
    de: [
      "erstelle ein Review für schnitt.mp4",
      "zeig mir die Notizen zu schnitt.mp4",
      "antworte auf die Notiz von Grace: erledigt"
    ]
  },
  intents: [
    {
      name: "create a review",
      forms: [
        "@create #review (for|of|on|fur|von|zu) <options>",
        "@create #review <options>",
        "@create <options> #review",
        "(send|put|schick|share) <options> [out] (for|zur|zum) #review",
        "(send|put|schick|share) <files> [out] (for|zur|zum) #review [<options:more>]",
        "(get|collect|ask for|request|gather) #note (on|for|about) <options>",
        "#review (for|of|fur|von) <options>",
        "(let|allow) (people|others|clients|them|reviewers) [to] (comment on|review|leave notes on) <options>",
        "review <options>",
        "ask for (feedback|a review|comments) (on|for|of) <options>",
        "(get|collect|ask for|create|request|gather|hol|hole|sammel|sammle|erstelle|need|want) [@me] #note (on|for|about|to|zu|fur|uber) <options>",
        "(send|put|share|schick|stell|stelle|gib|mach|give) <files> [out|up|online] (for|zur|zum|fur) (#review|#note) [auf|bereit|frei|ein|raus|,] [<options:more>]",
        "(people|others|clients|them|reviewers|everyone|they|my client|the client|leute|kunden|andere) @should (review|comment on|leave notes on|annotate|comment|give feedback on) <options>",
        "(people|others|clients|reviewers|everyone) to (review|comment on|leave notes on|annotate|give feedback on) <options>",
        "(leute|kunden|andere|alle|die kunden|die leute) @should [zu] <options> (kommentieren|feedback geben|anmerkungen machen|notizen hinterlassen) [konnen]",
        "(can|could|konnen|konnten) (people|others|clients|they|everyone|leute|andere|alle) (review|comment on|annotate|leave notes on) <options>",
        "(let|allow|have|lass) (people|others|clients|them|everyone|my client|the client|leute|kunden) [to] (comment on|review|leave notes on|give feedback on|annotate|look over) <options>",
        "@create #review (link|page) (for|of|on) <options>",
        "#note (on|for|about|zu) <options> (wanted|gesucht|please|bitte|needed)"
      ],
      judge: (slots) => {
        const options = slots.get("options") ?? slots.get("options", "more")
        // With an end or a password it is more than a question for the notes that there are.
        const given = options === undefined
          ? 0
          : [options.allowDownload, options.expireTime, options.message, options.password].filter((one) => one !== null)
            .length
        return slots.get("options") === undefined || slots.get("options")!.head.from < slots.get("options")!.head.to
          ? 0.6 + given
          : null
      },
      plan: (slots, it) =>
        create(it, slots.get("options") ?? slots.get("options", "more") ?? noOptions, slots.get("files"))
    },
    moreOfIt,
    {
      name: "create a review for opinions",
      forms: [
        "(get|have|hear|collect|receive|want|need|gather) [some|peoples|honest|your|their] (feedback|opinions|thoughts|reactions|second opinions|ears) (on|about|for) <options>",
        "(want|need|like|get|have) [some] (ears|eyes) on <options>"
      ],
      judge: (slots) => slots.get("options")!.head.from < slots.get("options")!.head.to ? 2 : null,
      plan: (slots, it) => create(it, slots.get("options")!)
    },
    showNotes,
    showOpenNotes,
    showNotesOf,
    ...reviewChanges,
    {
      name: "list reviews",
      forms: [
        "@find [@all|open|offene] #review",
        "(what|which|welche) [open] #review (do|have|are|habe|gibt|sind) (i|there|we|ich|es|open|offen) [have|open]"
      ],
      judge: () => 0.5,
      *plan(_, it) {
        const all = yield* reviews(it)
        if (all.length === 0) return { text: say(it, "There are no reviews.", "Es gibt keine Reviews.") }
        const lines = all.map((review) =>
          `- ${review.file.fileName}: ${review.open ? say(it, "open", "offen") : say(it, "closed", "geschlossen")}, ${
            counted(it, review.noteCount, ["note", "notes"], ["Notiz", "Notizen"])
          }: ${pageUrl(it, "reviews", review.id)}`
        )
        return { text: lines.join("\n"), links: all.map((review) => reviewLink(it, review)) }
      }
    },
    ...noteIntents,
    ...exporting,
    setOpen(false),
    setOpen(true)
  ]
}
