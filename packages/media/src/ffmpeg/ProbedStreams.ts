/** Converts the result of ffprobe to how a file is encoded. */
import type { MediaTools } from "@filedrive/core"
import { displaySize } from "./DisplaySize.ts"
import { durationOf, pictures, type Probe, type Stream } from "./Probe.ts"

const videoOf = (stream: Stream): MediaTools.VideoStream => {
  const { height = 0, width = 0 } = displaySize(stream) ?? {}
  return {
    codec: stream.codec_name ?? "unknown",
    pixelFormat: stream.pix_fmt ?? null,
    width,
    height
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
