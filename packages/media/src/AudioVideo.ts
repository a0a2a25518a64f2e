/** The part of `MediaTools` for tracks and videos. */
import { DriveError, MediaTools } from "@filedrive/core"
import { Effect, type Scope, Stream } from "effect"
import { availableParallelism } from "node:os"
import * as CpuBudget from "./CpuBudget.ts"
import { decodedAudio } from "./ffmpeg/DecodedAudio.ts"
import { peaksOf } from "./ffmpeg/DecodedPeaks.ts"
import * as Ffmpeg from "./ffmpeg/Ffmpeg.ts"
import { frame, type FrameOptions } from "./ffmpeg/Frame.ts"
import { isEstimated, playedSeconds } from "./ffmpeg/PlayedLength.ts"
import { previewOf } from "./ffmpeg/Preview.ts"
import { type Probe, probe } from "./ffmpeg/Probe.ts"
import { factsOf } from "./ffmpeg/ProbedFacts.ts"
import { streamsOf } from "./ffmpeg/ProbedStreams.ts"
import type { MediaOptions } from "./MediaOptions.ts"
import * as Pictures from "./Pictures.ts"
import type { Sandbox } from "./sandbox/Sandbox.ts"
import { type BlockLimits, make as blocksOf, type SourceBlocks } from "./SourceBlocks.ts"
import { readTags } from "./tags/ReadTags.ts"
import { merged, taggedFacts } from "./tags/TaggedFacts.ts"

/** `probe` is for audio and video only. */
export type AudioVideo = Pick<
  MediaTools.MediaTools["Service"],
  "probe" | "frame" | "cover" | "listen" | "streams" | "peaks" | "preview"
>

type Failure = DriveError.Unreadable | DriveError.Unavailable

/** How much of a file may be read, and kept in memory, for each operation. */
const looking: BlockLimits = { readMaxBytes: 64e6, keepMaxBytes: 24e6 }
/** A moment may be far from the key frame before it. */
const seeking: BlockLimits = { readMaxBytes: 512e6, keepMaxBytes: 24e6 }
/** Two minutes of sound without compression, of many channels. */
const listening: BlockLimits = { readMaxBytes: 512e6, keepMaxBytes: 4e6 }

/** All of a film, some of it twice where its index is at its end. */
const playing: BlockLimits = { readMaxBytes: 4e12, keepMaxBytes: 8e6 }

const unreadable = (because: string) => new DriveError.Unreadable({ because })
const empty = unreadable("This file is empty.")
const damaged = unreadable("This file could not be opened: it is damaged, or neither sound nor video of a known kind.")

/** The result, or null when the file can't be read; a store that does not answer is still a failure. */
const ifReadable = <A>(work: Effect.Effect<A, Failure>): Effect.Effect<A | null, DriveError.Unavailable> =>
  Effect.catchTag(work, "Unreadable", () => Effect.succeed(null))

