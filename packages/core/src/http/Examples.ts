/** What the examples of operations tell of: one user's drive, whose files and folders are the same in all of them. */
import * as FileMedia from "../facts/FileMedia.ts"
import type { FileRecord } from "../files/FileRecord.ts"

type FileExample = typeof FileRecord.Encoded

export const userId = "01999a10-3c00-7a41-9d2e-5b8f0c6e7a11"
export const otherUserId = "01999a10-3c00-7b52-8e3f-6c901d7f8b22"

export const photoId = "01999a12-7e10-7c63-8f40-7da12e809c33"
export const trackId = "01999a12-7e20-7d74-9051-8eb23f91ad44"
export const videoId = "01999a12-7e30-7e85-a162-9fc340a2be55"
export const reportId = "01999a12-7e40-7f96-b273-a0d451b3cf66"

export const folder = { id: "01999a11-5d00-70a7-8384-b1e562c4d077", path: "/Trips/Lisbon" }
export const parentFolder = { id: "01999a11-5d00-71b8-9495-c2f673d5e188", path: "/Trips" }
export const tag = { id: "01999a11-6e00-72c9-a5a6-d30784e6f299", text: "summer" }
export const playlistId = "01999a13-8f00-73da-b6b7-e41895f703aa"
export const galleryId = "01999a13-9000-74eb-87c8-f529a60814bb"
export const archiveId = "01999a14-a100-75fc-98d9-063ab71925cc"
export const importId = "01999a14-b200-760d-a9ea-174bc82a36dd"
export const generationId = "01999a14-bb00-7650-9c31-50e1f7a3b201"
export const tokenId = "01999a14-c300-771e-bafb-285cd93b47ee"
export const eventId = "01999a14-d400-782f-8b0c-396dea4c58ff"

/** The id of a file request is random as a whole, unlike others: it is the secret of its link. */
export const requestExample = {
  id: "5e0c1a7d-93b4-4f28-a6d1-c07e94b2385f",
  title: "Photos of the concert",
  folder: { id: "01999a11-5d00-73da-b6b7-e41895f703aa", path: "/Concerts/Lisbon" }
}

/** Random as a whole, too. */
export const reviewId = "c41f7e02-5a6d-4b93-8e10-2fd97a36b8c4"
export const noteId = "01999a16-0100-7abc-8d2f-5f02a1c7e311"
export const replyId = "01999a16-0200-7bcd-9e30-60131ad8f422"
export const taskId = "01999a17-0100-7cde-8f41-71242be90533"
export const waitId = "01999a17-0200-7def-9052-82353cfa1644"
export const dropId = "01999a15-e500-7940-9c1d-4a7fdb5d6aaa"

export const insertTime = "2026-09-28T12:00:00.000Z"
/** Some time later on that day. */
export const laterTime = "2026-09-28T18:00:00.000Z"

/** A link that somebody fetches from storage. */
export const link = (path: string): string => `https://storage.example.com/${path}?signature=5f2c9e`

/** What the sender says of a file that is to be uploaded. */
export const fileInput = {
  type: "Image",
  fileName: "tram-28.jpg",
  fileSize: 2_483_112,
  objectKey: `users/${userId}/lisbon/tram-28.jpg`,
  mimeType: "image/jpeg"
}

export const photo: FileExample = {
  ...fileInput,
  type: "Image",
  id: photoId,
  downloadUrl: null,
  isPublic: false,
  accessMove: null,
  description: "Tram 28 in the Alfama",
  folder,
  tags: [tag],
  insertTime,
  trashTime: null,
  thumbnailUrl: link("thumbnails/tram-28.jpg"),
  media: { ...FileMedia.examples.image, title: null },
  metadataStatus: "done"
}

export const track: FileExample = {
  ...photo,
  id: trackId,
  type: "Audio",
  fileName: "fado.flac",
  mimeType: "audio/flac",
  fileSize: 31_882_004,
  objectKey: `users/${userId}/music/fado.flac`,
  description: null,
  folder: null,
  tags: [],
  thumbnailUrl: null,
  media: FileMedia.examples.track
}

/** The photo in trash: no link leads to it. */
export const trashedPhoto: FileExample = { ...photo, trashTime: laterTime, thumbnailUrl: null }
