/** Notes of a review: answered, resolved, opened again and deleted, by whatever words say which note. */
import { confirm } from "../drive/Choosing.ts"
import { noteMeant, notesMeant } from "../drive/NoteWords.ts"
import type { NoteItem, ReviewItem } from "../drive/Records.ts"
import { reviews, theReview } from "../drive/Reviews.ts"
import { plainName } from "../grammar/Spelling.ts"
import { type Plan, type PlanReply, Stopped } from "../Plan.ts"
import { call, callEach, type PlanContext, say } from "../PlanContext.ts"
import type { Slots } from "../Slots.ts"
import { counted, quoted, reviewLink } from "../Speech.ts"
import type { Intent } from "./Intent.ts"

function* resolve(
  it: PlanContext,
  review: ReviewItem,
  notes: ReadonlyArray<NoteItem>,
  resolved: boolean
): Plan<PlanReply> {
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

function* reply(it: PlanContext, which: string | null, text: string): Plan<PlanReply> {
  const { note, review } = yield* noteMeant(it, which)
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

const noteNoun =
  /(?:^|[^\p{L}])(?:notes?|comments?|remarks?|feedback|annotations?|notiz(?:en)?|kommentare?|anmerkung(?:en)?|bemerkung(?:en)?|rückmeldung(?:en)?|hinweise?)(?:$|[^\p{L}])/iu

const pronoun = /^(?:it|that|this|that one|this one|him|her|them|darauf|ihm|ihr|das|die|es)$/i

const several =
  /\b(?:all|every|both|everything|alle|beide|sämtliche|alles)\b|\b(?:notes|comments|remarks|annotations|notizen|kommentare|anmerkungen|bemerkungen)\b/i

const which = (slots: Slots): string => (slots.get("text", "which") ?? "").trim()

/** A question, or half of one, is no description of a note. */
const isAsked = (text: string): boolean =>
  /^(?:what|which|who|how|when|where|if|whether|me|us|was|welche\w*|wer|wie|wann|wenn|mir|uns)\b/i.test(text)

/** Whether words for files say whose notes: somebody who wrote one, or anybody in front of the file. */
function* isOfPerson(it: PlanContext, said: string): Plan<boolean> {
  if (/['’]s?\s.*\bnot|.\s(?:on|to|about|zu|bei|auf)\s/i.test(said)) return true
  const words = plainName(said).split(" ")
  return (yield* reviews(it)).some(({ notes }) =>
    notes.some(({ reviewer }) => plainName(reviewer.name).split(" ").some((name) => words.includes(name)))
  )
}

/** Marks the notes that the words mean; all of them only where the words are a plural. */
function* resolveMeant(it: PlanContext, said: string, resolved: boolean): Plan<PlanReply> {
  if (several.test(said)) {
    const { notes, review } = yield* notesMeant(it, said)
    if (notes.length === 0 && review.notes.length > 0) {
      const name = quoted(review.file.fileName)
      throw new Stopped({
        text: say(
          it,
          `No note on ${name} is like that. Which ones do you mean?`,
          `Zu ${name} gibt es keine solche Notiz. Welche meinst du?`
        )
      })
    }
    return yield* resolve(it, review, notes, resolved)
  }
  const { note, review } = yield* noteMeant(
    it,
    pronoun.test(said) ? null : said,
    (note) => note.resolved !== resolved
  )
  return yield* resolve(it, review, [note], resolved)
}

const open =
  "(open|unresolved|outstanding|unfinished|undone|pending|not done|not resolved|offen|nicht erledigt|unerledigt)"

export const noteIntents: ReadonlyArray<Intent> = [
  {
    name: "answer a note",
    forms: [
      "@answer [to|on|auf|under|unter|zu] <text:which> : <text>",
      "@answer [to|on|auf|under|unter|zu] <text:which> (with|saying|and say|and tell them|and write|by saying|mit|und sag|und schreib|dass) <text>",
      "@answer [to|on|auf] <text:which> that <text>",
      "@answer [to|auf] <name:which> <text>",
      "@answer (with|saying|that|mit|:) <text>",
      "(tell|sag) <name:which> (that|:|dass) <text>",
      "(tell|sag) <name:which> <text>",
      "@answer <text> (to|auf) <text:which>",
      "(write|schreib|schreibe|sende|gib) [to|an] <text:which> [back|zuruck] : <text>",
      "(write|schreib|schreibe) (to|unter|zu|an|under) <text:which> : <text>",
      "(leave|schreib|add|post|gib|hinterlass|write|put) (a|an|eine|the) #reply (to|on|auf|zu|under|unter) <text:which> (:|saying|that says|with) <text>",
      "#reply (to|auf) <text:which> : <text>",
      "(auf|to) <text:which> @answer : <text>",
      "<text:which> @answer : <text>",
      "(auf|to|zu) <text:which> (mit) <text> @answer"
    ],
    judge: (slots) => {
      const said = slots.get("name", "which") ?? which(slots)
      if (isAsked(said) || said.includes(":")) return null
      const isNote = noteNoun.test(said) || /'s\b|’s\b|^(?:him|her|them|it|that|darauf|ihm|ihr)$/i.test(said)
      return said === "" || isNote ? 1.2 : -1
    },
    *plan(slots, it) {
      const said = slots.get("name", "which") ?? which(slots)
      return yield* reply(it, said === "" ? null : said, slots.get("text")!)
    }
  },
  {
    name: "resolve all notes",
    forms: [
      "@resolve @all #note (on|of|for|zu|von) <files> [as] [@frozen]",
      "@resolve @all #note [as] [@frozen]",
      "@resolve @them [as] @frozen",
      "@resolve @all #note (on|of|for|to|zu|von|bei) <files> (to|as|als|auf) @frozen",
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
      const files = slots.get("files") ?? null
      // "all notes of Ruth on mix.mp3" are hers alone.
      if (files !== null && (yield* isOfPerson(it, files.said))) {
        return yield* resolveMeant(it, `all ${files.said}`, true)
      }
      const review = yield* theReview(it, files)
      return yield* resolve(it, review, review.notes, true)
    }
  },
  {
    name: "resolve a note",
    forms: [
      "@resolve <text:which> (as|als|to) [@all] [being] @frozen",
      "@resolve <text:which> (off|ab)",
      "@resolve <text:which>",
      "<text:which> (can|could|may) be (@frozen|@resolve|ticked off|checked off|marked as done|closed)",
      "<text:which> @is [all|now|already|jetzt|schon] (@frozen|fixed|sorted|taken care of|addressed|behoben|abgehakt|geklart)",
      "<text:which> (has|have) been (@frozen|fixed|sorted|taken care of|addressed)",
      "<text:which> (als) @frozen @resolve",
      "<text:which> (abhaken|erledigen)",
      "(hak|hake|hakt) <text:which> ab"
    ],
    judge: (slots) => {
      const said = which(slots)
      if (isAsked(said)) return null
      return noteNoun.test(said)
        ? 2.4
        : pronoun.test(said) || /\b(?:said|wrote|geschrieben|gesagt)\b/i.test(said)
        ? 0.8
        : null
    },
    plan: (slots, it) => resolveMeant(it, which(slots), true)
  },
  {
    name: "unresolve a note",
    forms: [
      "(reopen|unresolve|untick|uncheck|un-resolve) <text:which>",
      `(mark|set|put|change|turn|switch|markier|markiere|setz|setze|stell|stelle|mach|mache) <text:which> (as|to|back to|back as|als|auf|wieder auf|wieder als) [wieder] ${open} [again|wieder]`,
      `(mark|set|put|mach|mache) <text:which> [wieder|back] ${open} [again]`,
      "(offne|offnet) <text:which> wieder",
      "<text:which> (isnt|is not|wasnt|is n't|was not|arent|ist nicht|ist noch nicht|ist doch nicht|sind noch nicht|still isnt|is still not) @frozen [yet|after all|noch]",
      "<text:which> wieder (offnen|aufmachen)",
      `<text:which> @should be ${open} again`,
      `<text:which> wieder (als|auf) ${open} (setzen|markieren|stellen)`
    ],
    judge: (slots) => {
      const said = which(slots)
      return isAsked(said) ? null : noteNoun.test(said) ? 2.2 : pronoun.test(said) ? 0.2 : null
    },
    plan: (slots, it) => resolveMeant(it, which(slots), false)
  },
  {
    name: "delete a note",
    forms: ["@delete <text:which>", "<text:which> (loschen|entfernen)"],
    judge: (slots) => {
      const said = which(slots)
      // "delete Ruth's notes on mix.mp3": the file stays.
      if (
        /^(?:\p{L}+(?:['’]s?)? ){0,8}(?:notes?|comments?|remarks?|annotations?|kommentare?|anmerkung(?:en)?|bemerkung(?:en)?|notiz(?:en)?) (?:.* )?(?:on|to|for|zu|bei|an|auf|unter) .*\.\w{2,5}$/iu
          .test(said)
      ) return 4
      // "delete notes.txt" and "the notes of the meeting" are files.
      return /^(?:\p{L}+(?:['’]s?)? ){0,8}?(?:review |last |first |second |latest |letzte |erste )?(?:note|comment|remark|annotation|kommentar|anmerkung|bemerkung|notiz)(?!\.\w)(?:$|[^\p{L}.])/iu
          .test(said)
        ? 1.2
        : null
    },
    *plan(slots, it) {
      const said = which(slots)
      const { note } = yield* noteMeant(it, pronoun.test(said) ? null : said)
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
  }
]
