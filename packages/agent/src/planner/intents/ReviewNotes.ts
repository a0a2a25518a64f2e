/** Notes that people left in a review: shown and exported. */
import type { NoteItem, ReviewItem } from "../drive/Records.ts"
import { theReview } from "../drive/Reviews.ts"
import { isCalled, isNamedPerson } from "../drive/SenderNames.ts"
import type { Plan, PlanReply } from "../Plan.ts"
import { call, type PlanContext, say } from "../PlanContext.ts"
import { counted, quoted, reviewLink } from "../Speech.ts"
import type { Intent } from "./Intent.ts"
import { isToldInside } from "./Reading.ts"

const noteLine = (it: PlanContext, { replies, resolved, reviewer, text, timecode }: NoteItem): string =>
  [
    `- ${timecode ?? say(it, "whole file", "ganze Datei")} ${reviewer.name}: ${text}${
      resolved ? say(it, " (resolved)", " (erledigt)") : ""
    }`,
    ...replies.map((reply) => `  ↳ ${reply.author.name}: ${reply.text}`)
  ].join("\n")

function* show(it: PlanContext, review: ReviewItem, onlyOpen: boolean): Plan<PlanReply> {
  const notes = onlyOpen ? review.notes.filter(({ resolved }) => !resolved) : review.notes
  const [only] = notes
  it.focus.note = notes.length === 1 ? { id: only!.id, name: only!.text } : null
  yield* []
  return {
    text: notes.length === 0
      ? say(
        it,
        `There are no ${onlyOpen ? "open " : ""}notes on ${quoted(review.file.fileName)}.`,
        `Zu ${quoted(review.file.fileName)} gibt es keine ${onlyOpen ? "offenen " : ""}Notizen.`
      )
      : `${counted(it, notes.length, ["note", "notes"], ["Notiz", "Notizen"])} – ${quoted(review.file.fileName)}:\n${
        notes.map((note) => noteLine(it, note)).join("\n")
      }`,
    links: [reviewLink(it, review)]
  }
}

export const showNotes: Intent = {
  name: "show notes",
  forms: [
    "@find [@all|open|unresolved|offene|offenen|new|neuen] #note (on|of|for|about|to|zu|zum|zur|von|fur|left on|people left on|in) <files>",
    "@find [@all|open|unresolved|offene] #note",
    "(what|which|any|welche|welches) #note (do|did|have|has|haben|hat) (we|i|they|people|the client|wir|ich) (get|got|have|receive|received|leave|left|give|gave|bekommen|erhalten) (on|for|about|to|zu|zum|zur|fur) <files>",
    "(what|which|welche|welches) #note (haben|habe) (wir|ich) (zu|zum|zur|fur) <files> (bekommen|erhalten)",
    "(what|which|welche) #note (are there|do i have|have i got|did i get|gibt es|are left)",
    "(what|which|welche|was) [open|unresolved|offene] #note (are there|have i got|do i have|is there|did people leave|were left|have people left|has been left|gibt es|are|have been left) (on|for|about|zu|zum|zur|fur) <files>",
    "(what|was) (do|did|have) (people|they|reviewers|the reviewers|the client|the clients|clients) (say|said|think|write|leave|left) (about|on|of) <files>",
    "(what|was) (sagen|schreiben) (die leute|sie|andere) (zu|zum|zur|uber) <files>",
    "(are|is) there [any] [new|open] #note (on|for|about) <files>",
    "(has|have|did) (anyone|anybody|someone) (commented|comment|left|leave) [a] [#note] (on|for) <files>",
    "@find #review (of|for|von|fur) <files>",
    "@howmany #note (are there|do i have|gibt es|are|@havewe) (on|for|zu|zum|zur) <files>",
    "@howmany #note (has|have|does|hat) <files> [got|have|bekommen]",
    "(any|some|irgendwelche|schon) [new|neue] #note (on|for|about|to|zu|zum|zur|fur) <files> [yet]",
    "(what|which|was|welche) [@is] [the|die] [new|neue] #note [@is|@there] (on|for|of|about|to|zu|zum|zur|von|fur|bei) <files>",
    "(what|which|welche) #note @is (left|written|made|there|geschrieben|hinterlassen|eingegangen) (on|for|about|zu|zum|zur|bei) <files>",
    "(wer|who) hat [was|etwas] (zu|zum|zur|uber) <files> (geschrieben|gesagt|angemerkt|kommentiert)",
    "(was|what) (haben|hat) (die leute|andere|jemand|der kunde|die kunden|sie) (zu|zum|zur|uber) <files> (gesagt|geschrieben|angemerkt)",
    "(what|was) @is (said|written|commented|gesagt|geschrieben|angemerkt) (about|on|zu|zum|zur|uber) <files> [geworden]",
    "(read|read out|lies|vorlesen) [@me] #note (on|of|for|to|zu|zum|zur|von|fur) <files> [vor|out|aloud]",
    "#note (on|of|for|to|zu|zum|zur|von|fur) <files> (@find|vorlesen|please)",
    "#note (on|of|for|to|zu|zum|zur|von|fur) <files>"
  ],
  judge: () => 0.8,
  *plan(slots, it) {
    const review = yield* theReview(it, slots.get("files") ?? null)
    return yield* show(it, review, false)
  }
}

