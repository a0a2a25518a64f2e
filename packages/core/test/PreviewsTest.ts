/** Films and their previews, in tests. */
import { TestMediaTools } from "@filedrive/testing"
import { Effect, Layer, Option } from "effect"
import { Files } from "../src/files/Files.ts"
import { PreviewRuns } from "../src/media/PreviewRuns.ts"
import { Previews } from "../src/media/Previews.ts"
import { PreviewPartBytes } from "../src/media/PreviewUpload.ts"
import type { AccountId, FileId } from "../src/shared/Ids.ts"
import { addFile } from "./FilesTest.ts"
import { extracted, textAt, video } from "./MediaTest.ts"

export const prores = {
  container: "mov,mp4,m4a,3gp,3g2,mj2",
  video: { codec: "prores", pixelFormat: "yuv422p10le", width: 3_840, height: 2_160 },
  audio: { codec: "pcm_s16le" }
}
export const h264 = {
  ...prores,
  video: { ...prores.video, codec: "h264", pixelFormat: "yuv420p" },
  audio: { codec: "aac" }
}

export const bytes = (text: string) => new TextEncoder().encode(text)

/** A preview of an index and these pieces. */
export const pieces = (...texts: ReadonlyArray<string>) => ["index ", ...texts].map(bytes)

export const find = Effect.fnUntraced(function*(me: AccountId, id: FileId) {
  return Option.getOrThrow(yield* (yield* Files).find(me, id))
})

/** A film that browsers don't play, which was looked into. */
export const film = Effect.fnUntraced(function*(me: AccountId, fileName: string, preview = pieces("film")) {
  const media = yield* TestMediaTools
  yield* media.say(fileName, { streams: prores, preview, peaks: [-1, 1, 0, 0.5] })
  const id = yield* addFile(me, { ...video, mimeType: "video/quicktime", fileName })
  yield* extracted
  return id
})

export const run = Effect.fnUntraced(function*(me: AccountId, id: FileId) {
  return yield* Effect.exit((yield* PreviewRuns).run(me, id))
})

export const requested = Effect.fnUntraced(function*(me: AccountId, id: FileId) {
  return yield* (yield* Previews).request(yield* find(me, id))
})

export const stateOf = Effect.fnUntraced(function*(me: AccountId, id: FileId) {
  return yield* (yield* Previews).of(yield* find(me, id))
})

/** What a player opens. */
export const opened = Effect.fnUntraced(function*(me: AccountId, id: FileId) {
  const link = yield* (yield* Previews).link(yield* find(me, id))
  return link === null ? null : yield* textAt(link.url)
})

export const counted = (method: string, fileName: string) =>
  Effect.map(
    Effect.flatMap(TestMediaTools, ({ calls }) => calls),
    (calls) => calls.filter((call) => call === `${method} ${fileName}`).length
  )

/** Small parts, so that previews have several. */
export const Parts = Layer.succeed(PreviewPartBytes, 10)
