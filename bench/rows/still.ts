/**
 * What `/read-file` shows of a photo of 12 megapixels: a JPEG of at most 1,568
 * pixels a side, made in a process that can be killed, its bytes handed there and
 * back, against sharp alone in this process.
 */
import { MediaTools } from "@filedrive/core"
import { NodeMediaTools } from "@filedrive/media"
import { Effect, ManagedRuntime, Stream } from "effect"
import sharp from "sharp"
import { interleave, median, ratio, seconds } from "../Rounds.ts"
import { stillRounds } from "../Settings.ts"
import { atMost, type Outcome } from "../Table.ts"

const maxSide = 1_568
const [width, height] = [4_000, 3_000]

/** Soft shapes under a little noise, which weigh as much as a photo does. */
const photo = async (): Promise<Buffer> => {
  const noise = (width: number, height: number, sigma: number) => ({
    create: {
      width,
      height,
      channels: 3 as const,
      background: "#808080",
      noise: { type: "gaussian" as const, mean: 128, sigma }
    }
  })
  const grain = await sharp(noise(width, height, 12)).png({ compressionLevel: 1 }).toBuffer()
  const shapes = await sharp(noise(40, 30, 60)).resize(width, height, { kernel: "cubic" }).png().toBuffer()
  return await sharp(shapes).composite([{ input: grain, blend: "soft-light" }]).jpeg({ quality: 90 }).toBuffer()
}

export const still = async (): Promise<ReadonlyArray<Outcome>> => {
  const bytes = await photo()
  const source: MediaTools.MediaSource = {
    fileName: "photo.jpg",
    mimeType: "image/jpeg",
    sizeBytes: bytes.length,
    read: ({ end, start }) => Stream.succeed(bytes.subarray(start, end + 1))
  }
  const runtime = ManagedRuntime.make(NodeMediaTools.layer({ processes: 1 }))
  const drive = () =>
    runtime.runPromise(Effect.flatMap(MediaTools.MediaTools, (tools) => tools.still(source, { maxSide })))
  const alone = () =>
    sharp(bytes).autoOrient().resize({ width: maxSide, height: maxSide, fit: "inside" }).jpeg({ quality: 80 })
      .toBuffer()
  try {
    sharp.cache(false)
    const measured = await interleave(stillRounds, {
      drive: () => seconds(drive),
      sharp: () => seconds(alone)
    })
    const millis = (values: ReadonlyArray<number>) => `${(median(values) * 1_000).toFixed(0)} ms`
    return [atMost(1.3, {
      what: `JPEG of 12 megapixels (${(bytes.length / 1e6).toFixed(1)} MB) to ${maxSide} px`,
      own: millis(measured.drive),
      against: `sharp in process: ${millis(measured.sharp)}`,
      factor: ratio(measured.drive, measured.sharp)
    })]
  } finally {
    await runtime.dispose()
  }
}
