/** Reviews, and notes on them, by the words that people use for them. */
import type { FileQuery } from "../files/FileQuery.ts"
import { findFiles } from "../files/findFiles.ts"
import { mention } from "../Focus.ts"
import { plainName } from "../grammar/Spelling.ts"
import { type Plan, Stopped } from "../Plan.ts"
import { call, say, type Situation } from "../Situation.ts"
import { choose } from "./Choosing.ts"
import type { NoteItem, ReviewItem } from "./Records.ts"

export function* reviews(it: Situation): Plan<ReadonlyArray<ReviewItem>> {
  it.known.reviews ??= (yield* call<{ readonly reviews: ReadonlyArray<ReviewItem> }>(it, "select_file_reviews")).reviews
  return it.known.reviews
}

const mentionReview = (it: Situation, review: ReviewItem): ReviewItem => {
  mention(it.focus, "review", { id: review.id, name: review.file.fileName })
  return review
}

/** The review that is meant: of a file, the one mentioned, or the only one. */
export function* theReview(it: Situation, query: FileQuery | null): Plan<ReviewItem> {
  const all = yield* reviews(it)
  if (all.length === 0) throw new Stopped({ text: say(it, "There are no reviews.", "Es gibt keine Reviews.") })
  const question = say(it, "Which review do you mean?", "Welches Review meinst du?")
  const name = ({ file, message }: ReviewItem): string =>
    message === null ? file.fileName : `${file.fileName}: ${message}`
  if (query === null || (query.refer !== null && it.focus.latest === "review")) {
    const mentioned = all.find(({ id }) => id === it.focus.review?.id)
    if (mentioned !== undefined) return mentionReview(it, mentioned)
    if (all.length === 1) return mentionReview(it, all[0]!)
    const open = all.filter((review) => review.open)
    return mentionReview(
      it,
      open.length === 1 ? open[0]! : yield* choose(it, open.length > 0 ? open : all, question, name)
    )
  }
  const words = [...query.names, ...query.words, ...query.nameParts.map(({ text }) => text)].map(plainName)
    .filter((word) => !/^(?:reviews?|sichtung|durchsicht|feedback|the|der|die|das)$/.test(word))
  const byName = all.filter((review) =>
    words.length > 0 && words.every((word) => plainName(name(review)).includes(word))
  )
  const ids = byName.length > 0 ? null : new Set((yield* findFiles(it, query)).files.map(({ id }) => id))
  const found = ids === null ? byName : all.filter(({ file }) => ids.has(file.id))
  if (found.length === 1) return mentionReview(it, found[0]!)
  if (found.length > 1) return mentionReview(it, yield* choose(it, found, question, name))
  if (all.length === 1 && query.words.length + query.names.length === 0) return mentionReview(it, all[0]!)
  throw new Stopped({
    text: say(
      it,
      `There is no review of that. There are reviews of: ${all.map(({ file }) => file.fileName).join(", ")}.`,
      `Davon gibt es kein Review. Reviews gibt es von: ${all.map(({ file }) => file.fileName).join(", ")}.`
    )
  })
}

/** The note that words mean: of a reviewer, at a time, with a word in it, the last one, or the only one. */
export function* theNote(it: Situation, review: ReviewItem, said: string | null): Plan<NoteItem> {
  const { notes } = review
  const mentionNote = (note: NoteItem): NoteItem => {
    it.focus.note = { id: note.id, name: note.text }
    return note
  }
  if (notes.length === 0) {
    throw new Stopped({
      text: say(it, `${review.file.fileName} has no notes.`, `${review.file.fileName} hat keine Notizen.`)
    })
  }
  const wanted = plainName(said ?? "")
  const mentioned = wanted === "" ? notes.find(({ id }) => id === it.focus.note?.id) : undefined
  if (mentioned !== undefined) return mentioned
  const time = /\b\d{1,3}:\d{2}\b/.exec(said ?? "")?.[0]
  const words = wanted.split(" ").filter((word) =>
    word !== "" &&
    !/^(?:the|a|note|notes|comment|comments|notiz|kommentar|from|of|at|by|about|von|der|die|das|den|dem|s|to|bei|last|first|letzte|letzten)$/
      .test(word)
  )
  const fits = ({ reviewer, text, timecode }: NoteItem): boolean =>
    time !== undefined
      ? timecode === time
      : words.every((word) =>
        plainName(`${reviewer.name} ${text}`).split(" ").some((one) => one.startsWith(word) || `${one}s` === word)
      )
  const found = notes.filter(fits)
  const open = found.filter(({ resolved }) => !resolved)
  if (/\b(?:last|latest|newest|letzte\w*|neueste\w*)\b/i.test(said ?? "") && found.length > 0) {
    return mentionNote(found.at(-1)!)
  }
  if (/\b(?:first|erste\w*)\b/i.test(said ?? "") && found.length > 0) return mentionNote(found[0]!)
  const candidates = found.length === 1 ? found : open.length > 0 ? open : found.length > 0 ? found : notes
  if (candidates.length === 1) return mentionNote(candidates[0]!)
  return mentionNote(
    yield* choose(
      it,
      candidates,
      say(it, "Which note do you mean?", "Welche Notiz meinst du?"),
      ({ reviewer, text, timecode }) => `${timecode ?? "–"} ${reviewer.name}: ${text}`
    )
  )
}
