/**
 * Extracts the metadata of recorded files: the facts written in them, the picture they
 * are shown by and, of tracks, how they sound. A job for each file, enqueued in the
 * transaction that records it.
 *
 * The tools work on the file as it is stored, outside any transaction; all they
 * found is saved in one. So a crash leaves a file that is still pending, and a picture that no file has adopted, which is removed.
 *
 * Spec: `/insert-file`; contract: "Files", FileRecord's `media` and `metadataStatus`.
 */
import { Context, Duration, Effect, Layer, Option } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as ToolFacts from "../facts/ToolFacts.ts"
import { Adoption, Derivatives, type MadePicture, pictureBounds } from "../files/Derivatives.ts"
import { FileMetadata } from "../files/FileMetadata.ts"
import { Files } from "../files/Files.ts"
import * as MetadataJob from "../files/MetadataJob.ts"
import type { StoredFile } from "../files/StoredFile.ts"
import { done } from "../jobs/Jobs.ts"
import {
  isKilled,
  killedMax,
  type MediaSource,
  MediaTools,
  type Picture,
  type ProbeResult,
  type Sound,
  type Streams
} from "../ports/MediaTools.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { InvalidField, NotFound, Refused, Unavailable, Unreadable } from "../shared/DriveError.ts"
import * as FairPlaces from "../shared/FairPlaces.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import { FairTools } from "./FairTools.ts"
import * as FilePlaces from "./FilePlaces.ts"
import { Peaks } from "./Peaks.ts"
import { Soundprints } from "./Soundprints.ts"
import * as Source from "./Source.ts"

type File = StoredFile

/** How many files one process extracts at once: few, because decoding takes all of a core, and requests need cores too. */
export const ExtractionPlaces = Context.Reference<FairPlaces.Places>("@filedrive/core/media/ExtractionPlaces", {
  defaultValue: () => ({ inTurn: 2, aside: 2 })
})

/** How long the others wait for a file, where there is an extra place. */
const turn = Duration.seconds(3)

/** The result of a tool: null when this host has no such tool. */
interface ToolResult<A> {
  readonly found: A | null
  readonly isBroken: boolean
}

/** Everything that was found in a file. */
interface ExtractionResult {
  readonly facts: ProbeResult | null
  readonly picture: Picture | null
  readonly sound: Sound | null
  /** How a track or a video is encoded. */
  readonly streams: Streams | null
  /** An installed tool could not read the file. */
  readonly isBroken: boolean
}

export class Extraction extends Context.Service<Extraction, {
  /**
   * Extracts the metadata of a file, as its job does; does nothing when no extraction is pending (any longer). A picture that somebody has given the
   * file stays. Fails when storage does not answer, or a tool can't be run now or is killed; run it again then.
   *
   * @param attempt which this is; at the {@link killedMax}-th a file whose tools are killed counts as one that can't be read
   */
  readonly run: (accountId: AccountId, fileId: FileId, attempt?: number) => Effect.Effect<void, NotFound | Unavailable>

