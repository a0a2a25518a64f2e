/** Previews of tracks and videos, which players open in place of what browsers don't play. {@link "./PreviewRuns.ts"} makes them. */
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { Derivatives } from "../files/Derivatives.ts"
import * as StoredFile from "../files/StoredFile.ts"
import * as Limits from "../limits/Limits.ts"
import * as ObjectHeaders from "../objects/ObjectHeaders.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import type { Streams } from "../ports/MediaTools.ts"
import { type ObjectAddress, ObjectStore } from "../ports/ObjectStore.ts"
import type { Unavailable } from "../shared/DriveError.ts"
import * as Playable from "./Playable.ts"
import type { PlayedFile, Preview, PreviewRow, Shown, StreamLink } from "./Preview.ts"
import { previewJob } from "./PreviewRuns.ts"
import { PreviewsRepo } from "./PreviewsRepo.ts"

type File = StoredFile.StoredFile

/** After so long a preview that failed for want of a tool is tried again, when somebody asks for it: the host may have installed it. */
const toolLifetime = Duration.minutes(10)

const fileNameOf = ({ mimeType }: { readonly mimeType: string }): string =>
  mimeType === "audio/mp4" ? "preview.m4a" : "preview.mp4"

const nothing: Preview = { status: "none", progress: 0, error: null, stream: null }

const nothingShown: Shown = { preview: nothing, link: null, peaksUrl: null, isAnalysed: false }

export class Previews extends Context.Service<Previews, {
  /** What is known of a file's preview; nothing is enqueued. */
  readonly of: (file: File) => Effect.Effect<Preview>

  /**
   * Has the preview of a track or a video made, unless it is, or browsers play the file itself. One that failed is not tried
   * again, since the file is the same; only when a tool was missing, ten minutes later. Repeating is safe.
   */
  readonly request: (file: File) => Effect.Effect<Preview>

  /**
   * A link that players open by ranges, and that works for six hours: to the preview where it is made, to the file itself
   * where browsers play that. Null where there is neither (yet), and for a file in trash.
   */
  readonly link: (file: File) => Effect.Effect<StreamLink | null, Unavailable>

  /**
   * All that is shown of a file, with links: {@link link}, {@link of} and its peaks together. Where there is nothing to play it has the
   * preview made, like {@link request}. In trash there is no link.
   */
  readonly shown: (file: File) => Effect.Effect<Shown, Unavailable>

  /** How a file is encoded; null until it was looked into, and when that can't be told. */
  readonly streams: (file: Pick<File, "id" | "accountId">) => Effect.Effect<Streams | null>
}>()("@filedrive/core/media/Previews") {
  static readonly layerNoDeps = Layer.effect(
    Previews,
    Effect.gen(function*() {
      const derivatives = yield* Derivatives
      const jobs = yield* previewJob.queue
      const repo = yield* PreviewsRepo
      const store = yield* ObjectStore
      const transaction = yield* AccountTransaction

      const isPlayer = ({ type }: File) => type === "Audio" || type === "Video"

      const streams = ({ accountId, id }: Pick<File, "id" | "accountId">) => repo.findStreams(accountId, id)

      const known = Effect.fnUntraced(function*({ accountId, id }: File, row: PreviewRow) {
        const { error, progress, status } = row
        const found = status === "done" ? yield* derivatives.find(accountId, id, "preview") : Option.none()
        const stream = Option.getOrNull(Option.map(found, (made) => ({
          at: StoredFile.address(made),
          mimeType: made.mimeType,
          sizeBytes: made.sizeBytes
        })))
        return { status, progress, error, stream } satisfies Preview
      })

      const of = Effect.fn("Previews.of")(function*(file: File) {
        const row = Option.getOrUndefined(yield* repo.find(file.accountId, file.id))
        return row === undefined ? nothing : yield* known(file, row)
      })

      const mayTry = (row: PlayedFile["row"], now: DateTime.Utc): boolean =>
        row === undefined || (row.status === "failed" && row.missingTool !== null
          && now.epochMilliseconds - row.updateTime.getTime() >= Duration.toMillis(toolLifetime))

      const request = Effect.fn("Previews.request")(function*(file: File) {
        const { accountId, id } = file
        if (!isPlayer(file)) return nothing
        const row = Option.getOrUndefined(yield* repo.find(accountId, id))
        const now = yield* DateTime.now
        if (!mayTry(row, now)) return yield* of(file)
        const found = yield* streams(file)
        if (found !== null && Playable.of(found, file.mimeType) !== "needs preview") return nothing
        yield* transaction.share(accountId, () =>
          Effect.gen(function*() {
            if (yield* repo.want(accountId, id, DateTime.toDateUtc(now))) yield* jobs.enqueue({ accountId, fileId: id })
          }))
        return yield* of(file)
      })

      const signed = Effect.fnUntraced(function*(at: ObjectAddress, fileName: string, mimeType: string) {
        const lifetime = Limits.downloadUrlLifetime
        const expireTime = DateTime.toDateUtc(DateTime.addDuration(yield* DateTime.now, lifetime))
        const url = yield* store.signGet({ at, headers: ObjectHeaders.of({ fileName, mimeType }, at.bucket), lifetime })
        return { url, mimeType, expireTime } satisfies StreamLink
      })

      const link = Effect.fn("Previews.link")(function*(file: File) {
        if (file.trashTime !== null || !isPlayer(file)) return null
        const { stream } = yield* of(file)
        if (stream !== null) {
          return yield* signed(stream.at, fileNameOf(stream), stream.mimeType)
        }
        const found = yield* streams(file)
        if (found === null || Playable.of(found, file.mimeType) !== "plays") return null
        return yield* signed(StoredFile.address(file), file.fileName, file.mimeType)
      })

      const shown = Effect.fn("Previews.shown")(function*(file: File) {
        if (!isPlayer(file)) return nothingShown
        const { peaksKey, preview: made, row, streams } = yield* repo.findAll(file.accountId, file.id)
        const plays = streams !== null && Playable.of(streams, file.mimeType) === "plays"
        const stream = row?.status === "done" && made !== null
          ? signed(StoreKey.inPrivate(made.storeKey), fileNameOf(made), made.mimeType)
          : plays
          ? signed(StoredFile.address(file), file.fileName, file.mimeType)
          : null
        const isHidden = file.trashTime !== null
        const link = isHidden || stream === null ? null : yield* stream
        const peaks = isHidden || peaksKey === null
          ? null
          : yield* signed(StoreKey.inPrivate(peaksKey), "peaks.json", "application/json")
        const mayBegin = !isHidden && link === null && mayTry(row, yield* DateTime.now)
        return {
          preview: mayBegin ? yield* request(file) : row ?? nothing,
          link,
          peaksUrl: peaks?.url ?? null,
          isAnalysed: streams !== null
        } satisfies Shown
      })

      return Previews.of({ of, request, link, shown, streams })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(PreviewsRepo.layer))
}
