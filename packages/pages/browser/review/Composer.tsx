import type { RefObject } from "preact"
import { Icon } from "../components/Icon.tsx"
import { say } from "../foundation/announce.ts"
import type { Draft } from "./Draft.ts"
import type { Note } from "./OpenedReview.ts"
import type { Player } from "./Player.ts"
import { placeOf } from "./positions.ts"
import { endsLeaving, refusalOf } from "./refusal.ts"
import type { Reviewing } from "./Reviewing.ts"
import { TextForm } from "./TextForm.tsx"
import { t } from "./texts.ts"

export interface ComposerProps {
  readonly player: Player
  readonly draft: Draft
  readonly reviewing: Reviewing
  readonly field: RefObject<HTMLTextAreaElement | null>
  /** Whether there is something to play, in which notes have positions. */
  readonly hasPositions: boolean
  readonly onLeft: (note: Note) => void
  /** The link has ended meanwhile. */
  readonly onEnded: (error: unknown) => void
}

/** Where the note will be, and how to change that. */
const Place = ({ draft, player }: Pick<ComposerProps, "draft" | "player">) => {
  const span = draft.span.value
  const { kind } = draft.place.value
  const at = player.position.value
  const isSpan = kind === "at" && span?.to != null
  const canEnd = kind === "at" && span !== null && span.to === null && at > span.from
  const isElsewhere = kind === "at" && span !== null && span.to === null && at !== span.from
  return (
    <div class="place">
      <p class={`place-now${isSpan ? " place-span" : ""}`}>
        <Icon name={kind === "file" ? "file" : "clock"} size={16} />
        <span>{placeOf(player, span)}</span>
      </p>
      <div class="place-choices">
        {isSpan || kind === "file" || isElsewhere
          ? (
            <button type="button" class="link-button" onClick={draft.atMoment}>
              {t("review.atMoment")}
            </button>
          )
          : null}
        {canEnd
          ? <button type="button" class="link-button" onClick={draft.end}>{t("review.toHere")}</button>
          : kind === "here"
          ? (
            <button type="button" class="link-button" aria-keyshortcuts="I" onClick={draft.begin}>
              {t("review.fromHere")}
            </button>
          )
          : null}
        {kind === "file"
          ? null
          : <button type="button" class="link-button" onClick={draft.onFile}>{t("review.chooseFile")}</button>}
      </div>
    </div>
  )
}

/** Writes a note. The player pauses, so that the note is where it was looked at. */
export const Composer = ({ draft, field, hasPositions, onEnded, onLeft, player, reviewing }: ComposerProps) => {
  const send = async (): Promise<string | undefined> => {
    const sent = draft.sending()
    try {
      const note = await reviewing.leave(hasPositions ? draft.span.peek() : null, draft.text.peek())
      sent()
      say(t("review.noteLeft"))
      onLeft(note)
      return undefined
    } catch (error) {
      if (endsLeaving(error)) {
        onEnded(error)
        return undefined
      }
      return refusalOf(error)
    }
  }
  return (
    <section class="composer" aria-label={t("review.yourNote")}>
      <TextForm
        reviewing={reviewing}
        label={t("review.yourNote")}
        placeholder={t("review.write")}
        field={field}
        text={draft.text.value}
        onInput={draft.write}
        onFocus={player.pause}
        sendLabel={t("review.send")}
        emptyError={t("review.failed.text")}
        send={send}
      >
        {hasPositions ? <Place draft={draft} player={player} /> : null}
      </TextForm>
    </section>
  )
}
