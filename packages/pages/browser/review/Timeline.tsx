import { useComputed, useSignal, useSignalEffect } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import type { Draft } from "./Draft.ts"
import { Lane } from "./Lane.tsx"
import type { Note } from "./OpenedReview.ts"
import type { Player } from "./Player.ts"
import { written } from "./positions.ts"
import { t } from "./texts.ts"
import { Waveform } from "./Waveform.tsx"

export interface TimelineProps {
  readonly player: Player
  readonly draft: Draft
  readonly notes: ReadonlyArray<Note>
  readonly peaks: ReadonlyArray<number> | null
  readonly selected: string | null
  readonly onSelect: (note: Note) => void
}

/** How far the page keys go. */
const farSeconds = 10

const keyed = (player: Player, key: string): (() => void) | undefined => ({
  ArrowLeft: () => player.step(-1),
  ArrowDown: () => player.step(-1),
  ArrowRight: () => player.step(1),
  ArrowUp: () => player.step(1),
  PageUp: () => player.seek(player.position.peek() + farSeconds),
  PageDown: () => player.seek(player.position.peek() - farSeconds),
  Home: () => player.seek(0),
  End: () => player.seek(player.duration.peek())
}[key])

/** The file from its beginning to its end: where the player is, its sound, its notes. Dragging moves the player. */
export const Timeline = ({ draft, notes, onSelect, peaks, player, selected }: TimelineProps) => {
  const track = useRef<HTMLDivElement>(null)
  const head = useRef<HTMLDivElement>(null)
  const bar = useRef<HTMLDivElement>(null)
  const width = useSignal(0)
  const duration = player.duration.value

  useEffect(() => {
    const resized = new ResizeObserver(() => void (width.value = track.current?.clientWidth ?? 0))
    resized.observe(track.current!)
    return () => resized.disconnect()
  }, [])
  useSignalEffect(() => {
    const share = player.duration.value > 0 ? Math.min(1, player.position.value / player.duration.value) : 0
    head.current!.style.transform = `translateX(${share * width.value}px)`
    bar.current!.style.transform = `scaleX(${share})`
  })
  // While it plays a screen reader is told of seconds, not of each frame.
  const told = useComputed(() => player.isPlaying.value ? Math.floor(player.position.value) : player.position.value)

  const secondsAt = (clientX: number): number => {
    const box = track.current!.getBoundingClientRect()
    return Math.min(1, Math.max(0, (clientX - box.left) / box.width)) * duration
  }
  const drag = (event: PointerEvent): void => {
    if (event.button !== 0) return
    const { pointerId } = event
    const stop = new AbortController()
    const goesOn = player.isPlaying.peek()
    player.pause()
    player.seek(secondsAt(event.clientX))
    track.current!.setPointerCapture(pointerId)
    const on = (type: "pointermove" | "pointerup" | "pointercancel", does: (event: PointerEvent) => void) =>
      track.current!.addEventListener(type, does, { signal: stop.signal })
    const end = () => {
      stop.abort()
      if (goesOn) player.play()
    }
    on("pointermove", (moved) => player.seek(secondsAt(moved.clientX)))
    on("pointerup", end)
    on("pointercancel", end)
  }

  const span = draft.span.value
  const isMarked = draft.place.value.kind === "at" && span !== null && duration > 0
  const from = isMarked ? Math.min(1, span.from / duration) : 0
  const to = isMarked ? Math.min(1, (span.to ?? span.from) / duration) : 0
  return (
    <div class={`timeline${player.isVideo.value ? "" : " timeline-track"}`}>
      <Lane
        player={player}
        draft={draft}
        notes={notes}
        width={width.value}
        selected={selected}
        secondsAt={secondsAt}
        onSelect={onSelect}
      />
      <div
        class="track"
        ref={track}
        role="slider"
        tabIndex={0}
        aria-label={t("review.timeline")}
        aria-valuemin={0}
        aria-valuemax={Math.round(duration * 1_000) / 1_000}
        aria-valuenow={told.value}
        aria-valuetext={written(player, told.value)}
        onPointerDown={drag}
        onKeyDown={(event: KeyboardEvent) => {
          const run = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey
            ? undefined
            : keyed(player, event.key)
          if (run === undefined) return
          event.preventDefault()
          event.stopPropagation()
          run()
        }}
      >
        {peaks === null ? null : <Waveform peaks={peaks} player={player} />}
        <div class={peaks === null ? "bar" : "bar bar-thin"}>
          <div class="bar-played" ref={bar} />
        </div>
        {isMarked
          ? <div class="marked" style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }} />
          : null}
        <div class="head" ref={head} />
      </div>
    </div>
  )
}
