/** The answers of the operations on reviews, and what their examples tell of. */
import { Schema } from "effect"
import * as Examples from "../http/Examples.ts"
import { FileType } from "../shared/FileType.ts"
import { FileId, NoteId, ReviewId } from "../shared/Ids.ts"
import { Time } from "../shared/Time.ts"

const TimeText = Schema.String.annotate({ format: "date-time" })

const optional = Schema.optionalKey

export const Reply = Schema.Struct({
  id: NoteId,
  author: Schema.Struct({ name: Schema.String, owner: Schema.Boolean }),
  text: Schema.String,
  insertTime: TimeText,
  mine: optional(Schema.Boolean)
})

export const Note = Schema.Struct({
  id: NoteId,
  seconds: Schema.NullOr(Schema.Finite),
  endSeconds: Schema.NullOr(Schema.Finite),
  timecode: Schema.NullOr(Schema.String),
  reviewer: Schema.Struct({ name: Schema.String }),
  text: Schema.String,
  insertTime: TimeText,
  editTime: Schema.NullOr(TimeText),
  resolved: Schema.Boolean,
  mine: optional(Schema.Boolean),
  replies: Schema.Array(Reply)
}).annotate({ identifier: "ReviewNote" })

export const ReviewFile = Schema.Struct({ id: FileId, type: FileType, fileName: Schema.String })

/** What a review says of itself from its beginning. */
export const Made = Schema.Struct({
  id: ReviewId,
  message: Schema.NullOr(Schema.String),
  insertTime: TimeText,
  expireTime: Schema.NullOr(Time),
  allowDownload: Schema.Boolean,
  open: Schema.Boolean,
  hasPassword: Schema.Boolean,
  file: ReviewFile
})

export const notesPage = { notes: Schema.Array(Note), nextCursor: Schema.NullOr(Schema.String) }

export const Item = Schema.Struct({
  ...Made.fields,
  frameRate: Schema.NullOr(Schema.Finite),
  noteCount: Schema.Int,
  ...notesPage
}).annotate({
  identifier: "FileReview"
})

const size = Schema.NullOr(Schema.Int)

export const Opened = Schema.Struct({
  id: ReviewId,
  message: Schema.NullOr(Schema.String),
  allowDownload: Schema.Boolean,
  expireTime: Schema.NullOr(Time),
  file: Schema.Struct({
    ...ReviewFile.fields,
    duration: Schema.NullOr(Schema.Finite),
    frameRate: Schema.NullOr(Schema.Finite),
    width: size,
    height: size
  }),
  stream: Schema.NullOr(Schema.Struct({ url: Schema.String, mimeType: Schema.String, expireTime: TimeText })),
  preview: Schema.Struct({
    status: Schema.Literals(["none", "working", "done", "failed"]),
    progress: Schema.Finite,
    error: Schema.NullOr(Schema.String)
  }),
  peaksUrl: Schema.NullOr(Schema.String),
  downloadUrl: Schema.NullOr(Schema.String),
  ...notesPage,
  followAfter: Schema.String,
  accessToken: optional(Schema.String)
})

const reply = {
  id: Examples.replyId,
  author: { name: "Ada", owner: true },
  text: "Done, please look again.",
  insertTime: Examples.laterTime
}

const note = {
  id: Examples.noteId,
  seconds: 65.2,
  endSeconds: null,
  timecode: "1:05",
  reviewer: { name: "Grace" },
  text: "The music begins too early.",
  insertTime: Examples.insertTime,
  editTime: null,
  resolved: false,
  replies: [reply]
}

const made = {
  id: Examples.reviewId,
  message: "Second cut. What do you think of the end?",
  insertTime: Examples.insertTime,
  expireTime: null,
  allowDownload: false,
  open: true,
  hasPassword: false,
  file: { id: Examples.videoId, type: "Video", fileName: "lisbon.mp4" }
} as const

export const examples = {
  reply,
  note,
  made,
  reviewerToken: "fdr_q3Vn8fWc2xJt0Lr5Ym7Kp1Zs4Bd6Hg9Ea-Ui_OoPlQw",
  opened: {
    id: made.id,
    message: made.message,
    allowDownload: false,
    expireTime: null,
    file: { ...made.file, duration: 214.6, frameRate: 25, width: 1920, height: 1080 },
    stream: { url: Examples.link("lisbon.mp4"), mimeType: "video/mp4", expireTime: Examples.laterTime },
    preview: { status: "none", progress: 0, error: null },
    peaksUrl: Examples.link("peaks.json"),
    downloadUrl: null,
    notes: [note],
    nextCursor: null,
    followAfter: "12"
  }
} as const
