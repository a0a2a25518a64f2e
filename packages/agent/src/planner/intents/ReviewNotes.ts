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
    "@howmany #note (are there|do i have|gibt es|are|@havewe) (on|for|zu) <files>",
    "@howmany #note (has|have|does|hat) <files> [got|have|bekommen]",
    "(any|some|irgendwelche|schon) [new|neue] #note (on|for|about|to|zu|fur) <files> [yet]",
    "(what|which|was|welche) [@is] [the|die] [new|neue] #note [@is|@there] (on|for|of|about|to|zu|von|fur|bei) <files>",
    "(what|which|welche) #note @is (left|written|made|there|geschrieben|hinterlassen|eingegangen) (on|for|about|zu|bei) <files>",
    "(wer|who) hat [was|etwas] (zu|uber) <files> (geschrieben|gesagt|angemerkt|kommentiert)",
    "(was|what) (haben|hat) (die leute|andere|jemand|der kunde|die kunden|sie) (zu|uber) <files> (gesagt|geschrieben|angemerkt)",
    "(what|was) @is (said|written|commented|gesagt|geschrieben|angemerkt) (about|on|zu|uber) <files> [geworden]",
    "(read|read out|lies|vorlesen) [@me] #note (on|of|for|to|zu|von|fur) <files> [vor|out|aloud]",
    "#note (on|of|for|to|zu|von|fur) <files> (@find|vorlesen|please)",
    "#note (on|of|for|to|zu|von|fur) <files>"
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
    "(what|which|welche|was fur) #note (on|of|for|about|to|zu|von|fur|bei) <files> @is [still|noch] @unresolved",
    "(what|which|welche) #note @is [still|noch] @unresolved (on|of|for|about|to|zu|von|fur|bei) <files>",
    "(what|which|welche|was) [@is] [still|noch|the|die] @unresolved #note [@is|@there|gibt es] [still|noch] (on|of|for|about|to|zu|von|fur|bei) <files>",
    "@find [@all] [still|noch] @unresolved #note (on|of|for|about|to|zu|von|fur|bei) <files>",
    "@find #note (on|of|for|about|to|zu|von|fur|bei) <files> (that|which|die) @is [still|noch] @unresolved [@is]",
    "@find [@all] (unanswered|open|offenen) #note",
    "(any|irgendwelche|noch) @unresolved #note [left] (on|of|for|about|to|zu|von|fur|bei) <files>",
    "@is @there [any|still|noch] @unresolved #note [left] (on|of|for|about|to|zu|von|fur|bei) <files>",
    "@howmany [@unresolved] #note (on|of|for|about|to|zu|von|fur|bei) <files> @is [still|noch] @unresolved",
    "@howmany @unresolved #note @is [@there] [still|noch|left] (on|of|for|about|to|zu|von|fur|bei) <files>",
    "@howmany #note @is [still|noch] @unresolved (on|of|for|about|to|zu|von|fur|bei) <files>",
    "(was|what) @is (bei|zu|an|on|with) <files> [still|noch] @unresolved",
    "@unresolved #note (on|of|for|about|to|zu|von|fur|bei) <files>"
  ],
  judge: () => 1.5,
  *plan(slots, it) {
    return yield* show(it, yield* theReview(it, slots.get("files") ?? null), true)
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
      "(tell|sag) <name:which> <text>",
      "@answer <text> (to|auf) <name:which>",
      "(write|schreib|schreibe|sende|gib) <name:which> [back|zuruck] : <text>",
      "(write|schreib|schreibe) (to|unter|zu|an) <name:which> : <text>",
      "(leave|schreib|add|post|gib|hinterlass) (a|an|eine|the) (reply|answer|antwort|response) (to|on|auf|zu|under|unter) <name:which> [:|saying|that says] <text>",
      "#reply (to|auf) <name:which> : <text>",
      "(auf|to) <name:which> @answer : <text>",
      "<name:which> @answer : <text>"
    ],
    judge: (slots) => {
      const which = slots.get("name", "which")
      if (/^(?:me|us|mir|uns|who|how|what|when|where|if|if somebody)\b/i.test(which ?? "")) return null
      return which !== undefined &&
          !/note|comment|feedback|notiz|kommentar|anmerkung|bemerkung|rückmeldung|him|her|them|it|'s|remark|darauf|last|first/i
            .test(which)
        ? -1
        : 0.8
    },
    *plan(slots, it) {
      const which = slots.get("name", "which") ?? null
      const on = / (?:on|of|to|zu|zum|auf|about|bei) (?!the (?:last|first|note))(\S.*)$/i.exec(which ?? "")?.[1]
      const all = yield* reviews(it)
      const named = on === undefined
        ? undefined
        : all.find(({ file }) => file.fileName.toLowerCase().startsWith(on.toLowerCase()))
      const review = named ?? (yield* theReview(it, null))
      const noteWords = which === null || /^(?:it|him|her|them|that|this|darauf)$/i.test(which)
        ? null
        : which.replace(
          named === undefined ? "" : / (?:on|of|to|zu|zum|auf|about|bei) (?!the (?:last|first|note))\S.*$/i,
          ""
        )
      return yield* reply(it, review, noteWords, slots.get("text")!)
    }
  },
  {
    name: "resolve all notes",
    forms: [
      "@resolve @all #note (on|of|for|zu|von) <files> [as] [@frozen]",
      "@resolve @all #note [as] [@frozen]",
      "@resolve #note (on|of|for|zu) <files> [as] [@frozen]",
      "@resolve @them [as] @frozen",
      "@resolve [@all] #note (on|of|for|to|zu|von|bei) <files> (to|as|als|auf) @frozen",
      "@all #note (on|of|for|to|zu|von|bei) <files> @is [all|now|alle|jetzt] @frozen",
      "@all #note (on|of|for|to|zu|von|bei) <files> @should [be] @frozen [be|werden|sein]",
      "@resolve (everything|all|alles) (on|of|for|zu|bei|an) <files> [as] [@frozen]",
      "(everything|alles|all) (on|zu|bei|an) <files> @is @frozen",
      "#note (on|of|for|to|zu|von|bei) <files> @is all @frozen",
      "@all #note (on|of|for|to|zu|von|bei) <files> [als] [@frozen] @resolve",
      "@resolve @all [of] #note [on it|there|davon] [as|als] [@frozen]",
      "@resolve @them (all|off|alle|ab) [as|als] [@frozen]"
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
    forms: [
      "@delete #note <name:which>",
      "@delete <name:which> #note",
      "@delete <name:which> #note (on|of|from|zu|bei|an) <files>",
      "@delete #note (of|from|by|von) <name:which> (on|zu|bei|an) <files>"
    ],
    judge: () => 1,
    *plan(slots, it) {
      const review = yield* theReview(it, slots.get("files") ?? null)
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
