/** Notes that people left in a review: read, answered, resolved, deleted and exported. */
import { confirm } from "../drive/Choosing.ts"
import type { NoteItem, ReviewItem } from "../drive/Records.ts"
import { reviews, theNote, theReview } from "../drive/Reviews.ts"
import type { Plan, Said } from "../Plan.ts"
import { call, callEach, say, type Situation } from "../Situation.ts"
import { counted, quoted, reviewLink } from "../Speech.ts"
import type { Intent } from "./Intent.ts"

const noteLine = (it: Situation, { replies, resolved, reviewer, text, timecode }: NoteItem): string =>
  [
    `- ${timecode ?? say(it, "whole file", "ganze Datei")} ${reviewer.name}: ${text}${
      resolved ? say(it, " (resolved)", " (erledigt)") : ""
    }`,
    ...replies.map((reply) => `  ↳ ${reply.author.name}: ${reply.text}`)
  ].join("\n")

function* show(it: Situation, review: ReviewItem, onlyOpen: boolean): Plan<Said> {
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

function* reply(it: Situation, review: ReviewItem, which: string | null, text: string): Plan<Said> {
  const note = yield* theNote(it, review, which)
  const words = text.replaceAll(/^[\s:,]*["“„]?|["”“]?$/g, "")
  yield* call(it, "reply_to_review_note", { noteId: note.id, text: words })
  return {
    text: say(
      it,
      `Answered ${note.reviewer.name}’s note ${quoted(note.text)}: ${quoted(words)}.`,
      `Auf die Notiz von ${note.reviewer.name} ${quoted(note.text)} geantwortet: ${quoted(words)}.`
    ),
    links: [reviewLink(it, review)]
  }
}

function* resolve(it: Situation, review: ReviewItem, notes: ReadonlyArray<NoteItem>, resolved: boolean): Plan<Said> {
  const changing = notes.filter((note) => note.resolved !== resolved)
  const made = yield* callEach(it, "set_review_note_resolved", changing.map(({ id }) => ({ noteId: id, resolved })))
  const failed = made.filter(({ failure }) => failure !== undefined).length
  const count = counted(it, changing.length - failed, ["note", "notes"], ["Notiz", "Notizen"])
  const state = resolved ? say(it, "resolved", "erledigt") : say(it, "not resolved", "nicht erledigt")
  const not = failed === 0 ? "" : say(it, ` ${failed} could not be changed.`, ` ${failed} ließen sich nicht ändern.`)
  return {
    text: say(
      it,
      `Marked ${count} on ${quoted(review.file.fileName)} as ${state}.${not}`,
      `${count} zu ${quoted(review.file.fileName)} als ${state} markiert.${not}`
    ),
    links: [reviewLink(it, review)]
  }
}

export const showNotes: Intent = {
  name: "show notes",
  forms: [
    "@find [@all|open|unresolved|offene|offenen|new|neuen] #note (on|of|for|about|to|zu|von|fur|left on|people left on|in) <files>",
    "@find [@all|open|unresolved|offene] #note",
    "(what|which|any|welche|welches) #note (do|did|have|has|haben|hat) (we|i|they|people|the client|wir|ich) (get|got|have|receive|received|leave|left|give|gave|bekommen|erhalten) (on|for|about|to|zu|fur) <files>",
    "(what|which|welche|welches) #note (haben|habe) (wir|ich) (zu|fur) <files> (bekommen|erhalten)",
    "(what|which|welche) #note (are there|do i have|have i got|did i get|gibt es|are left)",
    "(what|which|welche|was) [open|unresolved|offene] #note (are there|have i got|do i have|is there|did people leave|were left|have people left|has been left|gibt es|are|have been left) (on|for|about|zu|fur) <files>",
    "(what|was) (do|did|have) (people|they|reviewers|the reviewers|the client|the clients|clients) (say|said|think|write|leave|left) (about|on|of) <files>",
    "(what|was) (sagen|schreiben) (die leute|sie|andere) (zu|uber) <files>",
    "(are|is) there [any] [new|open] #note (on|for|about) <files>",
    "(has|have|did) (anyone|anybody|someone) (commented|comment|left|leave) [a] [#note] (on|for) <files>",
    "@find #review (of|for|von|fur) <files>",
    "@howmany #note (are there|do i have|gibt es|are) (on|for|zu) <files>"
  ],
  judge: () => 0.8,
  *plan(slots, it) {
    const review = yield* theReview(it, slots.get("files") ?? null)
    return yield* show(it, review, false)
  }
}

/** What is done with notes, besides reading them. */
export const noteIntents: ReadonlyArray<Intent> = [
  {
    name: "answer a note",
    forms: [
      "@answer [to|on|auf] <name:which> (with|saying|that|mit|dass|and say|and tell them|:) <text>",
      "@answer [to|auf] <name:which> <text>",
      "@answer (with|saying|that|mit|:) <text>",
      "(tell|sag) <name:which> (that|:|dass) <text>",
      "(tell|sag) <name:which> <text>"
    ],
    judge: (slots) => {
      const which = slots.get("name", "which")
      if (/^(?:me|us|mir|uns|who|how|what|when|where|if|if somebody)\b/i.test(which ?? "")) return null
      return which !== undefined &&
          !/note|comment|feedback|notiz|kommentar|him|her|them|it|'s|remark|darauf|last|first/i.test(which)
        ? -1
        : 0.8
    },
    *plan(slots, it) {
      const which = slots.get("name", "which") ?? null
      const on = / (?:on|of|to|zu) (?!the (?:last|first|note))(\S.*)$/i.exec(which ?? "")?.[1]
      const all = yield* reviews(it)
      const named = on === undefined
        ? undefined
        : all.find(({ file }) => file.fileName.toLowerCase().startsWith(on.toLowerCase()))
      const review = named ?? (yield* theReview(it, null))
      const noteWords = which === null || /^(?:it|him|her|them|that|this|darauf)$/i.test(which)
        ? null
        : which.replace(named === undefined ? "" : ` on ${on}`, "")
      return yield* reply(it, review, noteWords, slots.get("text")!)
    }
  },
  {
    name: "resolve all notes",
    forms: [
      "@resolve @all #note (on|of|for|zu|von) <files> [as] [@frozen]",
      "@resolve @all #note [as] [@frozen]",
      "@resolve #note (on|of|for|zu) <files> [as] [@frozen]",
      "@resolve @them [as] @frozen"
    ],
    judge: () => 1,
    *plan(slots, it) {
      const review = yield* theReview(it, slots.get("files") ?? null)
      return yield* resolve(it, review, review.notes, true)
    }
  },
  {
    name: "resolve a note of somebody",
    forms: [
      "@resolve #note (von|of|from|by) <name:which> (zu|on|for|bei|about|zum|auf) <files> [as|als] [@frozen]",
      "@resolve <name:which> #note (zu|on|for|bei|about|zum|auf) <files> [as|als] [@frozen]",
      "#note (von|of|from|by) <name:which> (zu|on|for|bei|about) <files> @is @frozen",
      "<name:which> #note (zu|on|for|bei|about) <files> @is @frozen",
      "#note (von|of|from|by) <name:which> (zu|on|for|bei|about) <files> @frozen [@resolve]"
    ],
    judge: (slots) => /^(?:all|alle|the|every)$/i.test(slots.get("name", "which")!) ? null : 1.2,
    *plan(slots, it) {
      const review = yield* theReview(it, slots.get("files")!)
      return yield* resolve(it, review, [yield* theNote(it, review, slots.get("name", "which")!)], true)
    }
  },
  {
    name: "resolve a note",
    forms: [
      "@resolve <name:which> #note [as] [@frozen]",
      "@resolve #note <name:which> [as] [@frozen]",
      "@resolve (it|that|this|that note|the note) [as] @frozen",
      "@resolve #note [as] [@frozen]",
      "<name:which> #note @is @frozen"
    ],
    judge: () => 0.7,
    *plan(slots, it) {
      const review = yield* theReview(it, null)
      return yield* resolve(it, review, [yield* theNote(it, review, slots.get("name", "which") ?? null)], true)
    }
  },
  {
    name: "unresolve a note",
    forms: [
      "(reopen|unresolve) #note <name:which>",
      "(reopen|unresolve) <name:which> #note",
      "(reopen|unresolve) (it|the note|that note)",
      "mark <name:which> #note as (open|unresolved|not resolved|not done)"
    ],
    judge: () => 1,
    *plan(slots, it) {
      const review = yield* theReview(it, null)
      return yield* resolve(it, review, [yield* theNote(it, review, slots.get("name", "which") ?? null)], false)
    }
  },
  {
    name: "delete a note",
    forms: ["@delete #note <name:which>", "@delete <name:which> #note"],
    judge: () => 0.8,
    *plan(slots, it) {
      const review = yield* theReview(it, null)
      const note = yield* theNote(it, review, slots.get("name", "which") ?? null)
      yield* confirm(
        it,
        say(
          it,
          `Delete ${note.reviewer.name}’s note ${quoted(note.text)} with its replies for good?`,
          `Notiz ${quoted(note.text)} von ${note.reviewer.name} mit allen Antworten endgültig löschen?`
        )
      )
      yield* call(it, "delete_review_note", { noteId: note.id })
      it.focus.note = null
      return { text: say(it, `Deleted the note ${quoted(note.text)}.`, `Notiz ${quoted(note.text)} gelöscht.`) }
    }
  },
  {
    name: "export notes",
    forms: [
      "@export #note (of|on|from|for|von|zu) <files> (as|to|in|into|als) <name:format>",
      "@export #note (of|on|from|for|von|zu) <files>",
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
