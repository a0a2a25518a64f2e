/** The HTTP contract of reviews, for people without an account. Declarations only. Contract: "File requests and reviews: the public side". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { PublicLink } from "../http/PublicLink.ts"
import { NoteId } from "../shared/Ids.ts"
import * as Review from "./Review.ts"
import { examples, Note, notesPage, Opened } from "./ReviewAnswersApi.ts"
import { NewNote, NoteText, ReviewerToken } from "./ReviewNote.ts"

const { reviewId } = Examples
const { reviewerToken } = examples

const optional = Schema.optionalKey

export class PublicReviewsApi extends HttpApiGroup.make("publicReviews")
  .add(
    HttpApiEndpoint.post("openFileReview", "/open-file-review", {
      payload: Review.OpenReview,
      success: Opened,
      error: [ApiError.NotFound, ...ApiError.ofStorage]
    }).annotateMerge(operation({
      description:
        "Opens a review for somebody who has its link, without an account. `stream` is what a player opens, by ranges; its link lapses at " +
        "`expireTime`: open the review again for another. It is null while `preview` is being made (of a file that browsers don't play; " +
        "`progress` runs from 0 to 1), when that failed (`error` says why), and when the file is in trash or was deleted. `peaksUrl` " +
        "leads to JSON with the shape of the sound. `downloadUrl` is null unless the owner allows downloads. `notes` are the first 100 in the " +
        "order of the file; go on with `/select-review-notes`, and follow what comes with `/follow-file-review` from `followAfter`. With " +
        "`reviewerToken`, notes say whether they are `mine`. A link with a password is 403 `password_needed` without it; with it the answer " +
        "has an `accessToken` for a day, to be sent as `X-Link-Access` in later calls. A closed or expired review is 403 `review_closed`. " +
        "Each opening counts as a view of the file, and the first of a viewer and day is an event, unless the owner's session is sent with it.",
      permissions: [],
      effect: "changes",
      isRepeatable: true,
      tool: null,
      example: { request: { reviewId }, answer: examples.opened }
    })),
    HttpApiEndpoint.post("selectReviewNotes", "/select-review-notes", {
      payload: Review.NotesQuery,
      success: Schema.Struct(notesPage),
      error: [ApiError.NotFound, ...ApiError.ofStorage]
    }).annotateMerge(operation({
      description:
        "Returns the notes of a review in the order of the file, page by page: `limit` is 1 to 500, by default 100. For the next page pass " +
        "`nextCursor` back as `cursor`; it is null at the end. A page of long texts may be shorter.",
      permissions: [],
      effect: "reads",
      isRepeatable: true,
      tool: null,
      example: { request: { reviewId, limit: 100 }, answer: { notes: [examples.note], nextCursor: null } }
    })),
    HttpApiEndpoint.post("leaveReviewNote", "/leave-review-note", {
      payload: NewNote,
      success: Schema.Struct({ ...Note.fields, replyTo: Schema.NullOr(NoteId), reviewerToken: ReviewerToken }),
      error: [ApiError.NotFound, ...ApiError.ofStorage]
    }).annotateMerge(operation({
      description:
        "Leaves a note at `seconds`, to `endSeconds` if it is about a span, or on the whole file with `seconds` null. With `replyTo` it answers " +
        "a note, and takes that note's position. `reviewerToken` in the answer is the key to edit and delete it: keep it, and send it with " +
        "further notes of the same person. The owner gets an event. A review holds 20,000 notes and replies, half of them from one address; a note has at most 100 replies " +
        "by reviewers.",
      permissions: [],
      effect: "changes",
      isRepeatable: false,
      tool: null,
      example: {
        request: { reviewId, reviewer: "Grace", seconds: 65.2, text: examples.note.text },
        answer: { ...examples.note, replies: [], mine: true, replyTo: null, reviewerToken }
      }
    })),
    HttpApiEndpoint.post("editReviewNote", "/edit-review-note", {
      payload: Schema.Struct({ noteId: NoteId, reviewerToken: ReviewerToken, text: NoteText }),
      success: Note,
      error: [ApiError.NotFound, ...ApiError.ofStorage]
    }).annotateMerge(operation({
      description:
        "Changes the text of a note or a reply that was left with this `reviewerToken`; of all others it is 404. The owner gets no event.",
      permissions: [],
      effect: "changes",
      isRepeatable: true,
      tool: null,
      example: {
        request: { noteId: Examples.noteId, reviewerToken, text: "The music begins a second too early." },
        answer: {
          ...examples.note,
          text: "The music begins a second too early.",
          editTime: Examples.laterTime,
          mine: true,
          replies: []
        }
      }
    })),
    HttpApiEndpoint.post("deleteOwnReviewNote", "/delete-own-review-note", {
      payload: Schema.Struct({ noteId: NoteId, reviewerToken: ReviewerToken }),
      success: Schema.Struct({ deleted: Schema.Boolean }),
      error: [ApiError.NotFound, ...ApiError.ofStorage]
    }).annotateMerge(operation({
      description:
        "Deletes a note with its replies, or a reply, that was left with this `reviewerToken`; of all others it is 404.",
      permissions: [],
      effect: "deletes",
      isRepeatable: true,
      tool: null,
      example: { request: { noteId: Examples.noteId, reviewerToken }, answer: { deleted: true } }
    })),
    HttpApiEndpoint.get("followFileReview", "/follow-file-review", {
      query: { reviewId: Schema.String, after: optional(Schema.String), access: optional(Schema.String) },
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/event-stream" })),
      error: [ApiError.NotFound, ...ApiError.ofStorage]
    }).annotateMerge(operation({
      description:
        "The notes of a review as they are left, live, as server-sent events. `event: note`: a note was left, edited, answered (by the owner too) or " +
        "resolved; `data` is `{ note }`, the note as it is now with its replies. `event: deleted`: `data` is `{ noteId }`. `after` is " +
        "`followAfter` of `/open-file-review`; without it the stream begins now. To continue after a break, send the last `id` as the header " +
        "`Last-Event-ID`, as browsers do, or as `after`; after a break of more than a day open the review again. `access` is the access " +
        "token of a link with a password. A comment every 15 seconds shows that the stream lives. It ends when the review closes, expires, is " +
        "deleted or gets another password. An address has 20 streams of a review, a review 500: one more is 429.",
      permissions: [],
      effect: "reads",
      isRepeatable: true,
      tool: null,
      example: {
        request: { reviewId, after: "12" },
        answer: `id: 13\nevent: note\ndata: ${JSON.stringify({ note: examples.note })}\n\n`
      }
    }))
  )
  .middleware(PublicLink)
  .annotateMerge(OpenApi.annotations({
    title: "Reviewing",
    description: "What people without an account do with the link of a review."
  }))
{}
