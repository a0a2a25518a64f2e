/**
 * Probes and decodes files: the facts written in them, their pictures, text and sound.
 *
 * All files come from strangers and may be made to do harm. A layer
 * decodes outside the process, ends what takes too long or too much memory, and
 * fails with {@link Unreadable}; it reads ranges, never the whole of a large video.
 *
 * When the host lacks a tool, it fails with `Unreadable` too, which names the tool (`missingTool`):
 * such a file counts as extracted, one that the installed tools can't read as failed.
 */
import { Context, Data, Effect, Layer, type Stream } from "effect"
import * as ToolFacts from "../facts/ToolFacts.ts"
import { Unavailable, Unreadable } from "../shared/DriveError.ts"
import type { ByteRange } from "./ObjectStore.ts"

/**
 * A tool was ended while it worked, by the system (for want of memory) or by people: the cause of an {@link Unavailable}. Most often
 * the file has nothing to do with it, so the work is tried again, {@link killedMax} times in all.
 */
export class ToolKilled extends Data.TaggedError("ToolKilled")<{ readonly what: string }> {
  override get message(): string {
    return `${this.what} was killed while it worked on a file`
  }
}

/** @param what which tool, like `ffmpeg` */
export const killed = (what: string): Unavailable =>
  new Unavailable({ code: "unavailable", cause: new ToolKilled({ what }) })

/** Whether an error says that a tool was killed. */
export const isKilled = (error: unknown): boolean => error instanceof Unavailable && error.cause instanceof ToolKilled

/** How often the background begins with a file whose tools are killed: the file may be the cause, by the memory that it takes. */
export const killedMax = 4

/** A stored file to be probed or decoded. */
export interface MediaSource {
  /** Only to distinguish kinds that bytes alone do not; never trusted for more. */
  readonly fileName: string
  /** As found in the bytes when the file was recorded. */
  readonly mimeType: string
  readonly sizeBytes: number
  /** The bytes of a range within the file. */
  readonly read: (range: ByteRange) => Stream.Stream<Uint8Array, Unavailable>
}

/** The facts written in a file. Null and empty: not found. */
export interface ProbeResult extends ToolFacts.ProbedFacts {
  /** A media type that says more than the one the file was recorded with, or null to let that stand. */
  readonly mimeType: string | null
}

/** The result for a file in which nothing is written. A tool sets what it finds, and takes the rest from here. */
export const noFacts: ProbeResult = { mimeType: null, ...ToolFacts.nothingProbed }

/** A JPEG, upright, in sRGB. */
export interface Picture {
  readonly jpeg: Uint8Array
  readonly width: number
  readonly height: number
}

/** How large a picture may be. */
export interface PictureBounds {
  /** Pixels a side. */
  readonly maxSide: number
  /** Bytes of its JPEG, from 10,000 on; what would take more is shown in less detail. Left out: as many as it takes. */
  readonly maxBytes?: number
}

/** A picture of a video. */
export interface Frame extends Picture {
  readonly _tag: "Frame"
  /** Where in the video it is, in seconds. */
  readonly atSeconds: number
  readonly durationSeconds: number | null
}

/** The requested moment is after the end. */
export interface PastEnd {
  readonly _tag: "PastEnd"
  readonly durationSeconds: number
}

/** Text of whole pages. */
export interface Pages {
  readonly text: string
  /** First and last page in it. `from` past `total`: there is no such page, and no text. */
  readonly from: number
  readonly to: number
  readonly total: number
  /** Whether any of the pages shows a picture: a page without text is then a scan. */
  readonly hasPictures: boolean
  /** Pages among them that could not be read: nothing of the text is theirs. Left out, all could. */
  readonly damaged?: ReadonlyArray<number>
}

/** How a track sounds. Null: it cannot be told, as of silence or speech. */
export interface Sound extends ToolFacts.SoundFacts {
  /** Chromaprint's numbers, unsigned 32-bit, about eight a second of the first two minutes. */
  readonly soundprint: ReadonlyArray<number> | null
}

/** The result for a track of which nothing can be told. */
export const noSound: Sound = { soundprint: null, ...ToolFacts.nothingHeard }

/** How a file is encoded, as far as players depend on it. */
export interface Streams {
  /** The container, as ffprobe names it: `mov,mp4,m4a,3gp,3g2,mj2`, `matroska,webm`, `flac`. */
  readonly container: string
  /** Null when the file states none. */
  readonly durationSeconds: number | null
  /** The pictures that are shown; a cover is none. */
  readonly video: VideoStream | null
  readonly audio: AudioStream | null
}

