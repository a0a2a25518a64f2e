/** Which note somebody means by words like "Ruth's note about the logo on mix.mp3": the file, who wrote it, what it says, when in the file. */
import { plainName } from "../grammar/Spelling.ts"
import { type Plan, Stopped } from "../Plan.ts"
import { type PlanContext, say } from "../PlanContext.ts"
import { choose } from "./Choosing.ts"
import type { NoteItem, ReviewItem } from "./Records.ts"
import { mentionReview, reviews } from "./Reviews.ts"

export interface NotedOn {
  readonly review: ReviewItem
  readonly notes: ReadonlyArray<NoteItem>
}

/** Words that are in every description of a note. */
const common = new Set(
  ("the a an that this it its his her their note notes comment comments remark remarks feedback annotation annotations from of at by about to on in for with and or " +
    "left wrote made said says has have is was are were been i we you my our please thing point issue question everything all what both each one ones last first latest newest " +
    "review reviewer concerning regarding where who which who's s now sorted fixed done again still file video track song mix clip " +
    "notiz notizen kommentar kommentare anmerkung anmerkungen bemerkung bemerkungen ruckmeldung hinweis von der die das den dem des zu zum zur uber auf bei an mit und wegen " +
    "ihre ihren seine seinen ihr sein alle alles beide was letzte letzten erste ersten geschrieben gemacht hat haben ist sind im in es ihm ihn mal bitte")
    .split(" ")
)

const numberOf: Readonly<Record<string, number>> = {
  second: 1,
  third: 2,
  fourth: 3,
  zweite: 1,
  zweiten: 1,
  dritte: 2,
  dritten: 2
}

/** The review whose file's name is in the words, and the words without it; null where no name is. */
const named = (
  all: ReadonlyArray<ReviewItem>,
  text: string
): { readonly found: ReadonlyArray<ReviewItem>; readonly rest: string } | null => {
  const words = ` ${text} `
  const parts = all.flatMap((review) => {
    const full = plainName(review.file.fileName)
    const stem = plainName(review.file.fileName.replace(/\.[^.]+$/, ""))
    const found = [full, stem].find((name) => name !== "" && words.includes(` ${name} `))
    return found === undefined ? [] : [{ review, name: found }]
  })
  const longest = Math.max(0, ...parts.map(({ name }) => name.length))
  const best = parts.filter(({ name }) => name.length === longest)
  return best.length === 0
    ? null
    : { found: best.map(({ review }) => review), rest: words.replace(` ${best[0]!.name} `, " ").trim() }
}

/** Whether a word of a description is in a note: said as it is, or as its beginning or plural. */
const isIn = (word: string, text: string): boolean =>
  plainName(text).split(" ").some((one) =>
    one === word || `${one}s` === word || one === `${word}s` || (word.length > 3 && one.startsWith(word)) ||
    (one.length > 4 && word.startsWith(one))
  )

/** Other words for what notes speak of. */
const related: ReadonlyArray<RegExp> = [
  /^(?:sound|ton|audio|volume|lautstarke|music|musik|loud|laut|leise|quiet|noise|hum|mix|mixed)$/,
  /^(?:colou?rs?|farben?|grading|look|dark|dunkel|bright|hell)$/,
  /^(?:typo|spelling|tippfehler|rechtschreibung|name|text|title|titel|schrift)$/
]

const isRelated = (word: string, text: string): boolean =>
  related.some((words) => words.test(word) && plainName(text).split(" ").some((one) => words.test(one)))

