import { notify } from "../foundation/announce.ts"
import { listed, shown } from "../foundation/format.ts"
import { keepFocus } from "../foundation/keepFocus.ts"
import { act } from "../owner/act.ts"
import { Ask } from "../owner/Ask.tsx"
import { ownerText } from "../owner/texts.ts"
import type { FileReview, Reviews } from "./reviews.ts"
import { t } from "./texts.ts"

export interface RemovingReviewerProps {
  readonly reviews: Reviews
  readonly review: FileReview
  readonly isWhole: boolean
  readonly reviewer: string
  readonly onClose: () => void
}

/** How much was left under a name; null while not all of the notes are on the page. */
const amountOf = ({ nextCursor, notes }: FileReview, isWhole: boolean, reviewer: string) => {
  if (!isWhole || nextCursor !== null) return null
  const isOf = (author: FileReview["notes"][number]["replies"][number]["author"]) =>
    !author.owner && author.name === reviewer
  const own = notes.filter((note) => note.reviewer.name === reviewer)
  const count = (key: "reviews.notes" | "reviews.replies" | "reviews.repliesToThese", count: number) =>
    count === 0 ? [] : [t(key, { count })]
  const replies = notes.flatMap((note) => note.replies).filter(({ author }) => isOf(author)).length
  const toThese = own.flatMap((note) => note.replies).filter(({ author }) => !isOf(author)).length
  const left = [...count("reviews.notes", own.length), ...count("reviews.replies", replies)]
  return { left: listed(left), all: listed([...left, ...count("reviews.repliesToThese", toThese)]) }
}

/** Asks before all that was left under a name is deleted: how much that is, and what it does not help against. */
export const RemovingReviewer = ({ isWhole, onClose, review, reviewer, reviews }: RemovingReviewerProps) => {
  const name = shown(reviewer)
  const amount = amountOf(review, isWhole, reviewer)
  const remove = async () => {
    const isDone = await act(() => reviews.client.deleteReviewNotes({ reviewId: review.id, reviewer }))
    reviews.changed()
    await reviews.reload()
    keepFocus(".part-head h2")
    if (isDone) notify(t("reviews.reviewerDeleted", { name }))
    return isDone
  }
  return (
    <Ask
      title={t("reviews.deleteReviewerTitle", { name })}
      action={ownerText("owner.deleteWhat", { what: amount?.left ?? t("reviews.allNotes") })}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        {amount === null
          ? t("reviews.deleteReviewerAll", { name })
          : t("reviews.deleteReviewerText", { name, what: amount.all })}
      </p>
      <p>{ownerText("owner.nameProves")}</p>
    </Ask>
  )
}
