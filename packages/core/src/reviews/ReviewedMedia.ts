/** The links by which the file of a review is played and downloaded. They work for six hours; opening the review again gives new ones. */
import { Context, DateTime, Effect, Layer } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { FileMetadata } from "../files/FileMetadata.ts"
import * as StoredFile from "../files/StoredFile.ts"
import * as Limits from "../limits/Limits.ts"
import { Peaks } from "../media/Peaks.ts"
import * as Playable from "../media/Playable.ts"
import type { PreviewStatus } from "../media/Preview.ts"
import { Previews } from "../media/Previews.ts"
import * as ObjectHeaders from "../objects/ObjectHeaders.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { Unavailable } from "../shared/DriveError.ts"

/** What players open; null when there is nothing to play, or not yet. */
export interface ReviewStream {
  readonly url: string
  readonly mimeType: string
  readonly expireTime: Date
}

/** How far the version is that browsers play, of a file that they don't play themselves. */
export interface ReviewPreview {
  readonly status: PreviewStatus
  readonly progress: number
  readonly error: string | null
}

export interface ShownMedia {
  readonly stream: ReviewStream | null
  readonly preview: ReviewPreview
  /** JSON with the shape of the sound; null where there is none. */
  readonly peaksUrl: string | null
  readonly downloadUrl: string | null
}

const nothing: ShownMedia = {
  stream: null,
  preview: { status: "none", progress: 0, error: null },
  peaksUrl: null,
  downloadUrl: null
}

export class ReviewedMedia extends Context.Service<ReviewedMedia, {
  /** Of a file, as far as it is there: none in trash or deleted (null). */
  readonly of: (file: StoredFile.StoredFile | null, allowDownload: boolean) => Effect.Effect<ShownMedia, Unavailable>

  /** Has made what a review of the file shows, as far as it takes time. */
  readonly prepare: (file: StoredFile.StoredFile) => Effect.Effect<void>
}>()("@filedrive/core/reviews/ReviewedMedia") {
  static readonly layer = Layer.effect(
    ReviewedMedia,
    Effect.gen(function*() {
      const store = yield* ObjectStore
      const previews = yield* Previews
      const peaks = yield* Peaks
      const metadata = yield* FileMetadata
      const transaction = yield* AccountTransaction

      /** To the file itself. */
      const linkOf = Effect.fnUntraced(function*(file: StoredFile.StoredFile) {
        const lifetime = Limits.downloadUrlLifetime
        const url = file.isPublic ? store.publicUrl(file.storeKey) : yield* store.signGet({
          at: StoredFile.address(file),
          headers: ObjectHeaders.of(file, "private"),
          lifetime
        })
        const expireTime = DateTime.toDateUtc(DateTime.addDuration(yield* DateTime.now, lifetime))
        return { url, mimeType: file.mimeType, expireTime } satisfies ReviewStream
      })

      const of: ReviewedMedia["Service"]["of"] = Effect.fn("ReviewedMedia.of")(function*(file, allowDownload) {
        if (file === null || file.trashTime !== null) return nothing
        const { isAnalysed, link, peaksUrl, preview: { error, progress, status } } = yield* previews.shown(file)
        // Of a file that was not analysed yet, or can't be, players try what they usually play.
        const isUnknown = link === null && !isAnalysed
        const plays = isUnknown && (status !== "working" || Playable.isUsual(file.mimeType))
        return {
          stream: plays ? yield* linkOf(file) : link,
          preview: { status, progress, error },
          peaksUrl,
          downloadUrl: allowDownload ? (yield* linkOf(file)).url : null
        }
      })

      /** Of a video that was looked into before frame rates were kept. */
      const lacksRate = ({ frameRate, metadataStatus, type }: StoredFile.StoredFile) =>
        type === "Video" && frameRate === null && metadataStatus === "done"

      const prepare = Effect.fn("ReviewedMedia.prepare")(function*(file: StoredFile.StoredFile) {
        if (lacksRate(file)) yield* transaction.share(file.accountId, () => metadata.request(file.accountId, [file.id]))
        yield* previews.request(file)
        yield* peaks.request(file)
      })

      return ReviewedMedia.of({ of, prepare })
    })
  )
}
