/**
 * A film for players: 20 seconds of 29.97 frames a second. The bars at the foot of each frame are its number in binary, the first bar the lowest
 * digit. Chromium itself encodes it, once for all tests of a process.
 */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { startBrowser } from "./Browser.ts"
import { type EncodedFrame, webmOf } from "./WebmFile.ts"

export const frameRate = 30_000 / 1_001

const frameCount = 600
export const filmSeconds = frameCount / frameRate

const size = { width: 640, height: 360 }

/** Runs in the browser. Answers frames as Base64. */
const encode = async (
  { count, height, perSecond, width }: {
    readonly count: number
    readonly perSecond: number
    readonly width: number
    readonly height: number
  }
) => {
  const bars = 10
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext("2d")!
  const draw = (frame: number) => {
    const sway = Math.sin(frame / 60) * 0.12
    const sky = context.createLinearGradient(0, 0, width, 40)
    const colours = ["#1f7078", "#1f7078", "#efb36f", "#d9735a", "#10294a", "#10294a"]
    for (const [at, colour] of colours.entries()) {
      sky.addColorStop(Math.min(1, Math.max(0, 0.12 + at * 0.17 + (at === 0 || at === 5 ? 0 : sway))), colour)
    }
    context.fillStyle = sky
    context.fillRect(0, 0, width, height)
    for (let bar = 0; bar < bars; bar++) {
      context.fillStyle = Math.floor(frame / 2 ** bar) % 2 === 1 ? "#fff" : "#000"
      context.fillRect(bar * width / bars, height - 16, width / bars, 16)
    }
  }
  const frames: Array<{ readonly isKey: boolean; readonly data: string }> = []
  let failure: unknown = null
  const encoder = new VideoEncoder({
    output: (chunk) => {
      const data = new Uint8Array(chunk.byteLength)
      chunk.copyTo(data)
      frames.push({ isKey: chunk.type === "key", data: btoa(String.fromCharCode(...data)) })
    },
    error: (error) => {
      failure = error
    }
  })
  encoder.configure({ codec: "vp8", width, height, bitrate: 250_000, framerate: perSecond })
  for (let frame = 0; frame < count; frame++) {
    draw(frame)
    const picture = new VideoFrame(canvas, { timestamp: Math.round(frame / perSecond * 1_000_000) })
    encoder.encode(picture, { keyFrame: frame % 30 === 0 })
    picture.close()
    // Pictures that wait take memory.
    if (frame % 30 === 29) await encoder.flush()
  }
  await encoder.flush()
  encoder.close()
  if (failure !== null) throw failure
  return frames
}

/** Encoders are there for secure pages alone, as those of this machine are. */
const withSite = async <A>(work: (url: string) => Promise<A>): Promise<A> => {
  const server = createServer((_, response) =>
    void response.setHeader("content-type", "text/html").end("<!doctype html>")
  )
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  try {
    return await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const make = async (): Promise<Buffer> => {
  const browser = await startBrowser()
  try {
    const encoded = await withSite(async (url) => {
      const page = await browser.newPage()
      await page.goto(url)
      return page.evaluate(encode, { ...size, count: frameCount, perSecond: frameRate })
    })
    if (encoded.length !== frameCount) throw new Error(`Chromium encoded ${encoded.length} of ${frameCount} frames.`)
    const frames = encoded.map(({ data, isKey }): EncodedFrame => ({ isKey, data: Buffer.from(data, "base64") }))
    return webmOf({ ...size, frames, beginOf: (frame) => frame / frameRate * 1_000 })
  } finally {
    await browser.close()
  }
}

let made: Promise<Buffer> | undefined

export const film = (): Promise<Buffer> => made ??= make()
