/** {@link MediaTools} of this machine: images, PDFs and texts, tracks and videos. Nothing is decoded in this process. */
import { DriveError, MediaTools } from "@filedrive/core"
import { Config, Effect, Layer } from "effect"
import * as AudioVideo from "./AudioVideo.ts"
import type { VideoFacts } from "./ffmpeg/ProbedFacts.ts"
import type { ImageFacts } from "./image/Facts.ts"
import type { MediaOptions } from "./MediaOptions.ts"
import * as Pictures from "./Pictures.ts"
import * as Sandbox from "./sandbox/Sandbox.ts"
import { sharesOf } from "./Shares.ts"
import type { TrackFacts } from "./tags/Tags.ts"
import { encodingOf } from "./text/Encoding.ts"

/** The facts that are read from a file. The compiler refuses here a fact of the drive's that no tool reads. */
export type ReadFacts = Pick<ImageFacts & TrackFacts & VideoFacts, keyof MediaTools.ProbeResult>

/** Files whose peaks the drive makes at a time. */
const peaksAtOnce = 2

const nothingWritten = Effect.fail(
  new DriveError.Unreadable({ because: "This file type has no readable metadata." })
)

const tools = Effect.fnUntraced(function*(options: MediaOptions) {
  const { processMemoryMaxBytes } = options
  const { previews, processes } = sharesOf(options.processes)
  const sandbox = yield* Sandbox.make({
    processes,
    ...(processMemoryMaxBytes === undefined ? {} : { memoryMaxBytes: processMemoryMaxBytes })
  })
  const pictures = Pictures.make(sandbox)
  const audioVideo = yield* AudioVideo.make(sandbox, {
    ...options,
    processes,
    longProcesses: previews.inTurn + previews.aside + peaksAtOnce
  })
  return MediaTools.MediaTools.of({
    probe: (source) => {
      if (source.mimeType.startsWith("image/")) return pictures.probe(source)
      return /^(?:audio|video)\//.test(source.mimeType) ? audioVideo.probe(source) : nothingWritten
    },
    still: pictures.still,
    frame: audioVideo.frame,
    cover: audioVideo.cover,
    listen: audioVideo.listen,
    streams: audioVideo.streams,
    peaks: audioVideo.peaks,
    preview: audioVideo.preview,
    pages: pictures.pages,
    encoding: (head) => Effect.sync(() => encodingOf(head))
  })
})

/** Its processes start when they are needed and are gone when the layer's scope closes. */
export const layer = (options: MediaOptions = {}): Layer.Layer<MediaTools.MediaTools> =>
  Layer.effect(MediaTools.MediaTools, tools(options))

/** {@link layer} with its options read by `Config`. */
export const layerConfig = (
  config: Config.Wrap<MediaOptions>
): Layer.Layer<MediaTools.MediaTools, Config.ConfigError> => Layer.unwrap(Effect.map(Config.unwrap(config), layer))
