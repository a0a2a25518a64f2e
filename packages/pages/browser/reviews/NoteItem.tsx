import { useComputed, useSignal } from "@preact/signals"
import { Button, IconButton } from "../components/Button.tsx"
import { Icon } from "../components/Icon.tsx"
import { NoteText } from "../components/NoteText.tsx"
import { Others } from "../components/Others.tsx"
import { say } from "../foundation/announce.ts"
import { shown } from "../foundation/format.ts"
import { keepFocus } from "../foundation/keepFocus.ts"
import { lines } from "../foundation/sendable.ts"
import { act } from "../owner/act.ts"
import { More } from "../owner/More.tsx"
import { ownerText } from "../owner/texts.ts"
import { Time } from "../owner/Time.tsx"
import { positionOf } from "./position.ts"
import { ReplyForm } from "./ReplyForm.tsx"
import type { FileReview, Note, Reply, Reviews } from "./reviews.ts"
import { t } from "./texts.ts"

/** What is asked about before it is deleted: a note, or one of its replies. */
export interface Deletion {
  readonly id: string
  readonly noteId: string
  readonly name: string
  readonly isReply: boolean
  readonly countReplies: number
}

/** Deletes all of one reviewer's. */
const MoreOf = ({ name, onDelete }: { readonly name: string; readonly onDelete: () => void }) => (
  <More label={ownerText("owner.moreOf", { name })}>
    <Button kind="risky" icon="trash" onClick={onDelete}>{t("reviews.deleteReviewer", { name })}</Button>
  </More>
)

interface ReplyItemProps {
  readonly reply: Reply
  /** Who wrote the note. */
  readonly to: string
  readonly onDelete: () => void
  readonly onDeleteReviewer: () => void
}

const ReplyItem = ({ onDelete, onDeleteReviewer, reply, to }: ReplyItemProps) => {
  const { author, insertTime, text } = reply
  return (
    <li class="reply">
      <div class="reply-head">
        <p class="note-who">
          {author.owner ? <span class="reply-you">{t("reviews.you")}</span> : <Others text={author.name} />}
          <Time iso={insertTime} />
        </p>
        {author.owner ? null : <MoreOf name={shown(author.name)} onDelete={onDeleteReviewer} />}
        <IconButton
          icon="trash"
          label={author.owner
            ? t("reviews.deleteOwnReply", { name: to })
            : t("reviews.deleteReply", { name: shown(author.name) })}
          onClick={onDelete}
        />
      </div>
      <NoteText text={shown(text)} />
    </li>
  )
}

export interface NoteItemProps {
  readonly note: Note
  readonly review: FileReview
  readonly reviews: Reviews
  /** Asks first. */
  readonly onDelete: (deletion: Deletion) => void
  /** Asks before all that was left under a name is deleted. */
  readonly onDeleteReviewer: (name: string) => void
}

export const NoteItem = ({ note, onDelete, onDeleteReviewer, review, reviews }: NoteItemProps) => {
  const { editTime, id: noteId, insertTime, replies, resolved, reviewer, text } = note
  const name = shown(reviewer.name)
  const { replies: typed } = reviews
  const answer = useComputed(() => typed.textOf(noteId)).value
  const isBusy = useSignal(false)

  const changed = () => {
    reviews.changed()
    return reviews.reload()
  }

  const afterReply = () => keepFocus(`[data-note="${noteId}"] .note-actions .button`)

  const reply = async (text: string) => {
    await reviews.client.replyToReviewNote({ noteId, text: lines(text) })
    await changed()
    typed.sent(noteId, text)
    afterReply()
    say(t("reviews.answered"))
  }

  const setResolved = async () => {
    isBusy.value = true
    const next = document.querySelector(`[data-note="${noteId}"] + [data-note]`)?.getAttribute("data-note")
    const isDone = await act(() => reviews.client.setReviewNoteResolved({ noteId, resolved: !resolved }))
    await changed()
    isBusy.value = false
    // Where only open notes are listed, this one has gone.
    keepFocus(next == null ? ".notes-filter input" : `[data-note="${next}"] .note-actions .button`)
    if (isDone) say(t(resolved ? "reviews.isReopened" : "reviews.isResolved"))
  }

  const askToDelete = (of: Pick<Deletion, "id" | "name" | "isReply">) =>
    onDelete({ ...of, noteId, countReplies: replies.length })

  return (
    <li class={`card note${resolved ? " note-resolved" : ""}`} data-note={noteId}>
      <div class="note-head">
        <span class="note-place">{positionOf(note, review) ?? t("reviews.wholeFile")}</span>
        <p class="note-who">
          <Others text={reviewer.name} />
          <Time iso={insertTime} />
          {editTime === null ? null : <span>{t("reviews.edited")}</span>}
        </p>
        <MoreOf name={name} onDelete={() => onDeleteReviewer(reviewer.name)} />
        {resolved
          ? (
            <span class="status status-done">
              <Icon name="check" size={14} />
              {t("reviews.resolved")}
            </span>
          )
          : null}
      </div>
      <NoteText text={shown(text)} />
      {replies.length === 0 ? null : (
        <ul class="replies">
          {replies.map((one) => (
            <ReplyItem
              key={one.id}
              reply={one}
              to={name}
              onDeleteReviewer={() => onDeleteReviewer(one.author.name)}
              onDelete={() => askToDelete({ id: one.id, name: shown(one.author.name), isReply: true })}
            />
          ))}
        </ul>
      )}
      {answer !== null
        ? (
          <ReplyForm
            name={name}
            text={answer}
            onInput={(text) => typed.write(noteId, text)}
            onReply={() => reply(answer)}
            onCancel={() => {
              typed.write(noteId, null)
              afterReply()
            }}
          />
        )
        : (
          <div class="note-actions">
            <Button
              kind="quiet"
              icon="reply"
              label={t("reviews.replyToNote", { name })}
              onClick={() => typed.write(noteId, "")}
            >
              {t("reviews.reply")}
            </Button>
            <Button
              kind="quiet"
              icon={resolved ? "undo" : "check"}
              label={t(resolved ? "reviews.reopenNoteOf" : "reviews.resolveNote", { name })}
              busy={isBusy.value}
              onClick={() => void setResolved()}
            >
              {resolved ? t("reviews.reopenNote") : t("reviews.resolve")}
            </Button>
            <IconButton
              icon="trash"
              label={t("reviews.deleteNote", { name })}
              onClick={() => askToDelete({ id: noteId, name, isReply: false })}
            />
          </div>
        )}
    </li>
  )
}
