import { useEffect, useMemo, useRef } from "preact/hooks"
import { shown } from "../foundation/format.ts"
import type { Draft } from "./Draft.ts"
import { type Marker, markersOf, nextOf } from "./markers.ts"
import { numberOf } from "./numbers.ts"
import type { Note } from "./OpenedReview.ts"
import type { Player } from "./Player.ts"
import { writtenSpan } from "./positions.ts"
import { t } from "./texts.ts"

export interface LaneProps {
  readonly player: Player
  readonly draft: Draft
  /** In the order of the file. */
  readonly notes: ReadonlyArray<Note>
  readonly width: number
  readonly selected: string | null
  readonly secondsAt: (clientX: number) => number
  readonly onSelect: (note: Note) => void
}

/** What is moved less is pressed. */
const dragPixels = 5

/** Fingers need more room than a mouse. */
const gapPixels = () => matchMedia("(pointer: coarse)").matches ? 44 : 26

/** A few of many: what is shown on hovering. */
const toldMax = 4
const textMax = 90

const told = (player: Player, { notes }: Marker): string => {
  const lines = notes.slice(0, toldMax).map(({ endSeconds, reviewer, seconds, text }) => {
    const time = writtenSpan(player, { from: seconds ?? 0, to: endSeconds })
    return `${time} ${shown(reviewer.name)}: ${shown(text).slice(0, textMax)}`
  })
  return notes.length > toldMax ? [...lines, "…"].join("\n") : lines.join("\n")
}

/** Where spans are, as bars; painted, since there may be thousands. */
const paint = (canvas: HTMLCanvasElement, notes: ReadonlyArray<Note>, duration: number): void => {
  const { clientHeight: height, clientWidth: width } = canvas
  const context = canvas.getContext("2d")
  if (context === null || width === 0 || duration <= 0) return
  canvas.width = Math.round(width * devicePixelRatio)
  canvas.height = Math.round(height * devicePixelRatio)
  context.scale(devicePixelRatio, devicePixelRatio)
  context.fillStyle = getComputedStyle(canvas).color
  for (const { endSeconds, seconds } of notes) {
    if (seconds === null || endSeconds === null) continue
    const from = Math.min(1, seconds / duration) * width
    context.fillRect(from, 0, Math.max(2, Math.min(1, endSeconds / duration) * width - from), height)
  }
}

/**
 * The row above the track: a mark for each note, and dragging across it selects a span. It is for pointers; the list of notes has the same
 * for keyboards and screen readers, and the keys I and O select a span.
 */
export const Lane = ({ draft, notes, onSelect, player, secondsAt, selected, width }: LaneProps) => {
  const lane = useRef<HTMLDivElement>(null)
  const spans = useRef<HTMLCanvasElement>(null)
  const duration = player.duration.value
  const gap = useMemo(gapPixels, [width])
  const markers = useMemo(() => markersOf(notes, { duration, width, gapPixels: gap }), [notes, duration, width, gap])
  useEffect(() => {
    const redraw = () => spans.current === null ? undefined : paint(spans.current, notes, duration)
    const scheme = matchMedia("(prefers-color-scheme: dark)")
    scheme.addEventListener("change", redraw)
    redraw()
    return () => scheme.removeEventListener("change", redraw)
  }, [notes, duration, width])

  /** From where it was pressed, or from the other end of the span whose end was pressed. */
  const anchorOf = (seconds: number): number => {
    const span = draft.span.peek()
    if (draft.place.peek().kind !== "at" || span === null || span.to === null) return seconds
    const near = dragPixels * 2 * duration / width
    return Math.abs(seconds - span.from) < near ? span.to : Math.abs(seconds - span.to) < near ? span.from : seconds
  }

  const press = (event: PointerEvent): void => {
    if (event.button !== 0 || !(duration > 0)) return
    const target = lane.current!
    const startX = event.clientX
    const anchor = player.snapped(anchorOf(secondsAt(startX)))
    const stop = new AbortController()
    let isDrag = false
    // It may be let go outside of the lane, where nothing is captured until it is a drag.
    const on = (type: "pointermove" | "pointerup" | "pointercancel", does: (event: PointerEvent) => void) =>
      addEventListener(type, (one) => one.pointerId === event.pointerId ? does(one) : undefined, {
        signal: stop.signal
      })
    on("pointermove", (moved) => {
      // It was let go where the page could not see it.
      if (moved.buttons === 0) return stop.abort()
      if (!isDrag && Math.abs(moved.clientX - startX) < dragPixels) return
      if (!isDrag) {
        isDrag = true
        player.pause()
        target.setPointerCapture(event.pointerId)
      }
      player.seek(secondsAt(moved.clientX))
      draft.select(anchor, player.position.peek())
    })
    on("pointerup", () => {
      stop.abort()
      const isMark = event.target instanceof Element && event.target.closest(".mark") !== null
      if (!isDrag && !isMark) player.seek(secondsAt(startX))
    })
    on("pointercancel", () => stop.abort())
  }

  return (
    <div
      class="lane"
      ref={lane}
      aria-hidden="true"
      title={markers.length === 0 ? t("review.dragHint") : undefined}
      onPointerDown={press}
    >
      <canvas class="spans" ref={spans} />
      {markers.map((marker) => {
        const [first] = marker.notes
        const isSelected = marker.notes.some(({ id }) => id === selected)
        const isDone = marker.notes.every(({ resolved }) => resolved)
        return (
          <button
            key={first.id}
            class={`mark${isSelected ? " mark-selected" : ""}${isDone ? " mark-done" : ""}`}
            type="button"
            tabIndex={-1}
            title={told(player, marker)}
            style={{ left: `${marker.left}px` }}
            onClick={() => onSelect(nextOf(marker, selected))}
          >
            <span class="mark-dot">
              {marker.notes.length === 1
                ? [...shown(first.reviewer.name).trim()][0] ?? ""
                : marker.notes.length > 99
                ? "99+"
                : numberOf(marker.notes.length)}
            </span>
          </button>
        )
      })}
    </div>
  )
}
