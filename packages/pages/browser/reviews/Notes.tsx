import { useSignal } from "@preact/signals"
import { Button } from "../components/Button.tsx"
import { Icon } from "../components/Icon.tsx"
import { notify } from "../foundation/announce.ts"
import { keepFocus } from "../foundation/keepFocus.ts"
import { act } from "../owner/act.ts"
import { Ask } from "../owner/Ask.tsx"
import { ownerText } from "../owner/texts.ts"
import { Export } from "./Export.tsx"
import { type Deletion, NoteItem } from "./NoteItem.tsx"
import { RemovingReviewer } from "./RemovingReviewer.tsx"
import type { FileReview, Reviews } from "./reviews.ts"
import { t } from "./texts.ts"

/** Notes that are shown at once, and by which more are. */
const step = 50

export interface NotesProps {
  readonly reviews: Reviews
  readonly review: FileReview
  readonly isWhole: boolean
}

/** The notes on a file, in its order: those on the whole of it first, then by position. */
export const Notes = ({ isWhole, review, reviews }: NotesProps) => {
  const { nextCursor, notes, open } = review
  const most = useSignal(step)
  const isOpenOnly = useSignal(false)
  const isBusy = useSignal(false)
  const deletion = useSignal<Deletion | null>(null)
  const { value: asked } = deletion
  /** Whose notes are all to be deleted, once that is confirmed. */
  const unwanted = useSignal<string | null>(null)
  const { value: reviewer } = unwanted
  const unresolved = notes.filter(({ resolved }) => !resolved)
  const listed = isOpenOnly.value ? unresolved : notes
  // Where something is written or asked about, a note stays, whatever others do.
  const written = reviews.replies.open.value
  const first = new Set(listed.slice(0, most.value))
  const shown = notes.filter((note) => first.has(note) || written.has(note.id) || note.id === asked?.noteId)

  const remove = async ({ id, isReply }: Deletion) => {
    const isDone = await act(() => reviews.client.deleteReviewNote({ noteId: id }))
    reviews.changed()
    await reviews.reload()
    keepFocus(".part-head h2")
    if (isDone) notify(t(isReply ? "reviews.replyDeleted" : "reviews.noteDeleted"))
    return isDone
  }
  const more = async () => {
    most.value += step
    if (most.value <= listed.length || nextCursor === null) return
    isBusy.value = true
    await reviews.moreNotes()
    isBusy.value = false
  }
  return (
    <section class="part">
      <div class="part-head">
        <h2 tabIndex={-1}>{t("reviews.notesTitle")}</h2>
        {notes.length === 0 ? null : <Export reviews={reviews} reviewId={review.id} />}
      </div>
      {notes.length === 0
        ? (
          <div class="card nothing">
            <Icon name="note" size={26} />
            <p>{!isWhole ? t("reviews.loadingNotes") : open ? t("reviews.waiting") : t("reviews.nothing")}</p>
          </div>
        )
        : (
          <>
            <label class="check notes-filter">
              <input
                type="checkbox"
                name="openOnly"
                checked={isOpenOnly.value}
                onChange={(event) => void (isOpenOnly.value = event.currentTarget.checked)}
              />
              <span>{t("reviews.openOnly", { open: unresolved.length, count: notes.length })}</span>
            </label>
            {shown.length === 0
              ? (
                <div class="card nothing">
                  <Icon name="check" size={26} />
                  <p>{t("reviews.allResolved")}</p>
                </div>
              )
              : (
                <ul class="notes">
                  {shown.map((note) => (
                    <NoteItem
                      key={note.id}
                      note={note}
                      review={review}
                      reviews={reviews}
                      onDelete={(one) => void (deletion.value = one)}
                      onDeleteReviewer={(name) => void (unwanted.value = name)}
                    />
                  ))}
                </ul>
              )}
          </>
        )}
      {listed.length > most.value || nextCursor !== null
        ? <Button busy={isBusy.value} onClick={() => void more()}>{t("reviews.moreNotes")}</Button>
        : null}
      {asked === null ? null : (
        <Ask
          title={t(asked.isReply ? "reviews.deleteReplyTitle" : "reviews.deleteNoteTitle")}
          action={ownerText("owner.delete")}
          onConfirm={() => remove(asked)}
          onClose={() => void (deletion.value = null)}
        >
          <p>
            {asked.isReply
              ? t("reviews.deleteReplyText")
              : asked.countReplies === 0
              ? t("reviews.deleteNoteAlone", { name: asked.name })
              : t("reviews.deleteNoteText", { name: asked.name, count: asked.countReplies })}
          </p>
        </Ask>
      )}
      {reviewer === null ? null : (
        <RemovingReviewer
          reviews={reviews}
          review={review}
          isWhole={isWhole}
          reviewer={reviewer}
          onClose={() => void (unwanted.value = null)}
        />
      )}
    </section>
  )
}