/** The reviews and notes that the words mean: those that have most of the words. */
export function* notesMeant(it: PlanContext, said: string | null): Plan<NotedOn> {
  const all = yield* reviews(it)
  if (all.length === 0) throw new Stopped({ text: say(it, "There are no reviews.", "Es gibt keine Reviews.") })
  const text = plainName(said ?? "")
  const name = named(all, text)
  const time = /\b\d{1,3}:\d{2}(?::\d{2})?\b/.exec(said ?? "")?.[0]
  const words = (name?.rest ?? text).split(" ").filter((word) =>
    word !== "" && !common.has(word) && !/^\d+$/.test(word)
  )
  const scored = (name?.found ?? all).flatMap((review) =>
    review.notes.map((note) => ({
      review,
      note,
      score: words.filter((word) => isIn(word, note.reviewer.name)).length * 2 +
        words.filter((word) => isIn(word, note.text)).length +
        words.filter((word) => !isIn(word, note.text) && isRelated(word, note.text)).length * 0.5 +
        (time !== undefined && note.timecode !== null &&
            note.timecode.replace(/^0?0:/, "").startsWith(time.replace(/^0?0:/, ""))
          ? 3
          : 0)
    }))
  )
  const best = Math.max(0, ...scored.map(({ score }) => score))
  const fitting = best > 0 ? scored.filter(({ score }) => score === best) : []
  const ids = [...new Set(fitting.map(({ review }) => review.id))]
  const focused = all.find(({ id }) => id === it.focus.review?.id)
  const possible = name !== null
    ? name.found
    : ids.length > 0
    ? all.filter(({ id }) => ids.includes(id))
    : all.filter(({ notes }) => notes.length > 0)
  const review = possible.length === 1
    ? possible[0]!
    : focused !== undefined && (possible.length === 0 || possible.includes(focused))
    ? focused
    : yield* choose(
      it,
      possible.length > 0 ? possible : all,
      say(it, "Which review do you mean?", "Welches Review meinst du?"),
      ({ file }) => file.fileName
    )
  mentionReview(it, review)
  const own = fitting.filter((one) => one.review.id === review.id).map(({ note }) => note)
  return { review, notes: own.length > 0 ? own : words.length > 0 || time !== undefined ? [] : review.notes }
}

/** One note by such words; asks back where several fit. */
export function* noteMeant(
  it: PlanContext,
  said: string | null,
  wanted: (note: NoteItem) => boolean = () => true
): Plan<{ readonly review: ReviewItem; readonly note: NoteItem }> {
  const isBare = said === null ||
    /^(?:it|him|her|them|that|this|the note|that note|this note|darauf|ihm|ihr|die notiz|the comment)$/i.test(
      said.trim()
    )
  const mentioned = isBare ? it.focus.note : null
  if (mentioned !== null) {
    for (const review of yield* reviews(it)) {
      const note = review.notes.find(({ id }) => id === mentioned.id)
      if (note !== undefined) return { review: mentionReview(it, review), note }
    }
  }
  const told = isBare ? it.focus.remarks.at(-1) ?? null : said
  const { notes, review } = yield* notesMeant(it, told)
  if (review.notes.length === 0) {
    throw new Stopped({
      text: say(it, `${review.file.fileName} has no notes.`, `${review.file.fileName} hat keine Notizen.`)
    })
  }
  const sure = notes.filter(wanted)
  const ordered = sure.length > 0 ? sure : notes.length > 0 ? notes : review.notes.filter(wanted)
  const place = Object.entries(numberOf).find(([word]) => new RegExp(`\\b${word}\\b`, "i").test(said ?? ""))?.[1]
  const picked = /\b(?:last|latest|newest|letzte\w*|neueste\w*)\b/i.test(said ?? "")
    ? ordered.at(-1)
    : /\b(?:first|erste\w*)\b/i.test(said ?? "")
    ? ordered[0]
    : place === undefined
    ? undefined
    : ordered[place]
  const note = picked ?? (ordered.length === 1 && notes.length > 0 || review.notes.length === 1
    ? ordered[0] ?? review.notes[0]!
    : yield* choose(
      it,
      ordered.length > 0 ? ordered : review.notes,
      say(it, "Which note do you mean?", "Welche Notiz meinst du?"),
      ({ reviewer, text, timecode }) => `${timecode ?? "–"} ${reviewer.name}: ${text}`
    ))
  it.focus.note = { id: note.id, name: note.text }
  return { review, note }
}
