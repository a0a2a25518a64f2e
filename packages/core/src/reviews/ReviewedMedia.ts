/** The links by which the file of a review is played and downloaded. They work for six hours; opening the review again gives new ones. */
import { Context, DateTime, Effect, Layer } from "effect"
import * as StoredFile from "../files/StoredFile.ts"
import * as Limits from "../limits/Limits.ts"
import * as ObjectHeaders from "../objects/ObjectHeaders.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import type { Unavailable } from "../shared/DriveError.ts"

/** What players open; null when there is nothing to play, or not yet. */
export interface ReviewStream {
  readonly url: string
  readonly mimeType: string
  readonly expireTime: DateTime.Utc
}

/** How far the version is that browsers play, of a file that they don't play themselves. */
export interface ReviewPreview {
  readonly status: "none" | "working" | "done" | "failed"
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
}>()("@filedrive/core/reviews/ReviewedMedia") {
  static readonly layerNoDeps = Layer.effect(
    ReviewedMedia,
    Effect.gen(function*() {
      const store = yield* ObjectStore

      const urlOf = (file: StoredFile.StoredFile) =>
        file.isPublic ? Effect.succeed(store.publicUrl(file.storeKey)) : store.signGet({
          at: StoredFile.address(file),
          headers: ObjectHeaders.of(file, "private"),
          lifetime: Limits.downloadUrlLifetime
        })

      const of: ReviewedMedia["Service"]["of"] = Effect.fn("ReviewedMedia.of")(function*(file, allowDownload) {
        if (file === null || file.trashTime !== null) return nothing
        const expireTime = DateTime.addDuration(yield* DateTime.now, Limits.downloadUrlLifetime)
        const url = yield* urlOf(file)
        return {
          ...nothing,
          stream: { url, mimeType: file.mimeType, expireTime },
          downloadUrl: allowDownload ? url : null
        }
      })

      return ReviewedMedia.of({ of })
    })
  )
}
