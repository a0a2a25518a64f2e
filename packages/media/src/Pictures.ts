/** The part of `MediaTools` for images and PDFs. Their bytes are passed straight to the sandbox. */
import { DriveError, MediaTools } from "@filedrive/core"
import { DateTime, Effect, Stream } from "effect"
import * as CpuBudget from "./CpuBudget.ts"
import { jpegAt } from "./image/EmbeddedJpeg.ts"
import { contentOf, type Sandbox } from "./sandbox/Sandbox.ts"
import type { TaskAnswer, TaskName, TaskOptions } from "./sandbox/Tasks.ts"

export type Pictures = Pick<MediaTools.MediaTools["Service"], "probe" | "still" | "pages">

/** Largest file that is opened as a whole. */
const wholeMaxBytes = 256 * 1024 ** 2
/** A drawing of a megabyte takes up to 6 s; one that takes much longer was made to never end. */
const drawingCpuMaxSeconds = 10
/** The bytes within which a JPEG has its facts; its picture comes after. */
const jpegHeadBytes = 256 * 1024

const unreadable = (because: string) => Effect.fail(new DriveError.Unreadable({ because }))

export const make = (sandbox: Sandbox): Pictures => {
  const whole = <Name extends TaskName>(
    task: Name,
    options: TaskOptions<Name>,
    source: MediaTools.MediaSource
  ): Effect.Effect<TaskAnswer<Name>, DriveError.Unreadable | DriveError.Unavailable> => {
    const { mimeType, read, sizeBytes } = source
    if (sizeBytes === 0) return unreadable("This file is empty.")
    return sizeBytes > wholeMaxBytes
      ? unreadable("This file is too big to open: an image or PDF may have up to 256 MB.")
      : sandbox.run(task, options, {
        sizeBytes,
        bytes: read({ start: 0, end: sizeBytes - 1 }),
        budget: CpuBudget.of(source),
        ...(mimeType === "image/svg+xml" ? { cpuMaxSeconds: drawingCpuMaxSeconds } : {})
      })
  }

  /** The facts are in its head, unless that contains other pictures. */
  const ofJpeg = (source: MediaTools.MediaSource) =>
    Effect.gen(function*() {
      const options = { fileName: source.fileName }
      const chunks = yield* Stream.runCollect(source.read({ start: 0, end: jpegHeadBytes - 1 }))
      const head = Buffer.concat(chunks)
      return jpegAt(head, 0) === null
        ? yield* whole("imageFacts", options, source)
        : yield* sandbox.run("imageFacts", options, { ...contentOf(head), budget: CpuBudget.of(source) })
    })

  return {
    probe: (source) => {
      const found = source.mimeType === "image/jpeg" && source.sizeBytes > jpegHeadBytes
        ? ofJpeg(source)
        : whole("imageFacts", { fileName: source.fileName }, source)
      return Effect.map(found, ({ mimeType, takenMillis, ...facts }) => ({
        ...MediaTools.noFacts,
        ...facts,
        takenTime: takenMillis === null ? null : DateTime.formatIso(DateTime.makeUnsafe(takenMillis)),
        mimeType: mimeType === source.mimeType ? null : mimeType
      }))
    },
    still: (source, bounds) => whole("still", { ...bounds, fileName: source.fileName }, source),
    pages: (source, options) => whole("pages", options, source)
  }
}
