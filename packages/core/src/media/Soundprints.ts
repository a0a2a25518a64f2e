/** How tracks sound, kept so that the same recording is found again. */
import { Context, Effect, Layer, Option, Schema } from "effect"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import type { FileRecord } from "../files/FileRecord.ts"
import { FileRecords } from "../files/FileRecords.ts"
import { VisibleFiles } from "../files/VisibleFiles.ts"
import * as Limits from "../limits/Limits.ts"
import { InvalidField, NotFound, type Refused } from "../shared/DriveError.ts"
import type { AccountId, FileId } from "../shared/Ids.ts"
import * as Soundprint from "./Soundprint.ts"
import { SoundprintsRepo } from "./SoundprintsRepo.ts"

/** Tracks that are compared besides those that may be returned: some that share keys are other recordings after all. */
const spareCandidates = 50

/** Comparisons made before other work of this process runs. */
const comparisonsAtOnce = 20

const { max, min } = Limits.similarTracks

/** How many tracks are returned at most. */
export const SimilarLimit = Schema.Int.check(Schema.isBetween({ minimum: min, maximum: max })).pipe(
  Schema.brand("SimilarLimit")
)
export type SimilarLimit = typeof SimilarLimit.Type

export interface SimilarTracks {
  /** The track was not analysed yet: ask again. */
  readonly pending: boolean
  /** Best first. */
  readonly tracks: ReadonlyArray<{
    /** From 0, no more alike than any two tracks, to 1, the same bit by bit. */
    readonly similarity: number
    readonly file: FileRecord
  }>
}

export class Soundprints extends Context.Service<Soundprints, {
  /**
   * Keeps a track's soundprint ({@link "../ports/MediaTools.ts"}, `Sound`), in place of the one it had. Null says that
   * it was listened to and has nothing to compare it by, as with silence. Files of other accounts and deleted
   * files are ignored.
   *
   * Only inside `AccountTransaction.run`. Repeating is safe.
   */
  readonly replace: (
    accountId: AccountId,
    fileId: FileId,
    print: ReadonlyArray<number> | null
  ) => Effect.Effect<void>

  /**
   * The caller's other tracks with the recording of a track they can open, whatever their encoding, at most `limit` (1 to
   * 100, default 20). Not those in trash, or outside the folder that the call is limited to.
   *
   * Fails with `NotFound`; with `InvalidField` (`fileId`) for a file that is not a track.
   */
  readonly similar: (
    fileId: FileId,
    limit?: SimilarLimit
  ) => Effect.Effect<SimilarTracks, InvalidField | NotFound | Refused, CurrentAccount>
}>()("@filedrive/core/media/Soundprints") {
  static readonly layerNoDeps = Layer.effect(
    Soundprints,
    Effect.gen(function*() {
      const repo = yield* SoundprintsRepo
      const files = yield* VisibleFiles
      const records = yield* FileRecords

      const replace = Effect.fn("Soundprints.replace")(
        function*(accountId: AccountId, fileId: FileId, print: ReadonlyArray<number> | null) {
          const telling = print === null ? null : Soundprint.make(print)
          yield* repo.write(
            accountId,
            fileId,
            telling === null ? null : Soundprint.encode(telling),
            telling === null ? [] : Soundprint.keys(accountId, telling)
          )
        }
      )

      const find = Effect.fnUntraced(function*(fileId: FileId) {
        const found = yield* files.find(fileId)
        if (Option.isNone(found)) return yield* new NotFound({ resource: "file", id: fileId })
        if (found.value.type === "Audio") return found.value
        return yield* invalid("fileId", "must be the id of a track")
      })

      /** The tracks that have the recording, best first. */
      const matches = Effect.fnUntraced(function*(fileId: FileId, print: Soundprint.Soundprint, limit: number) {
        const { id: accountId, limits } = yield* allowed("read")
        const candidates = yield* repo.candidates(accountId, limits, {
          besides: fileId,
          keys: Soundprint.keys(accountId, print),
          limit: limit + spareCandidates
        })
        const found: Array<{ readonly id: FileId; readonly similarity: number }> = []
        for (const [index, { id, print: other }] of candidates.entries()) {
          if (index % comparisonsAtOnce === comparisonsAtOnce - 1) yield* Effect.yieldNow
          const similarity = Soundprint.compare(print, Soundprint.decode(other))
          if (similarity !== null) found.push({ id, similarity })
        }
        return found.sort((a, b) => b.similarity - a.similarity).slice(0, limit)
      })

      const similar = Effect.fn("Soundprints.similar")(
        function*(fileId: FileId, most?: SimilarLimit) {
          const { id: accountId } = yield* allowed("read")
          const limit = most ?? Limits.similarTracks.byDefault
          const track = yield* find(fileId)
          const bytes = yield* repo.find(track.id)
          if (bytes === undefined || bytes === null) {
            return { pending: bytes === undefined && track.metadataStatus === "pending", tracks: [] }
          }
          const found = yield* matches(track.id, Soundprint.decode(bytes), limit)
          const stored = yield* repo.files(accountId, found.map(({ id }) => id))
          const byId = new Map((yield* records.of(stored, () => "owner")).map((file) => [file.id, file]))
          const tracks = found.flatMap(({ id, similarity }) => {
            const file = byId.get(id)
            return file === undefined ? [] : [{ similarity, file }]
          })
          return { pending: false, tracks }
        }
      )

      return Soundprints.of({ replace, similar })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(SoundprintsRepo.layer))
}

const invalid = (field: string, because: string) => new InvalidField({ code: "invalid_field", field, because })
