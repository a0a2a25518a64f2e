import { type ReadonlySignal, useComputed } from "@preact/signals"
import { Icon } from "../components/Icon.tsx"
import { NoteText } from "../components/NoteText.tsx"
import { Others } from "../components/Others.tsx"
import { shown } from "../foundation/format.ts"
import { timeOf } from "./numbers.ts"
import type { Note, Reply } from "./OpenedReview.ts"
import type { Player } from "./Player.ts"
import { placeOf } from "./positions.ts"
import { endsLeaving, endsLink, refusalOf } from "./refusal.ts"
import type { Reviewing } from "./Reviewing.ts"
import { TextForm } from "./TextForm.tsx"
import { t } from "./texts.ts"
import { editOf, replyTo } from "./writing.ts"

export interface NoteActions {
  readonly player: Player
  readonly reviewing: Reviewing
  /** Whose notes live news do not say. */
  readonly isOwn: (id: string) => boolean
  readonly onSelect: (note: Note) => void
  /** Asks first. */
  readonly onRemove: (id: string) => void
  readonly onEnded: (error: unknown) => void
}

/** Calls the drive for a form; answers what is wrong. */
const taken = async (
  { onEnded }: NoteActions,
  call: Promise<unknown>,
  { ends, onDone }: { readonly ends: (error: unknown) => boolean; readonly onDone: () => void }
): Promise<string | undefined> => {
  try {
    await call
    onDone()
    return undefined
  } catch (error) {
    if (!ends(error)) return refusalOf(error)
    onEnded(error)
    return undefined
  }
}

/** A text that is being written below a note, null for none. */
const useTyped = ({ reviewing: { typed } }: NoteActions, of: string) => {
  const text = useComputed(() => typed.textOf(of))
  return [text.value, (next: string | null): void => typed.write(of, next)] as const
}

interface WrittenProps {
  readonly id: string
  readonly text: string
  readonly author: string
  /** Known when the drive has answered; news of a note may come before. */
  readonly isOwn: boolean
  readonly actions: NoteActions
  readonly onReply?: (() => void) | undefined
}

/** The text of a note or a reply; its author changes and deletes it. */
const Written = ({ actions, author, id, isOwn, onReply, text }: WrittenProps) => {
  const of = editOf(id)
  const [value, write] = useTyped(actions, of)
  const { reviewing } = actions
  if (value !== null) {
    return (
      <TextForm
        reviewing={reviewing}
        label={t("review.newText")}
        text={value}
        isSigned={false}
        onInput={write}
        sendLabel={t("review.save")}
        emptyError={t("review.failed.text")}
        onCancel={() => write(null)}
        send={() =>
          taken(actions, reviewing.edit(id, value), {
            ends: endsLink,
            onDone: () => reviewing.typed.saved(of, value)
          })}
      />
    )
  }
  return (
    <>
      <NoteText text={shown(text)} />
      {onReply === undefined && !isOwn ? null : (
        <div class="note-actions">
          {onReply === undefined ? null : (
            <button
              type="button"
              class="link-button"
              aria-label={t("review.replyTo", { name: shown(author) })}
              onClick={onReply}
            >
              {t("review.reply")}
            </button>
          )}
          {isOwn
            ? (
              <>
                <button type="button" class="link-button" onClick={() => write(text)}>
                  {t("review.edit")}
                </button>
                <button type="button" class="link-button" onClick={() => actions.onRemove(id)}>
                  {t("review.delete")}
                </button>
              </>
            )
            : null}
        </div>
      )}
    </>
  )
}

const ReplyItem = ({ actions, reply }: { readonly reply: Reply; readonly actions: NoteActions }) => (
  <li class="reply">
    <p class="note-head">
      <span class="note-author">
        <Others text={reply.author.name} />
      </span>
      {reply.author.owner ? <span class="badge">{t("review.owner")}</span> : null}
      <time dateTime={reply.insertTime}>{timeOf(reply.insertTime)}</time>
    </p>
    <Written
      id={reply.id}
      text={reply.text}
      author={reply.author.name}
      isOwn={actions.isOwn(reply.id)}
      actions={actions}
    />
  </li>
)

/** The note that was gone to last. Each time is another value, so that the same one comes into view again. */
export interface Selected {
  readonly id: string
}

export interface NoteItemProps {
  readonly note: Note
  readonly actions: NoteActions
  /** The note that was gone to last, and the one that the player is at. */
  readonly selected: ReadonlySignal<Selected | null>
  readonly passed: ReadonlySignal<string | null>
}

export const NoteItem = ({ actions, note, passed, selected }: NoteItemProps) => {
  const of = replyTo(note.id)
  const [value, write] = useTyped(actions, of)
  const isSelected = useComputed(() => selected.value?.id === note.id).value
  const isPassed = useComputed(() => passed.value === note.id).value
  const { player, reviewing } = actions
  const name = shown(note.reviewer.name)
  const span = note.seconds === null ? null : { from: note.seconds, to: note.endSeconds }
  const place = placeOf(player, span)
  return (
    <li
      class={`note${isSelected ? " note-selected" : ""}${isPassed ? " note-passed" : ""}${
        note.resolved ? " note-done" : ""
      }`}
      data-note={note.id}
      aria-current={isSelected ? "true" : undefined}
    >
      <p class="note-head">
        <span class="note-author">
          <Others text={note.reviewer.name} />
        </span>
        <time dateTime={note.insertTime}>{timeOf(note.insertTime)}</time>
        {note.editTime === null ? null : <span>· {t("review.edited")}</span>}
      </p>
      <p class="note-place">
        {span === null
          ? (
            <span class="chip">
              <Icon name="file" size={14} />
              {place}
            </span>
          )
          : (
            <button
              type="button"
              class="chip"
              onClick={() => actions.onSelect(note)}
              aria-label={t("review.goTo", { place })}
            >
              {place}
            </button>
          )}
        {note.resolved
          ? (
            <span class="badge badge-good">
              <Icon name="check" size={14} />
              {t("review.resolved")}
            </span>
          )
          : null}
      </p>
      <Written
        id={note.id}
        text={note.text}
        author={note.reviewer.name}
        isOwn={actions.isOwn(note.id)}
        actions={actions}
        onReply={value === null ? () => write("") : undefined}
      />
      {note.replies.length === 0 ? null : (
        <ul class="replies" aria-label={t("review.repliesTo", { name })}>
          {note.replies.map((reply) => <ReplyItem key={reply.id} reply={reply} actions={actions} />)}
        </ul>
      )}
      {value === null ? null : (
        <TextForm
          reviewing={reviewing}
          label={t("review.yourReply", { name })}
          placeholder={t("review.writeReply")}
          text={value}
          onInput={write}
          sendLabel={t("review.reply")}
          emptyError={t("review.failed.text")}
          onCancel={() => write(null)}
          send={() =>
            taken(actions, reviewing.reply(note.id, value), {
              ends: endsLeaving,
              onDone: () => reviewing.typed.sent(of, value)
            })}
        />
      )}
    </li>
  )
}
