/**
 * Which files browsers play by themselves. Pure: decided by how a file is encoded, never by its name. What one of the common
 * browsers (Chrome, Edge, Firefox, Safari) can't play counts as not playable, since nobody knows which one a link is opened in.
 */
import type { AudioStream, Streams, VideoStream } from "../ports/MediaTools.ts"

/** `nothing`: the file has neither pictures nor sound, so that there is nothing to play and nothing to make. */
export type Playable = "plays" | "needs preview" | "nothing"

/** Decoders of browsers end there. */
const maxSide = 4_096

/** Eight bits, in the one kind of subsampling that all of them decode. */
const pixelFormats = new Set(["yuv420p", "yuvj420p"])

interface Container {
  readonly video: ReadonlySet<string>
  readonly audio: ReadonlySet<string>
}

const none: ReadonlySet<string> = new Set()

const mp4: Container = { video: new Set(["h264", "av1"]), audio: new Set(["aac", "mp3"]) }
const webm: Container = { video: new Set(["vp8", "vp9", "av1"]), audio: new Set(["opus", "vorbis"]) }

const soundOnly = (...codecs: ReadonlyArray<string>): Container => ({ video: none, audio: new Set(codecs) })

const containerOf = (container: string, mimeType: string): Container => {
  const names = container.split(",")
  if (names.includes("mp4")) return mp4
  // Both have one name: Matroska itself is played by some browsers only.
  if (names.includes("webm")) return /^(?:video|audio)\/webm$/.test(mimeType) ? webm : soundOnly()
  if (names.includes("mp3")) return soundOnly("mp3")
  if (names.includes("aac")) return soundOnly("aac")
  if (names.includes("flac")) return soundOnly("flac")
  if (names.includes("ogg")) return soundOnly("opus", "vorbis", "flac")
  if (names.includes("wav")) return soundOnly("pcm_u8", "pcm_s16le", "pcm_s24le", "pcm_f32le")
  return soundOnly()
}

const isPlayed = ({ codec, height, pixelFormat, width }: VideoStream, container: Container): boolean =>
  container.video.has(codec) && pixelFormat !== null && pixelFormats.has(pixelFormat)
  && Math.max(width, height) <= maxSide

const isHeard = ({ codec }: AudioStream, container: Container): boolean => container.audio.has(codec)

const usuallyPlayed = new Set([
  "video/mp4",
  "video/webm",
  "audio/mp4",
  "audio/x-m4a",
  "audio/mpeg",
  "audio/aac",
  "audio/wav",
  "audio/vnd.wave",
  "audio/x-wav",
  "audio/webm",
  "audio/ogg",
  "audio/flac",
  "audio/x-flac"
])

/** Whether browsers play most files of this media type: for a file of which no more is known. */
export const isUsual = (mimeType: string): boolean => usuallyPlayed.has(mimeType)

/** @param mimeType as found in the file's bytes. */
export const of = ({ audio, container, video }: Streams, mimeType: string): Playable => {
  if (video === null && audio === null) return "nothing"
  const known = containerOf(container, mimeType)
  const plays = (video === null || isPlayed(video, known)) && (audio === null || isHeard(audio, known))
  return plays ? "plays" : "needs preview"
}
