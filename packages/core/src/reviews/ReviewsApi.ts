/** The HTTP contract of reviews, for their owners. Declarations only; no handler code. Spec: "Reviews". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { Session } from "../http/Session.ts"
import { NoteId, ReviewId } from "../shared/Ids.ts"
import { exportFormats } from "./NoteExport.ts"
import * as Review from "./Review.ts"
import { examples, Item, Made, Note, Reply } from "./ReviewAnswersApi.ts"
import { NoteText, ReviewerName } from "./ReviewNote.ts"

const Deleted = Schema.Struct({ deleted: Schema.Boolean })

export class ReviewsApi extends HttpApiGroup.make("reviews")
  .add(
    HttpApiEndpoint.post("createFileReview", "/create-file-review", {
      payload: Review.NewReview,
      success: Made,
      error: [ApiError.NotFound, ...ApiError.ofStorage]
    }).annotateMerge(operation({
      description:
        "Makes a review of a video or a track of yours: at its link, `{site_url}/reviews/{id}`, people without an account play the file and leave " +
        "notes at positions in it. Whoever has the link may, so its id is a secret. `message` is shown above the player. After `expireTime`, which " +
        "must be in the future, the link opens nothing. `allowDownload` adds a link to download the file. With a `password` (1 to 200 " +
        "characters) nobody opens the link without it. An account has at most 10,000 reviews; one more is 403 `not_allowed`.",
      permissions: ["share"],
      effect: "changes",
      isRepeatable: false,
      needsConsent: "review",
      tool:
        "Makes a review of a video or track of the user's: a link at which people without an account play it and leave timed notes. " +
        "`select_file_reviews` lists the notes.",
      example: { request: { fileId: Examples.videoId, message: examples.made.message }, answer: examples.made }
    })),
    HttpApiEndpoint.post("selectFileReviews", "/select-file-reviews", {
      payload: [Review.ReviewQuery, Schema.Null],
      success: Schema.Struct({ reviews: Schema.Array(Item), nextCursor: Schema.NullOr(Schema.String) })
    }).annotateMerge(operation({
      isLong: true,
      description:
        "Returns your reviews, newest first, 50 in a page: all of them, those named, those of a file, or those of files in `folder` or inside it. " +
        "For the next page pass `nextCursor` of the answer back as `cursor`; it is null at the end. " +
        "Each has its notes as an edit list: those on the whole file (`seconds` is null) first, then by position, then by time, each " +
        "with its replies. `timecode` is the position as people read it, like `1:05`; `frameRate` of the review is that of its video, null while it " +
        "is not known. One call lists 10,000 notes, of several reviews the " +
        "same part of that each; where there are more, `nextCursor` of the review is not null: pass it back as `cursor` with the id of that review " +
        "alone. " +
        "`open` is false when the review is closed or has expired. A review stays when its file is deleted, with what the file was called.",
      permissions: ["read"],
      effect: "reads",
      isRepeatable: true,
      tool:
        "Lists the user's reviews with the notes that people left on them, in the order of the file. `fileId` or `folder` narrow it. Answer a " +
        "note by reply_to_review_note.",
      example: {
        request: { fileId: Examples.videoId },
        answer: {
          reviews: [{ ...examples.made, frameRate: 25, noteCount: 1, notes: [examples.note], nextCursor: null }],
          nextCursor: null
        }
      }
    })),
    HttpApiEndpoint.post("updateFileReview", "/update-file-review", {
      payload: Review.ReviewChange,
      success: Made,
      error: [ApiError.NotFound, ...ApiError.ofStorage]
    }).annotateMerge(operation({
      description:
        "Changes a review; what is left out stays, and null takes the message, the time or the password away. `open: false` closes it: its link " +
        "answers 403 `review_closed`, and pages that have it open are put out, as they are by another password. `open: true` opens it again, " +
        "unless it has expired. The notes stay.",
      permissions: ["share"],
      effect: "changes",
      isRepeatable: true,
      needsConsent: "review",
      tool: "Changes a review: its message, end, password, whether the file can be downloaded, or closes and opens it.",
      example: {
        request: { reviewId: Examples.reviewId, open: false },
        answer: { ...examples.made, open: false }
      }
    })),
    HttpApiEndpoint.post("deleteFileReview", "/delete-file-review", {
      payload: Schema.Struct({ reviewId: ReviewId }),
      success: Deleted,
      error: ApiError.NotFound
    }).annotateMerge(operation({
      description: "Deletes a review with all its notes; its link leads nowhere from then on. The file stays.",
      permissions: ["share"],
      effect: "deletes",
      isRepeatable: true,
      needsConsent: "remove",
      tool: "Deletes a review with all its notes. The reviewed file stays.",
      example: { request: { reviewId: Examples.reviewId }, answer: { deleted: true } }
    })),
    HttpApiEndpoint.post("replyToReviewNote", "/reply-to-review-note", {
      payload: Schema.Struct({ noteId: NoteId, text: NoteText }),
      success: Reply,
      error: [ApiError.NotFound, ...ApiError.ofStorage]
    }).annotateMerge(operation({
      description:
        "Answers a note on a review of yours, in your name. A reply to a reply is one to its note. People who have the review open see " +
        "it at once. A note takes 100 replies of yours.",
      permissions: ["share"],
      effect: "changes",
      isRepeatable: false,
      needsConsent: "reply",
      tool: "Answers a note on a review in the user's name; the reviewers see it.",
      example: { request: { noteId: Examples.noteId, text: examples.reply.text }, answer: examples.reply }
    })),
    HttpApiEndpoint.post("setReviewNoteResolved", "/set-review-note-resolved", {
      payload: Schema.Struct({ noteId: NoteId, resolved: Schema.Boolean }),
      success: Note,
      error: ApiError.NotFound
    }).annotateMerge(operation({
      description:
        "Says that a note has been dealt with, or has not. Only notes can be; the id of a reply is 400 naming `noteId`.",
      permissions: ["share"],
      effect: "changes",
      isRepeatable: true,
      tool: "Marks a note on a review as dealt with, or as not.",
      example: {
        request: { noteId: Examples.noteId, resolved: true },
        answer: { ...examples.note, resolved: true }
      }
    })),
    HttpApiEndpoint.post("deleteReviewNote", "/delete-review-note", {
      payload: Schema.Struct({ noteId: NoteId }),
      success: Deleted,
      error: ApiError.NotFound
    }).annotateMerge(operation({
      description: "Deletes a note on a review of yours with its replies, or a single reply, whoever wrote it.",
      permissions: ["share"],
      effect: "deletes",
      isRepeatable: true,
      needsConsent: "remove",
      tool: "Deletes a note on a review with its replies, or a single reply.",
      example: { request: { noteId: Examples.noteId }, answer: { deleted: true } }
    })),
    HttpApiEndpoint.post("deleteReviewNotes", "/delete-review-notes", {
      payload: Schema.Struct({ reviewId: ReviewId, reviewer: ReviewerName }),
      success: Schema.Struct({ deleted: Schema.Int }),
      error: ApiError.NotFound
    }).annotateMerge(operation({
      description:
        "Deletes all that people left on a review of yours under one name: their notes with the replies to these, and their replies to others. " +
        "Your own replies to others' notes stay. `deleted` is how many notes and replies of that name there were. What is left during the call stays.",
      permissions: ["share"],
      effect: "deletes",
      isRepeatable: true,
      needsConsent: "remove",
      tool: "Deletes all notes and replies that were left under one name on a review.",
      example: { request: { reviewId: Examples.reviewId, reviewer: "Grace" }, answer: { deleted: 12 } }
    })),
    HttpApiEndpoint.post("exportReviewNotes", "/export-review-notes", {
      payload: Schema.Struct({
        reviewId: ReviewId,
        format: Schema.Literals(exportFormats),
        rate: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(21)))
      }),
      success: Schema.Struct({ fileName: Schema.String, mimeType: Schema.String, text: Schema.String }),
      error: [ApiError.NotFound, ...ApiError.ofStorage]
    }).annotateMerge(operation({
      isLong: true,
      description:
        "Returns a review's notes as a file: `csv` for spreadsheets (a row for each note and reply), `edl` (CMX 3600, whose markers DaVinci " +
        "Resolve imports) or `fcpxml` (markers for Final Cut Pro and Resolve). Frames are counted from 0 at the file's own rate, " +
        "or at `rate` (`25`, `24000/1001`); 29.97 has drop-frame timecode; a track has 30 frames a second. Where the rate of a video is " +
        "not known, a `csv` has no frames, and `edl` and `fcpxml` are 503 while it is still being analysed (try again a few seconds " +
        "later), afterwards 422 `rate_unknown`.",
      permissions: ["read"],
      effect: "reads",
      isRepeatable: true,
      tool: "Returns the notes of a review as a file for spreadsheets (csv) or editing programs (edl, fcpxml).",
      example: {
        request: { reviewId: Examples.reviewId, format: "csv" },
        answer: { fileName: "lisbon notes.csv", mimeType: "text/csv", text: "Timecode,Seconds,…\r\n" }
      }
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({
    title: "Reviews",
    description: "Links at which people without an account play a video or a track and leave notes on it."
  }))
{}