export const showOpenNotes: Intent = {
  name: "show open notes",
  forms: [
    "(what|which|welche|was fur) #note (on|of|for|about|to|zu|zum|zur|von|fur|bei) <files> @is [still|noch] @unresolved",
    "(what|which|welche) #note @is [still|noch] @unresolved (on|of|for|about|to|zu|zum|zur|von|fur|bei) <files>",
    "(what|which|welche|was) [@is] [still|noch|the|die] @unresolved #note [@is|@there|gibt es] [still|noch] (on|of|for|about|to|zu|zum|zur|von|fur|bei) <files>",
    "@find [@all] [still|noch] @unresolved #note (on|of|for|about|to|zu|zum|zur|von|fur|bei) <files>",
    "@find #note (on|of|for|about|to|zu|zum|zur|von|fur|bei) <files> (that|which|die) @is [still|noch] @unresolved [@is]",
    "@find [@all] (unanswered|open|offenen) #note",
    "(any|irgendwelche|noch) @unresolved #note [left] (on|of|for|about|to|zu|zum|zur|von|fur|bei) <files>",
    "@is @there [any|still|noch] @unresolved #note [left] (on|of|for|about|to|zu|zum|zur|von|fur|bei) <files>",
    "@howmany [@unresolved] #note (on|of|for|about|to|zu|zum|zur|von|fur|bei) <files> @is [still|noch] @unresolved",
    "@howmany @unresolved #note @is [@there] [still|noch|left] (on|of|for|about|to|zu|zum|zur|von|fur|bei) <files>",
    "@howmany #note @is [still|noch] @unresolved (on|of|for|about|to|zu|zum|zur|von|fur|bei) <files>",
    "(was|what) @is (bei|zu|zum|zur|an|on|with) <files> [still|noch] @unresolved",
    "(what|which|welche) #note (on|of|for|about|to|zu|zum|zur|von|fur|bei) <files> (havent|have not|arent|are not|hasnt|has not|werent|were not|wurden noch nicht|sind noch nicht|sind nicht|wurde noch nicht) [been] @frozen [yet|worden]",
    "(what|which|welche) #note (havent|have not|arent|are not|werent|were not) [been] @frozen [yet] (on|of|for|about|to) <files>",
    "@unresolved #note (on|of|for|about|to|zu|zum|zur|von|fur|bei) <files>"
  ],
  judge: () => 1.5,
  *plan(slots, it) {
    return yield* show(it, yield* theReview(it, slots.get("files") ?? null), true)
  }
}

/** What one person said. */
export const showNotesOf: Intent = {
  name: "show notes of somebody",
  forms: [
    "(what|was) (did|has|have) <people:who> [have] (say|said|write|written|note|noted|comment|commented|remark|think|thought) (about|on|to|of) <files>",
    "(what|was) (hat|haben) <people:who> (zu|zum|zur|uber|bei|unter) <files> [gesagt|geschrieben|angemerkt|kommentiert|gemeint|notiert]",
    "@find [@all] <people:who> #note (on|of|for|about|to|zu|zum|zur|von|fur|bei) <files>",
    "@find [@all] #note (from|by|of|von) <people:who> (on|for|about|to|zu|zum|zur|fur|bei) <files>",
    "(what|which|welche|was) #note (did|has|have|hat|haben) <people:who> (on|about|to|zu|zum|zur|fur|bei) <files> (leave|left|write|written|make|made|hinterlassen|geschrieben|gemacht)",
    "(what|which|welche) #note (did|has|have) <people:who> (leave|left|write|written|make|made) (on|about|to|for) <files>"
  ],
  judge: (slots) => {
    const { names, said } = slots.get("files")!
    // "what did the contract say about rent?" is read in the contract.
    const isPerson = (name: string): boolean =>
      isNamedPerson(name) && (/^\p{Lu}/u.test(name) || (names.length > 0 && !name.includes(" ")))
    return said !== "" && !isToldInside(slots.get("files")!) && slots.get("people", "who")!.every(isPerson) ? 1.6 : null
  },
  *plan(slots, it) {
    const who = slots.get("people", "who")!
    const review = yield* theReview(it, slots.get("files")!)
    const notes = review.notes.filter(({ reviewer }) => who.some((one) => isCalled(reviewer.name, one)))
    return yield* show(it, { ...review, notes }, false)
  }
}

export const exporting: ReadonlyArray<Intent> = [
  {
    name: "export notes",
    forms: [
      "@export #note (of|on|from|for|von|zu|zum|zur) <files> (as|to|in|into|als) <name:format>",
      "@export #note (of|on|from|for|von|zu|zum|zur) <files>",
      "@export #note (as|to|als) <name:format>",
      "@export #review (of|for|von) <files> (as|to|als) <name:format>",
      "(give|get) [me] #note (of|on|from|for) <files> (as|in) <name:format>"
    ],
    judge: () => 1.2,
    *plan(slots, it) {
      const review = yield* theReview(it, slots.get("files") ?? null)
      const said = slots.get("name", "format") ?? "csv"
      const format = /edl/i.test(said) ? "edl" : /fcp|final|xml/i.test(said) ? "fcpxml" : "csv"
      const { fileName, text } = yield* call<{ readonly fileName: string; readonly text: string }>(
        it,
        "export_review_notes",
        { reviewId: review.id, format }
      )
      return { text: `${fileName}:\n${text.slice(0, 8000)}`, links: [reviewLink(it, review)] }
    }
  }
]
