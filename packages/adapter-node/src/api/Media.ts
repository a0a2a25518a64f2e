/** What files say and show, covers and similar tracks, as plain async functions. */
import {
  Covers,
  Extraction,
  type ReadAnswer,
  Reading,
  type SetCover,
  type SimilarTracks,
  Soundprints
} from "@filedrive/core"
import { Effect } from "effect"
import { type Perform, refs } from "./Call.ts"

export interface ReadOptions {
  /** Of a video: seconds from its beginning. Default: a tenth of the way in. */
  readonly at?: number
  /** Of a PDF: the first page, from 1. Default 1. */
  readonly fromPage?: number
  /** Of a PDF: the last page, at most 20 in all. Default: ten pages. */
  readonly toPage?: number
  /** Of a text: the byte to begin at. Default 0. */
  readonly offset?: number
}

export interface MediaApi {
  readonly media: {
    /** `/read-file`; `image.data` is a JPEG in base64. */
    readonly read: (id: string, options?: ReadOptions) => Promise<ReadAnswer>
    /** `/set-cover` */
    readonly setCover: (
      target: { readonly trackId: string } | { readonly playlistId: string },
      imageId: string
    ) => Promise<SetCover>
    /** `/set-video-thumbnail` */
    readonly setVideoThumbnail: (
      videoId: string,
      from: { readonly timestampSeconds: number } | { readonly imageId: string }
    ) => Promise<void>
    /**
     * Has files looked into again in the background, as after ffmpeg was installed; what is known of them stays until then.
     * Answers how many that were: texts and the like are left alone.
     */
    readonly lookAgain: (ids: ReadonlyArray<string>) => Promise<number>
    /** `/select-similar-tracks`; `limit` is 1 to 100, 20 unless told otherwise. */
    readonly similarTracks: (id: string, limit?: number) => Promise<SimilarTracks>
  }
}

export const mediaApi = (perform: Perform): MediaApi => ({
  media: {
    read: async (id, options = {}) =>
      perform(
        "readFile",
        { ...options, fileId: id },
        (payload) => Effect.flatMap(Reading, (reading) => reading.read(payload))
      ),
    setCover: async (target, imageId) =>
      perform(
        "setCover",
        { ...target, imageId },
        (payload) => Effect.flatMap(Covers, (covers) => covers.set(payload))
      ),
    setVideoThumbnail: async (videoId, from) =>
      perform(
        "setVideoThumbnail",
        { ...from, videoId },
        (payload) => Effect.flatMap(Covers, (covers) => covers.setVideoThumbnail(payload))
      ),
    // There is no such route; its files are named as those to be restored are.
    lookAgain: async (ids) =>
      perform(
        "restoreFiles",
        refs(ids),
        (files) => Effect.flatMap(Extraction, (extraction) => extraction.request(files.map(({ id }) => id)))
      ),
    similarTracks: async (fileId, limit) =>
      perform(
        "selectSimilarTracks",
        { fileId, limit },
        (payload) => Effect.flatMap(Soundprints, (soundprints) => soundprints.similar(payload.fileId, payload.limit))
      )
  }
})