/** `longProcesses`: how many previews and peaks may be made at a time. */
export const make = (
  sandbox: Sandbox,
  options: MediaOptions & { readonly longProcesses?: number }
): Effect.Effect<AudioVideo, never, Scope.Scope> =>
  Effect.gen(function*() {
    const { ffmpegPath, ffprobePath, processMemoryMaxBytes = 1.5e9, processes = availableParallelism() } = options
    const ffmpeg = yield* Ffmpeg.make({
      ...(ffmpegPath === undefined ? {} : { ffmpegPath }),
      ...(ffprobePath === undefined ? {} : { ffprobePath }),
      processes,
      ...(options.longProcesses === undefined ? {} : { longProcesses: options.longProcesses }),
      memoryMaxBytes: processMemoryMaxBytes
    })
    const pictures = Pictures.make(sandbox)
    /** Results of ffprobe, by the blocks of a file: a request for a video's facts is often followed by one for its poster. */
    const probes = new WeakMap<MediaTools.MediaSource["read"], Probe>()
    const probeOnce = (source: MediaTools.MediaSource, blocks: SourceBlocks) =>
      Effect.suspend(() => {
        const known = probes.get(source.read)
        if (known !== undefined) return Effect.succeed(known)
        return Effect.tap(probe(ffmpeg, blocks), (found) => Effect.sync(() => probes.set(source.read, found)))
      })

    /** Null when the file has no tags. */
    const tagsOf = (
      source: MediaTools.MediaSource,
      blocks: SourceBlocks,
      wanted = { picture: false, duration: false }
    ) => readTags(sandbox, source, blocks, wanted)

    /** The duration, by all of its packets. */
    const played = Effect.fnUntraced(function*(source: MediaTools.MediaSource, probed: Probe) {
      return yield* ifReadable(playedSeconds(ffmpeg, yield* blocksOf(source, listening), probed))
    }, Effect.scoped)

    /** The facts that ffprobe found; a duration that the file doesn't state, as of one that was recorded live, is counted. */
    const probedFacts = Effect.fnUntraced(function*(source: MediaTools.MediaSource, probed: Probe) {
      const facts = factsOf(probed, source.mimeType)
      const isCounted = facts.durationSeconds === null || isEstimated(probed)
      return isCounted ? { ...facts, durationSeconds: yield* played(source, probed) } : facts
    })

    /** The duration, where the tags don't have it: by ffprobe, or without it by counting. */
    const furtherFacts = Effect.fnUntraced(function*(source: MediaTools.MediaSource, blocks: SourceBlocks) {
      if ((yield* ffmpeg.program("ffprobe")) !== null) {
        return yield* probedFacts(source, yield* probeOnce(source, blocks))
      }
      const counted = yield* tagsOf(source, blocks, { picture: false, duration: true })
      return counted === null ? yield* damaged : taggedFacts(counted, source.mimeType)
    })

    /** Facts from its tags, and from ffprobe for what they lack: the duration of an Ogg, or anything of a damaged file. */
    const probeTrack = Effect.fnUntraced(function*(source: MediaTools.MediaSource) {
      const blocks = yield* blocksOf(source, looking)
      const tags = yield* Effect.result(tagsOf(source, blocks))
      if (tags._tag === "Failure" && tags.failure._tag === "Unavailable") return yield* tags.failure
      const tagged = tags._tag === "Failure" || tags.success === null
        ? null
        : taggedFacts(tags.success, source.mimeType)
      if (tagged !== null && tagged.durationSeconds !== null) return tagged
      const found = merged(tagged, yield* ifReadable(furtherFacts(source, blocks)))
      return found ?? (yield* tags._tag === "Failure" ? tags.failure : damaged)
    }, Effect.scoped)

    /** Facts from ffprobe; a file without pictures is a track. Without ffprobe from its tags, as far as they go. */
    const probeVideo = Effect.fnUntraced(function*(source: MediaTools.MediaSource) {
      const blocks = yield* blocksOf(source, looking)
      const asked = yield* Effect.result(probeOnce(source, blocks))
      if (asked._tag === "Failure" && asked.failure._tag === "Unavailable") return yield* asked.failure
      const probed = asked._tag === "Success" ? yield* probedFacts(source, asked.success) : null
      if (probed !== null && probed.mimeType === null) return probed
      const tags = yield* ifReadable(tagsOf(source, blocks))
      const found = merged(tags === null ? null : taggedFacts(tags, source.mimeType), probed)
      if (found !== null) return found
      return yield* asked._tag === "Failure" ? asked.failure : damaged
    }, Effect.scoped)

    const probeFile = (source: MediaTools.MediaSource): Effect.Effect<MediaTools.ProbeResult, Failure> =>
      source.mimeType.startsWith("video/") ? probeVideo(source) : probeTrack(source)

    const coverOf = Effect.fnUntraced(function*(source: MediaTools.MediaSource, bounds: MediaTools.PictureBounds) {
      const tags = yield* ifReadable(
        tagsOf(source, yield* blocksOf(source, looking), { picture: true, duration: false })
      )
      for (const picture of tags?.pictures ?? []) {
        const art: MediaTools.MediaSource = {
          fileName: "cover",
          mimeType: "application/octet-stream",
          sizeBytes: picture.byteLength,
          read: ({ end, start }) => Stream.succeed(picture.subarray(start, end + 1))
        }
        CpuBudget.include(source, art)
        const still = yield* ifReadable(pictures.still(art, bounds))
        if (still !== null) return still
      }
      return null
    }, Effect.scoped)

    const listen = Effect.fnUntraced(function*(source: MediaTools.MediaSource) {
      if ((yield* ffmpeg.program("ffmpeg")) === null) return MediaTools.noSound
      return (yield* decodedAudio(ffmpeg, yield* blocksOf(source, listening))) ?? MediaTools.noSound
    }, Effect.scoped)

    const show = Effect.fnUntraced(function*(source: MediaTools.MediaSource, options: FrameOptions) {
      const blocks = yield* blocksOf(source, seeking)
      return yield* frame(ffmpeg, blocks, yield* probeOnce(source, blocks), options)
    }, Effect.scoped)

    const streams = Effect.fnUntraced(function*(source: MediaTools.MediaSource) {
      return streamsOf(yield* probeOnce(source, yield* blocksOf(source, looking)))
    }, Effect.scoped)

    const peaks = Effect.fnUntraced(function*(source: MediaTools.MediaSource) {
      return yield* peaksOf(ffmpeg, yield* blocksOf(source, playing))
    }, Effect.scoped)

    const convert = Effect.fnUntraced(function*<E, R>(
      source: MediaTools.MediaSource,
      sink: MediaTools.PreviewSink<E, R>
    ) {
      const found = yield* Effect.scoped(
        Effect.flatMap(blocksOf(source, looking), (blocks) => probeOnce(source, blocks))
      )
      return yield* previewOf(ffmpeg, yield* blocksOf(source, playing), found, sink)
    }, Effect.scoped)

    const unlessEmpty = <A>(source: MediaTools.MediaSource, work: Effect.Effect<A, Failure>) =>
      source.sizeBytes === 0 ? Effect.fail(empty) : work

    return {
      probe: (source) => unlessEmpty(source, probeFile(source)),
      frame: (source, options) => unlessEmpty(source, show(source, options)),
      cover: (source, bounds) => unlessEmpty(source, coverOf(source, bounds)),
      listen: (source) => unlessEmpty(source, listen(source)),
      streams: (source) => unlessEmpty(source, streams(source)),
      peaks: (source) => unlessEmpty(source, peaks(source)),
      preview: (source, sink) => source.sizeBytes === 0 ? Effect.fail(empty) : convert(source, sink)
    }
  })
