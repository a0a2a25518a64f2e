import { useComputed, useSignal } from "@preact/signals"
import { useEffect, useMemo, useRef } from "preact/hooks"
import { Button } from "../components/Button.tsx"
import { Dialog } from "../components/Dialog.tsx"
import { Icon } from "../components/Icon.tsx"
import { LongText } from "../components/LongText.tsx"
import { notify, say } from "../foundation/announce.ts"
import { common } from "../foundation/common.ts"
import { dateTime, shown } from "../foundation/format.ts"
import { keepFocus } from "../foundation/keepFocus.ts"
import { Composer } from "./Composer.tsx"
import { Controls } from "./Controls.tsx"
import type { Draft } from "./Draft.ts"
import { leaveFull, toggleFull } from "./fullScreen.ts"
import { listen } from "./keys.ts"
import { Keys } from "./Keys.tsx"
import type { NoteActions, Selected } from "./NoteItem.tsx"
import { Notes } from "./Notes.tsx"
import { isOnline } from "./online.ts"
import type { Note, OpenedReview } from "./OpenedReview.ts"
import { neighbour, passedAt } from "./passed.ts"
import type { Player } from "./Player.ts"
import { placeOf } from "./positions.ts"
import { endsLink, refusalOf } from "./refusal.ts"
import type { ReviewLink } from "./ReviewLink.ts"
import { Stage } from "./Stage.tsx"
import { t } from "./texts.ts"
import { Timeline } from "./Timeline.tsx"
import { isWrittenAt } from "./writing.ts"

const Head = ({ review: { downloadUrl, expireTime, file, message } }: { readonly review: OpenedReview }) => (
  <header class="review-head">
    <div class="review-title">
      <h1 dir="auto">{shown(file.fileName)}</h1>
      {downloadUrl === null ? null : (
        <a class="button button-secondary" href={downloadUrl} download>
          <Icon name="download" />
          {t("review.download")}
        </a>
      )}
    </div>
    {message === null ? null : <LongText class="review-message" text={shown(message)} />}
    {expireTime === null ? null : (
      <p class="review-until">
        <Icon name="clock" size={16} />
        {t("review.until", { time: dateTime(expireTime) })}
      </p>
    )}
  </header>
)

const Removal = ({ hasReplies, onClose, onRemove }: {
  readonly hasReplies: boolean
  readonly onClose: () => void
  readonly onRemove: () => void
}) => (
  <Dialog
    title={t("review.deleteTitle")}
    onClose={onClose}
    actions={
      <>
        <Button onClick={onClose}>{common("common.cancel")}</Button>
        <Button kind="danger" onClick={onRemove}>{t("review.delete")}</Button>
      </>
    }
  >
    <p>{t(hasReplies ? "review.deleteReplies" : "review.deleteText")}</p>
  </Dialog>
)

export interface ReviewedProps {
  readonly link: ReviewLink
  readonly review: OpenedReview
  readonly player: Player
  readonly draft: Draft
}

/** The open review: the player, what is written, and the notes. */
export const Reviewed = ({ draft, link, player, review }: ReviewedProps) => {
  const frame = useRef<HTMLDivElement>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  const selected = useSignal<Selected | null>(null)
  const showsDone = useSignal(true)
  const showsKeys = useSignal(false)
  const removing = useSignal<string | null>(null)
  const { book, reviewing } = link
  const all = book.list.value
  const open = reviewing.typed.open.value
  const notes = useMemo(
    () => showsDone.value ? all : all.filter((note) => !note.resolved || isWrittenAt(note, open)),
    [all, showsDone.value, open]
  )
  const passed = useComputed(() => passedAt(book.list.value, player.position.value))
  const plays = review.stream !== null

  const goTo = (note: Note): void => {
    player.pause()
    if (note.seconds !== null) player.seek(note.seconds)
    selected.value = { id: note.id }
  }
  const select = (note: Note): void => {
    goTo(note)
    const span = note.seconds === null ? null : { from: note.seconds, to: note.endSeconds }
    say(`${placeOf(player, span)}: ${shown(note.reviewer.name)}: ${shown(note.text)}`)
  }

  const latest = useRef({ notes, select })
  latest.current = { notes, select }

  useEffect(() =>
    listen({
      player,
      draft,
      onNote: () => {
        player.pause()
        void leaveFull().then(() => field.current?.focus())
      },
      onNext: (direction) => {
        const found = neighbour(latest.current.notes, direction, {
          selected: selected.peek()?.id ?? null,
          position: player.position.peek()
        })
        if (found !== undefined) latest.current.select(found)
      },
      onFull: () => {
        if (frame.current !== null && player.isVideo.peek()) void toggleFull(frame.current)
      },
      onHelp: () => void (showsKeys.value = true)
    }), [player, draft])

  const remove = async (id: string): Promise<void> => {
    removing.value = null
    try {
      await reviewing.remove(id)
      say(t("review.deleted"))
      keepFocus("#notes")
    } catch (error) {
      if (endsLink(error)) link.fail(error)
      else notify(refusalOf(error), "error")
    }
  }
  const actions = useMemo((): NoteActions => ({
    player,
    reviewing,
    isOwn: book.isOwn,
    onSelect: select,
    onRemove: (id) => void (removing.value = id),
    onEnded: link.fail
  }), [link, player])
  const { value: removingId } = removing

  return (
    <>
      <Head review={review} />
      {isOnline.value ? null : (
        <p class="offline" role="status">
          <Icon name="unplugged" />
          {common("common.offline")}
        </p>
      )}
      <div class="review-grid">
        <div class="review-main">
          <div class={`player${plays ? "" : " player-still"}`} ref={frame}>
            <Stage link={link} player={player} review={review} />
            {plays
              ? (
                <>
                  <Timeline
                    player={player}
                    draft={draft}
                    notes={notes}
                    peaks={link.peaks.value}
                    selected={selected.value?.id ?? null}
                    onSelect={select}
                  />
                  <Controls player={player} frame={frame} onKeys={() => void (showsKeys.value = true)} />
                </>
              )
              : null}
          </div>
          <Composer
            player={player}
            draft={draft}
            reviewing={reviewing}
            field={field}
            hasPositions={plays}
            onLeft={(note) => void (selected.value = { id: note.id })}
            onEnded={link.fail}
          />
        </div>
        <Notes
          notes={notes}
          total={all.length}
          state={link.notes.value}
          actions={actions}
          showsDone={showsDone.value}
          onShowDone={(shows) => void (showsDone.value = shows)}
          countDone={all.filter(({ resolved }) => resolved).length}
          selected={selected}
          passed={passed}
          onRetry={() => void link.readNotes()}
        />
      </div>
      {showsKeys.value
        ? (
          <Keys
            isVideo={player.isVideo.value}
            hasFrames={player.rate.value !== null}
            onClose={() => void (showsKeys.value = false)}
          />
        )
        : null}
      {removingId === null ? null : (
        <Removal
          hasReplies={(book.get(removingId)?.replies.length ?? 0) > 0}
          onClose={() => void (removing.value = null)}
          onRemove={() => void remove(removingId)}
        />
      )}
    </>
  )
}
