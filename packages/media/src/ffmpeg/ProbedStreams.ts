/** Converts the result of ffprobe to how a file is encoded. */
import type { MediaTools } from "@filedrive/core"
import { durationOf, pictures, type Probe, type Stream } from "./Probe.ts"
import { sizeOf } from "./ProbedFacts.ts"

const videoOf = (stream: Stream): MediaTools.VideoStream => {
  const { height, width } = sizeOf(stream)
  return {
    codec: stream.codec_name ?? "unknown",
    pixelFormat: stream.pix_fmt ?? null,
    width: width ?? 0,
    height: height ?? 0
  }
}

export const streamsOf = (probe: Probe): MediaTools.Streams => {
  const shown = pictures(probe)
  const heard = probe.streams.find(({ codec_type }) => codec_type === "audio")
  return {
    container: probe.format.format_name,
    durationSeconds: durationOf(probe),
    video: shown === undefined ? null : videoOf(shown),
    audio: heard === undefined ? null : { codec: heard.codec_name ?? "unknown" }
  }
}
