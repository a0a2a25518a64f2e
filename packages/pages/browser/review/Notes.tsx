import { type ReadonlySignal, useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { Button } from "../components/Button.tsx"
import { common } from "../foundation/common.ts"
import { type NoteActions, NoteItem, type Selected } from "./NoteItem.tsx"
import { numberOf } from "./numbers.ts"
import type { Note } from "./OpenedReview.ts"
import { around, grown, type Section, start } from "./section.ts"
import { t } from "./texts.ts"
import { isWrittenAt } from "./writing.ts"

export interface NotesProps {
  readonly notes: ReadonlyArray<Note>
  readonly state: "reading" | "all" | "failed"
  readonly actions: NoteActions
  /** How many there are, shown or not. */
  readonly total: number
  /** Whether those that are dealt with are shown. */
  readonly showsDone: boolean
  readonly onShowDone: (shows: boolean) => void
  readonly countDone: number
  readonly selected: ReadonlySignal<Selected | null>
  readonly passed: ReadonlySignal<string | null>
  readonly onRetry: () => void
}

/** At the ends of what is shown of a long list: when one comes into view, more is. */
const More = ({ label, onSeen }: { readonly label: string; readonly onSeen: () => void }) => {
  const element = useRef<HTMLLIElement>(null)
  useEffect(() => {
    const seen = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) onSeen()
    }, { rootMargin: "600px" })
    seen.observe(element.current!)
    return () => seen.disconnect()
  })
  return (
    <li class="notes-more" ref={element}>
      <button type="button" class="link-button" onClick={onSeen}>{label}</button>
    </li>
  )
}

/** All notes, in the order of the file. Of thousands only those around are in the page. */
export const Notes = (props: NotesProps) => {
  const { actions, countDone, notes, onRetry, onShowDone, passed, selected, showsDone, state, total } = props
  const section = useSignal<Section>(start)
  const list = useRef<HTMLUListElement>(null)

  const { value: wanted } = selected
  const reached = useRef<Selected | null>(null)
  const at = wanted === null || wanted === reached.current ? -1 : notes.findIndex(({ id }) => id === wanted.id)
  const isThere = at >= 0

  // What is gone to comes into view once, wherever it is in the list; one's own new note as soon as it is in it.
  useEffect(() => {
    if (!isThere) return
    section.value = around(section.peek(), at)
    const frame = requestAnimationFrame(() => {
      reached.current = wanted
      list.current?.querySelector(`[data-note="${wanted!.id}"]`)?.scrollIntoView({ block: "nearest" })
    })
    return () => cancelAnimationFrame(frame)
  }, [wanted, isThere])

  const open = actions.reviewing.typed.open.value
  const { from, to } = section.value
  return (
    <section class="notes" aria-labelledby="notes">
      <header class="notes-head">
        <h2 id="notes" tabIndex={-1}>
          {t("review.notes")}
          {total === 0 ? null : <span class="count">{numberOf(total)}</span>}
        </h2>
        {countDone === 0 ? null : (
          <label class="notes-filter">
            <input
              type="checkbox"
              checked={!showsDone}
              onChange={(event) => onShowDone(!event.currentTarget.checked)}
            />
            {t("review.hideDone", { count: countDone })}
          </label>
        )}
      </header>
      <div class="notes-scroll">
        {notes.length === 0
          ? (
            <p class="notes-empty">
              {state === "reading" ? common("common.loading") : t(countDone > 0 ? "review.allDone" : "review.noNotes")}
            </p>
          )
          : (
            <ul class="notes-list" ref={list}>
              {from === 0 ? null : (
                <More
                  label={t("review.earlier")}
                  onSeen={() => void (section.value = grown(section.peek(), notes.length, -1))}
                />
              )}
              {notes.filter((note, index) => index >= from && index < to || isWrittenAt(note, open)).map((note) => (
                <NoteItem key={note.id} note={note} actions={actions} selected={selected} passed={passed} />
              ))}
              {to >= notes.length ? null : (
                <More
                  label={t("review.more")}
                  onSeen={() => void (section.value = grown(section.peek(), notes.length, 1))}
                />
              )}
            </ul>
          )}
        {state === "failed"
          ? (
            <div class="notes-failed" role="alert">
              <p>{t("review.notesFailed")}</p>
              <Button icon="retry" onClick={onRetry}>{common("common.retry")}</Button>
            </div>
          )
          : null}
      </div>
    </section>
  )
}
