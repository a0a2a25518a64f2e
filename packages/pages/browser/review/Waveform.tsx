import { useSignalEffect } from "@preact/signals"
import { useLayoutEffect, useRef } from "preact/hooks"
import { barsOf } from "./peaks.ts"
import type { Player } from "./Player.ts"

const barPixels = 3
const gapPixels = 1

/** Draws bars in the canvas's own colour. */
const draw = (canvas: HTMLCanvasElement, peaks: ReadonlyArray<number>): void => {
  const { clientHeight: height, clientWidth: width } = canvas
  const context = canvas.getContext("2d")
  if (context === null || width === 0) return
  canvas.width = Math.round(width * devicePixelRatio)
  canvas.height = Math.round(height * devicePixelRatio)
  context.scale(devicePixelRatio, devicePixelRatio)
  context.fillStyle = getComputedStyle(canvas).color
  const count = Math.max(1, Math.floor((width + gapPixels) / barPixels))
  const step = width / count
  for (const [at, loudness] of barsOf(peaks, count).entries()) {
    const tall = Math.max(2, loudness * (height - 4))
    context.fillRect(at * step, (height - tall) / 2, step - gapPixels, tall)
  }
}

/**
 * The shape of the sound, twice: what has been played lies over the whole in another colour, cut off where the player is. Drawn here, since
 * no markup or style of a library gets past the page's policy.
 */
export const Waveform = ({ peaks, player }: { readonly peaks: ReadonlyArray<number>; readonly player: Player }) => {
  const whole = useRef<HTMLCanvasElement>(null)
  const played = useRef<HTMLCanvasElement>(null)
  // Before the browser paints: after it, a canvas is blank for a moment.
  useLayoutEffect(() => {
    const canvases = [whole.current!, played.current!]
    const redraw = () => canvases.forEach((canvas) => draw(canvas, peaks))
    const resized = new ResizeObserver(redraw)
    resized.observe(canvases[0]!)
    const scheme = matchMedia("(prefers-color-scheme: dark)")
    scheme.addEventListener("change", redraw)
    redraw()
    return () => {
      resized.disconnect()
      scheme.removeEventListener("change", redraw)
    }
  }, [peaks])
  useSignalEffect(() => {
    const all = player.duration.value
    const share = all > 0 ? player.position.value / all : 0
    if (played.current !== null) played.current.style.clipPath = `inset(0 ${100 - 100 * share}% 0 0)`
  })
  return (
    <>
      <canvas class="wave" ref={whole} aria-hidden="true" />
      <canvas class="wave wave-played" ref={played} aria-hidden="true" />
    </>
  )
}
