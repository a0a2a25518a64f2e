/** Reviews, and notes on them, by the words that people use for them. */
import type { FileQuery } from "../files/FileQuery.ts"
import { findFiles } from "../files/findFiles.ts"
import { mention } from "../Focus.ts"
import { plainName } from "../grammar/Spelling.ts"
import { type Plan, Stopped } from "../Plan.ts"
import { call, type PlanContext, say } from "../PlanContext.ts"
import { choose } from "./Choosing.ts"
import type { ReviewItem } from "./Records.ts"

export function* reviews(it: PlanContext): Plan<ReadonlyArray<ReviewItem>> {
  it.known.reviews ??= (yield* call<{ readonly reviews: ReadonlyArray<ReviewItem> }>(it, "select_file_reviews")).reviews
  return it.known.reviews
}

export const mentionReview = (it: PlanContext, review: ReviewItem): ReviewItem => {
  mention(it.focus, "review", { id: review.id, name: review.file.fileName })
  return review
}

/** The review that is meant: of a file, the one mentioned, or the only one. */
export function* theReview(it: PlanContext, query: FileQuery | null): Plan<ReviewItem> {
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

/** Whether one of the files that words mean has a review. */
export function* hasReview(it: PlanContext, query: FileQuery): Plan<boolean> {
  const all = yield* reviews(it)
  if (query.refer !== null) return all.some(({ id }) => id === it.focus.review?.id)
  const names = [...query.names, ...query.words].map(plainName)
  return all.some(({ file }) => names.length > 0 && names.every((word) => plainName(file.fileName).includes(word)))
}