  /**
   * Queues files of the caller's for extraction again, in trash or not, as after the host has got a tool it lacked. What is known
   * of them stays until then. Returns how many were queued; ids of others' files, and files without metadata, are
   * left alone.
   */
  readonly request: (fileIds: ReadonlyArray<FileId>) => Effect.Effect<number, InvalidField | Refused, CurrentAccount>
}>()("@filedrive/core/media/Extraction") {
  static readonly layerNoDeps = Layer.effect(
    Extraction,
    Effect.gen(function*() {
      const derivatives = yield* Derivatives
      const fairTools = yield* FairTools
      const files = yield* Files
      const transaction = yield* AccountTransaction
      const metadata = yield* FileMetadata
      const peaks = yield* Peaks
      const soundprints = yield* Soundprints
      const store = yield* ObjectStore
      const tools = yield* MediaTools

      /** The picture of an image. If it can't be opened that is remembered, so that the next request does not wait for it again. */
      const stillOf = (file: File, source: MediaSource) =>
        Effect.tapError(
          tools.still(source, pictureBounds.thumbnail),
          (error) =>
            error._tag === "Unreadable"
              ? fairTools.noteUnreadable({ ...file, mimeType: source.mimeType }, error)
              : Effect.void
        )

      /** The picture that shows a file of this type. */
      const pictureOf = (
        file: File,
        source: MediaSource,
        type: File["type"]
      ): Effect.Effect<Picture | null, Unreadable | Unavailable> => {
        switch (type) {
          case "Image":
            return stillOf(file, source)
          case "Audio":
            return tools.cover(source, pictureBounds.cover)
          default:
            return Effect.map(
              tools.frame(source, { atSeconds: null, ...pictureBounds.poster }),
              (frame) => frame._tag === "Frame" ? frame : null
            )
        }
      }

      const extract = Effect.fn("Extraction.extract")(
        function*(file: File, attempt: number): Effect.fn.Return<ExtractionResult, Unavailable> {
          const toolResult = attempt < killedMax ? resultOf : resultOrKilled
          if (file.sizeBytes === 0) return { facts: null, picture: null, sound: null, streams: null, isBroken: true }
          const source = Source.of(store, file)
          const facts = yield* toolResult(tools.probe(source))
          const { mimeType, type } = MetadataJob.finerKind(file, facts.found?.mimeType ?? null)
          const finer = { ...source, mimeType }
          const picture = file.pictureLines === null ? yield* toolResult(pictureOf(file, finer, type)) : nothing
          const sound = type === "Audio" ? yield* toolResult(tools.listen(finer)) : nothing
          // A file whose sound and pictures can't be played may still have facts: this alone breaks nothing.
          const streams = type === "Audio" || type === "Video" ? yield* toolResult(tools.streams(finer)) : nothing
          return {
            facts: facts.found,
            picture: picture.found,
            sound: sound.found,
            streams: streams.found,
            isBroken: facts.isBroken || picture.isBroken || sound.isBroken
          }
        }
      )

      /** Saves all that was found, if the extraction is still pending. */
      const save = Effect.fnUntraced(function*(file: File, seen: ExtractionResult, made: MadePicture | null) {
        const { accountId, id } = file
        if (Option.isNone(yield* metadata.pending(accountId, id))) return Adoption.Gone()
        const adoption = made === null ? Adoption.Kept() : yield* derivatives.adopt(made, "keep")
        if (adoption._tag === "Elsewhere") return adoption
        yield* metadata.settle(file, {
          status: seen.isBroken ? "failed" : "done",
          mimeType: seen.facts?.mimeType ?? null,
          media: seen.facts === null && seen.sound === null ? null : ToolFacts.stored(seen.facts, seen.sound)
        })
        if (seen.sound !== null) yield* soundprints.replace(accountId, id, seen.sound.soundprint)
        if (seen.streams !== null) yield* peaks.onProbed(accountId, id, seen.streams)
        return adoption
      })

      /** Stores the picture and saves everything; false when the file went to the other bucket meanwhile. */
      const settle = Effect.fnUntraced(function*(file: File, seen: ExtractionResult) {
        const adoption = seen.picture === null
          ? yield* transaction.share(file.accountId, () => save(file, seen, null))
          : yield* derivatives.make(file, seen.picture, (made) => save(file, seen, made))
        return adoption._tag !== "Elsewhere"
      })

      const run = Effect.fn("Extraction.run")(function*(accountId: AccountId, id: FileId, attempt = 1) {
        const pending = Effect.flatMap(metadata.pending(accountId, id), Effect.fromOption)
        const seen = yield* Source.wherever(yield* pending, pending, (file) => extract(file, attempt))
        while (!(yield* settle(yield* pending, seen)));
      }, Effect.catchTag("NoSuchElementError", () => Effect.void))

      const request = Effect.fn("Extraction.request")(function*(fileIds: ReadonlyArray<FileId>) {
        const { id, limits } = yield* allowed("organize")
        return yield* transaction.share(
          id,
          () => Effect.flatMap(files.own(id, limits, fileIds), (own) => metadata.request(id, own))
        )
      })

      const { aside, inTurn } = yield* ExtractionPlaces
      const concurrency = inTurn + aside
      // One account has at most half of all places, so that another's first file finds one. No more wait here than jobs run.
      const ofAccount = Math.max(Math.floor(concurrency / 2), 1)
      const places = yield* FairPlaces.make(
        {
          places: inTurn,
          asideMax: aside,
          ofGroup: ofAccount,
          waitingOfGroup: concurrency,
          waitingMax: concurrency,
          // Nobody waits for a result, and a file that is preempted would begin again.
          preempts: false
        },
        { turn, waitMax: Duration.infinity },
        FilePlaces.causes
      )
      yield* MetadataJob.metadataJob.handle(
        ({ accountId, fileId }, { attempt }) => Effect.as(places.run(accountId, run(accountId, fileId, attempt)), done),
        { concurrency, concurrencyOfAccount: ofAccount }
      )

      return Extraction.of({ run, request })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide([Peaks.layer, Soundprints.layer, FairTools.layer]))
}

const nothing: ToolResult<never> = { found: null, isBroken: false }

/** The result of a tool; that it can't read the file, or is not installed, is a result too. */
const resultOf = <A>(asked: Effect.Effect<A, Unreadable | Unavailable>): Effect.Effect<ToolResult<A>, Unavailable> =>
  asked.pipe(
    Effect.map((found): ToolResult<A> => ({ found, isBroken: false })),
    Effect.catchTag(
      "Unreadable",
      (error) => Effect.as(Effect.logDebug(error.message), { found: null, isBroken: error.missingTool === undefined })
    )
  )

/** The same, where a tool that is killed is a result as well: a file that it can't read. */
const resultOrKilled = <A>(asked: Effect.Effect<A, Unreadable | Unavailable>) =>
  Effect.catchIf(
    resultOf(asked),
    isKilled,
    (error) =>
      Effect.as(Effect.logWarning("A file was given up.", error), { found: null, isBroken: true } as ToolResult<A>)
  )
