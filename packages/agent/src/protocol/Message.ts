/**
 * Messages and their parts as they come in.
 *
 * Spec: "Agent interface", `SendMessage`.
 */
import { FileName, Limits, MimeType, TaskJson } from "@filedrive/core"
import { Result, Schema } from "effect"
import { Base64, Base64Url } from "effect/encoding"

const optional = Schema.optionalKey

/** An object of the caller's own. */
export const Metadata = Schema.Record(Schema.String, Schema.Unknown)

/** Of a message, a conversation or a webhook: text of the caller's choosing. */
export const Key = Schema.String.check(Schema.isBetweenLength(Limits.taskNameLength.min, Limits.taskNameLength.max))

const contents = ["text", "raw", "url", "data"] as const

/** Bytes in base64, also of the alphabet for URLs and without padding: ProtoJSON accepts both. */
const base64 = Schema.makeFilter<string>((text) => {
  const bare = text.replace(/={1,2}$/, "")
  return /^[\w+/-]*$/.test(bare) && bare.length % 4 !== 1 ? undefined : "must be bytes in base64"
})

export const Part = Schema.Struct({
  text: optional(Schema.String),
  raw: optional(Schema.String.check(base64)),
  url: optional(Schema.String.check(
    Schema.makeFilter((url) => URL.canParse(url) ? undefined : "must be a link like https://example.com/photo.jpg")
  )),
  data: optional(Schema.Unknown),
  filename: optional(FileName),
  mediaType: optional(MimeType),
  metadata: optional(Metadata)
}).check(
  Schema.makeFilter((part) =>
    contents.filter((name) => name in part).length === 1
      ? undefined
      : "must have exactly one of text, raw, url and data"
  )
)
export type Part = typeof Part.Type

/** The bytes of a `raw` part, whose text was checked. */
export const bytesOf = (raw: string): Uint8Array =>
  Result.getOrThrow(/[-_]/.test(raw) ? Base64Url.decode(raw) : Base64.decode(padded(raw)))

const padded = (raw: string): string => {
  const bare = raw.replace(/=+$/, "")
  return bare + "=".repeat((4 - bare.length % 4) % 4)
}

export const Message = Schema.Struct({
  messageId: Key,
  // Only people and programs send: an agent's own message is no request.
  role: Schema.Literal("ROLE_USER"),
  parts: Schema.Array(Part).check(Schema.isBetweenLength(1, Limits.taskMessage.parts)),
  contextId: optional(Key),
  taskId: optional(Schema.String),
  metadata: optional(Metadata),
  extensions: optional(Schema.Array(Schema.String)),
  referenceTaskIds: optional(Schema.Array(Schema.String))
})
export type Message = typeof Message.Type

/** Every state of A2A's. Tasks of a drive are in the first five only. */
export const TaskState = Schema.Literals([
  ...Object.values(TaskJson.states),
  "TASK_STATE_INPUT_REQUIRED",
  "TASK_STATE_REJECTED",
  "TASK_STATE_AUTH_REQUIRED"
])
