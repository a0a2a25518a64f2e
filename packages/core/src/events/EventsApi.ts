/** The HTTP contract of the feed. Declarations only; no handler code. Spec: "Library", "Events". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { FileRecord } from "../files/FileRecord.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { Session } from "../http/Session.ts"
import { FileType } from "../shared/FileType.ts"
import { EventId, FileId, RequestId, ReviewId } from "../shared/Ids.ts"
import { EventQuery, FollowQuery } from "./EventQuery.ts"

const text = Schema.NullOr(Schema.String)
const file = Schema.Struct({ id: FileId, type: FileType, fileName: Schema.String })

const event = <const Kind extends string, const Fields extends Schema.Struct.Fields>(kind: Kind, fields: Fields) =>
  Schema.Struct({
    id: EventId,
    kind: Schema.Literal(kind),
    time: Schema.String.annotate({ format: "date-time" }),
    ...fields
  })

/** Contract: "Events", nested shapes. */
const DriveEvent = Schema.Union([
  event("drop", {
    sender: Schema.Struct({ name: Schema.String }),
    note: text,
    request: Schema.Struct({ id: RequestId, title: Schema.String }),
    /** As many as 256 KiB have room for; `fileCount` counts all. */
    files: Schema.Array(Schema.Struct({ ...file.fields, fileSize: Schema.Int, mimeType: Schema.String })),
    fileCount: Schema.Int
  }),
  event("note", {
    reviewer: Schema.Struct({ name: Schema.String }),
    text: Schema.String,
    seconds: Schema.NullOr(Schema.Finite),
    replyTo: text,
    review: Schema.Struct({ id: ReviewId }),
    file
  }),
  event("view", { viewer: Schema.NullOr(Schema.Struct({ handle: text, displayName: text })), file }),
  event("file", { file }),
  event("generation", { status: Schema.String, error: text, prompt: text, image: Schema.NullOr(FileRecord) })
]).annotate({ identifier: "DriveEvent" })

const eventExample = {
  id: Examples.eventId,
  kind: "view",
  time: Examples.laterTime,
  viewer: { handle: "grace", displayName: "Grace" },
  file: { id: Examples.photoId, type: "Image", fileName: Examples.photo.fileName }
}
const cursorExample = "MDE5OTlhMTQtZDQwMA"

export class EventsApi extends HttpApiGroup.make("events")
  .add(
    HttpApiEndpoint.post("selectDriveEvents", "/select-drive-events", {
      payload: [
        EventQuery,
        Schema.Null
      ],
      success: Schema.Struct({
        events: Schema.Array(DriveEvent),
        nextCursor: Schema.String,
        more: Schema.Boolean
      })
    }).annotateMerge(operation({
      description:
        "What happened on your drive, oldest first: `file` (a file came), `view` (somebody else opened one), `drop` (files were sent to a " +
        "file request), `note` (on a review), `generation` (an image was generated, or failed). `since` is a `nextCursor` or an ISO 8601 time " +
        "(default: 24 hours ago). Pass `nextCursor` back as `since` to see every event exactly once. `more` says that there is more to read, " +
        "also when a narrow filter has found nothing yet: continue from `nextCursor`. `folder` refers to where things " +
        "were when they happened. `fileId` is for views of it, `requestId` for drops to it, `reviewId` for notes on it, " +
        "`generationId` for what became of the generation with this id.",
      permissions: ["read"],
      effect: "reads",
      isRepeatable: true,
      tool:
        "Tells what happened on the drive, oldest first: files that came, views by others, files sent to a request, notes on reviews, generated " +
        "images. `since` is a time or an earlier `nextCursor` (default: the last 24 hours); continue from `nextCursor` while `more` is true.",
      example: {
        request: { since: Examples.insertTime, kinds: ["view"] },
        answer: { events: [eventExample], nextCursor: cursorExample, more: false }
      }
    })),
    HttpApiEndpoint.get("followDriveEvents", "/drive-events", {
      query: FollowQuery.fields,
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/event-stream" }))
    }).annotateMerge(operation({
      description:
        "The same feed, live, as server-sent events: first what there is since `since`, then what happens. " +
        "`event` is the kind, `data` the event as `/select-drive-events` answers it, `id` a cursor. To continue after a break, send the last `id` as " +
        "the header `Last-Event-ID`. A comment every 15 seconds shows that the stream lives. It ends with the session. Give `kinds` once for each kind. " +
        "A session has 20 live feeds, one more ends its oldest; an account has 100, one more is 429.",
      permissions: ["read"],
      effect: "reads",
      isRepeatable: true,
      tool: null,
      example: {
        request: { since: Examples.insertTime, kinds: ["view"] },
        answer: `id: ${cursorExample}\nevent: view\ndata: ${JSON.stringify(eventExample)}\n\n`
      }
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({ title: "Events", description: "What happens on your drive." }))
{}