export interface VideoStream {
  /** As ffprobe names it: `h264`, `prores`. */
  readonly codec: string
  /** As ffprobe names it: `yuv420p`, `yuv422p10le`. Null: unknown. */
  readonly pixelFormat: string | null
  /** Pixels as shown, upright. */
  readonly width: number
  readonly height: number
}

export interface AudioStream {
  /** As ffprobe names it: `aac`, `alac`, `pcm_s24be`. */
  readonly codec: string
}

/** A preview that was made. The file is `head`, followed by all that was written. */
export interface Preview {
  /** What is in front of the written bytes: the index. At most {@link previewHeadMaxBytes}. */
  readonly head: Uint8Array
  readonly mimeType: "video/mp4" | "audio/mp4"
}

/** Where a preview's bytes go while it is made. */
export interface PreviewSink<E, R> {
  /** Takes the next bytes; the next are made when it has ended. */
  readonly write: (bytes: Uint8Array) => Effect.Effect<void, E, R>
  /** Takes how much is made, 0 to 1, a few times a second at most. */
  readonly progress: (fraction: number) => Effect.Effect<void, E, R>
}

/** The most bytes that the index of a preview has. */
export const previewHeadMaxBytes = 64e6

/** Pairs of peaks of any sound. */
export const peakPairs = 2_000

export class MediaTools extends Context.Service<MediaTools, {
  /** The facts written in an image, a track or a video. */
  readonly probe: (source: MediaSource) => Effect.Effect<ProbeResult, Unreadable | Unavailable>

  /** An image as a JPEG; never larger than it is. */
  readonly still: (
    source: MediaSource,
    options: PictureBounds
  ) => Effect.Effect<Picture, Unreadable | Unavailable>

  /** The frame of a video at `atSeconds`; null: after a tenth of its length. */
  readonly frame: (
    source: MediaSource,
    options: PictureBounds & { readonly atSeconds: number | null }
  ) => Effect.Effect<Frame | PastEnd, Unreadable | Unavailable>

  /** The art in a track's tags, or null when it has none that can be shown. */
  readonly cover: (
    source: MediaSource,
    options: PictureBounds
  ) => Effect.Effect<Picture | null, Unreadable | Unavailable>

  /** Tempo, key and soundprint of a track, by listening to it. */
  readonly listen: (source: MediaSource) => Effect.Effect<Sound, Unreadable | Unavailable>

  /** How a track or a video is encoded. */
  readonly streams: (source: MediaSource) => Effect.Effect<Streams, Unreadable | Unavailable>

  /**
   * The peaks of a file's sound from its beginning to its end: {@link peakPairs} pairs of a least and a greatest value, each
   * from -1 to 1, one after the other. Null when it has no sound.
   */
  readonly peaks: (source: MediaSource) => Effect.Effect<ReadonlyArray<number> | null, Unreadable | Unavailable>

  /**
   * A track or a video as every browser plays it: H.264 and AAC in MP4 of at most 1080p, at its own frame rate, or AAC alone. Its
   * bytes go to `sink` while they are made; interrupting it ends the work. `Unreadable` too when it takes too much time, memory
   * or bytes.
   */
  readonly preview: <E, R>(
    source: MediaSource,
    sink: PreviewSink<E, R>
  ) => Effect.Effect<Preview, Unreadable | Unavailable | E, R>

  /**
   * Text of a PDF: whole pages `from` to `to` as far as they fit in `maxBytes` of UTF-8; of a first page that does not
   * fit by itself, as much as does, ending on a whole character.
   */
  readonly pages: (
    source: MediaSource,
    options: { readonly from: number; readonly to: number; readonly maxBytes: number }
  ) => Effect.Effect<Pages, Unreadable | Unavailable>

  /**
   * The encoding of a text by its first bytes, as `TextDecoder` names encodings; null when it is no text. A mark of the byte
   * order is part of the text's bytes.
   */
  readonly encoding: (head: Uint8Array) => Effect.Effect<string | null>
}>()("@filedrive/core/ports/MediaTools") {}

/** How many of a text's first bytes {@link MediaTools} is shown to tell its encoding. */
export const textHeadBytes = 64 * 1024

const missing = () =>
  Effect.fail(new Unreadable({ because: "This drive has no media tools.", missingTool: "media tools" }))

/** Tools that open no file: for a host that does not want its files opened. */
export const none: Layer.Layer<MediaTools> = Layer.succeed(
  MediaTools,
  MediaTools.of({
    probe: missing,
    still: missing,
    frame: missing,
    cover: missing,
    listen: missing,
    streams: missing,
    peaks: missing,
    preview: missing,
    pages: missing,
    encoding: () => Effect.succeed(null)
  })
)
