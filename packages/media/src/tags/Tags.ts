/** Reads the tags and the picture of a track from the available blocks: a task of the sandbox. */
import type { MediaTools } from "@filedrive/core"
import type { IAudioMetadata } from "music-metadata"
import { plausibleDuration } from "../plausibleDuration.ts"
import { library } from "../sandbox/SandboxError.ts"
import { blockBytes } from "../SourceBlocks.ts"
import { type BlockRange, BlockTokenizer } from "./BlockTokenizer.ts"
import * as Id3 from "./Id3.ts"
import { bitratesVary } from "./MpegFrames.ts"
import { fieldsOf } from "./TagFields.ts"
import { picturesOf } from "./TagPictures.ts"
import { tempoOf } from "./tempoOf.ts"
import { vorbisPictures } from "./VorbisPictures.ts"

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
  /** The cover, and what is tried in its place where it can't be opened. */
  readonly pictures: ReadonlyArray<Uint8Array>
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

const positive = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) && value > 0 ? value : null

/** For MPEG sound without a header with its duration, it is estimated from the first frames. */
const isEstimate = ({ container, duration, numberOfSamples, sampleRate }: IAudioMetadata["format"]): boolean =>
  container === "MPEG" && numberOfSamples !== undefined && sampleRate !== undefined
  && duration === numberOfSamples / sampleRate

/** Of Ogg it is the position at its end, which is more where it begins late: it counts only where nothing else can be known. */
const isPosition = ({ container }: IAudioMetadata["format"]): boolean => container === "Ogg"

const durationOf = (
  { format }: IAudioMetadata,
  { duration, sizeBytes }: TagsOptions,
  blocks: ReadonlyMap<number, Uint8Array>
): number | null => {
  const isUnknown = (isEstimate(format) && bitratesVary(blocks)) || (isPosition(format) && !duration)
  return isUnknown ? null : plausibleDuration(format.duration, sizeBytes)
}

const written = (
  metadata: IAudioMetadata,
  id3: ReadonlyArray<Id3.Id3>,
  blocks: ReadonlyMap<number, Uint8Array>,
  durationSeconds: number | null
): Omit<WrittenTags, "pictures"> => {
  const { format } = metadata
  const video = format.trackInfo.find(({ video }) => video !== undefined)?.video
  const { album, artists = [], genre = [], key, tempo = [], title } = fieldsOf(metadata, id3, blocks)
  return {
    facts: {
      title: title?.[0] ?? null,
      artists,
      album: album?.[0] ?? null,
      genre: genre.length === 0 ? null : genre.join("; "),
      durationSeconds,
      taggedTempo: tempo.map(tempoOf).find((one) => one !== null) ?? null,
      taggedKey: key?.[0] ?? null,
      width: positive(video?.pixelWidth),
      height: positive(video?.pixelHeight)
    },
    hasVideo: format.hasVideo === true
  }
}

export const tags = async (bytes: Uint8Array<ArrayBuffer>, options: TagsOptions): Promise<TagsAnswer> => {
  const { parseFromTokenizer } = await library("music-metadata", () => import("music-metadata"))
  const { duration, mimeType, picture, sizeBytes } = options
  const blocks = new Map(
    options.blocks.map((block, index) => [block, bytes.subarray(index * blockBytes, (index + 1) * blockBytes)])
  )
  const before = process.cpuUsage()
  const missing = (range: BlockRange): TagsAnswer => {
    const { system, user } = process.cpuUsage(before)
    return { tag: "missing", blocks: range, cpuMillis: (system + user) / 1_000 }
  }
  const file = { size: sizeBytes, mimeType }
  const forPictures = new BlockTokenizer(file, blocks)
  const vorbis = picture ? await vorbisPictures(forPictures).catch(() => []) : null
  if (forPictures.missing !== null) return missing(forPictures.missing)
  const tokenizer = new BlockTokenizer(file, blocks)
  const skipCovers = !picture || vorbis !== null
  const parsed = await parseFromTokenizer(tokenizer, { duration, skipCovers, mkvUseIndex: true }).catch(() => null)
  // Parsers continue after some failures: then their result is not complete.
  if (tokenizer.missing !== null) return missing(tokenizer.missing)
  if (parsed === null) return { tag: "damaged" }
  const id3 = tokenizer.id3Tags().map(Id3.read)
  const typed = [...id3.flatMap(({ pictures }) => pictures), ...vorbis ?? []]
  return {
    tag: "written",
    tags: {
      ...written(parsed, id3, blocks, durationOf(parsed, options, blocks)),
      pictures: picture ? picturesOf(parsed, typed) : []
    },
    isEstimated: isEstimate(parsed.format)
  }
}
