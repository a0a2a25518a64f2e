/** Reads the tags and the picture of a track from the available blocks: a task of the sandbox. */
import type { MediaTools } from "@filedrive/core"
import type { IAudioMetadata } from "music-metadata"
import { plausibleDuration } from "../plausibleDuration.ts"
import { library } from "../sandbox/SandboxError.ts"
import { blockBytes } from "../SourceBlocks.ts"
import { type BlockRange, BlockTokenizer } from "./BlockTokenizer.ts"
import { bitratesVary } from "./MpegFrames.ts"

export interface TagsOptions {
  readonly sizeBytes: number
  readonly mimeType: string
  /** Which blocks of the file the task's bytes are, in their order. */
  readonly blocks: ReadonlyArray<number>
  /** Whether the picture is wanted; tags are read faster without. */
  readonly picture: boolean
  /** Whether all of the sound is counted where its length isn't written. */
  readonly duration: boolean
}

/** The facts that are read from a track. */
export type TrackFacts = Pick<
  MediaTools.ProbeResult,
  "title" | "artists" | "album" | "genre" | "durationSeconds" | "taggedTempo" | "taggedKey" | "width" | "height"
>

export interface WrittenTags {
  readonly facts: TrackFacts
  readonly hasVideo: boolean
  readonly picture: Uint8Array | null
}

/** The tags, or the blocks that are needed first, and the CPU it took. `damaged`: neither tags nor sound were found. */
export type TagsAnswer =
  | {
    readonly tag: "written"
    readonly tags: WrittenTags
    /** Its duration is estimated from the available blocks. */
    readonly isEstimated: boolean
  }
  | { readonly tag: "missing"; readonly blocks: BlockRange; readonly cpuMillis: number }
  | { readonly tag: "damaged" }

/** UTF-8 that was written where Latin-1 belongs, as many programs do in WAV and in older tags: no words of Latin-1 are UTF-8 by chance. */
const asUtf8 = (text: string): string => {
  if (!/[\u0080-\u00ff]/.test(text) || /[\u0100-\uffff]/.test(text)) return text
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "latin1"))
  } catch {
    return text
  }
}

const text = (value: string | undefined): string | null => {
  const trimmed = asUtf8(value ?? "").replaceAll("\u0000", "").trim()
  return trimmed === "" ? null : trimmed
}

const positive = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) && value > 0 ? value : null

/** Taggers that write into free fields name the key so, and `music-metadata` leaves it there. */
const keyName = /(?:^|:)(?:initial[ _]?key|key)$/i

const freeKey = (native: IAudioMetadata["native"]): string | undefined => {
  const value = Object.values(native).flat().find(({ id }) => keyName.test(id))?.value
  return typeof value === "string" ? value : undefined
}

/** Names like AC/DC and M/A/R/R/S, which the older tags take for several that are parted by `/`. */
const oneName = ({ native }: IAudioMetadata): string | undefined => {
  const parts = [...native["ID3v2.2"] ?? [], ...native["ID3v2.3"] ?? []]
    .filter(({ id }) => id === "TP1" || id === "TPE1")
    .map(({ value }) => String(value))
  return parts.length > 1 && parts.every((part) => /^\p{Lu}{1,2}$/u.test(part)) ? parts.join("/") : undefined
}

/** For MPEG sound without a header with its duration, it is estimated from the first frames. */
const isEstimate = ({ container, duration, numberOfSamples, sampleRate }: IAudioMetadata["format"]): boolean =>
  container === "MPEG" && numberOfSamples !== undefined && sampleRate !== undefined
  && duration === numberOfSamples / sampleRate

const durationOf = (
  { format }: IAudioMetadata,
  sizeBytes: number,
  blocks: ReadonlyMap<number, Uint8Array>
): number | null => isEstimate(format) && bitratesVary(blocks) ? null : plausibleDuration(format.duration, sizeBytes)

const written = (metadata: IAudioMetadata, durationSeconds: number | null): WrittenTags => {
  const { common, format, native } = metadata
  const video = format.trackInfo.find(({ video }) => video !== undefined)?.video
  const name = oneName(metadata)
  const given = name === undefined ? common.artists ?? [common.artist ?? ""] : [name]
  const artists = given.map((artist) => text(artist))
  return {
    facts: {
      title: text(common.title),
      artists: artists.filter((artist) => artist !== null),
      album: text(common.album),
      genre: text(common.genre?.join("; ")),
      durationSeconds,
      taggedTempo: positive(common.bpm),
      taggedKey: text(common.key ?? freeKey(native)),
      width: positive(video?.pixelWidth),
      height: positive(video?.pixelHeight)
    },
    hasVideo: format.hasVideo === true,
    picture: common.picture?.[0]?.data ?? null
  }
}

export const tags = async (bytes: Uint8Array<ArrayBuffer>, options: TagsOptions): Promise<TagsAnswer> => {
  const { parseFromTokenizer } = await library("music-metadata", () => import("music-metadata"))
  const { duration, mimeType, picture, sizeBytes } = options
  const blocks = new Map(
    options.blocks.map((block, index) => [block, bytes.subarray(index * blockBytes, (index + 1) * blockBytes)])
  )
  const before = process.cpuUsage()
  const tokenizer = new BlockTokenizer({ size: sizeBytes, mimeType }, blocks)
  const parsed = await parseFromTokenizer(tokenizer, { duration, skipCovers: !picture, mkvUseIndex: true }).catch(() =>
    null
  )
  // Parsers continue after some failures: then their result is not complete.
  if (tokenizer.missing !== null) {
    const { system, user } = process.cpuUsage(before)
    return { tag: "missing", blocks: tokenizer.missing, cpuMillis: (system + user) / 1_000 }
  }
  return parsed === null ? { tag: "damaged" } : {
    tag: "written",
    tags: written(parsed, durationOf(parsed, sizeBytes, blocks)),
    isEstimated: isEstimate(parsed.format)
  }
}
