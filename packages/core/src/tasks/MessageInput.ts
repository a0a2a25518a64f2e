/** What callers send: its checks, and what tells two messages apart. */
import { Effect, Result } from "effect"
import { Digest } from "effect/crypto"
import { Hex } from "effect/encoding"
import * as Limits from "../limits/Limits.ts"
import { InvalidField } from "../shared/DriveError.ts"
import * as Given from "../shared/Given.ts"
import type { NewMessage, NewPart } from "./Task.ts"

const invalid = (field: string, because: string) => new InvalidField({ code: "invalid_field", field, because })

const isName = (text: string) => text.length >= Limits.taskNameLength.min && text.length <= Limits.taskNameLength.max

const nameFlaw = `must have ${Limits.taskNameLength.min} to ${Limits.taskNameLength.max} characters`

/** A part without its bytes. */
const bare = (part: NewPart) => "raw" in part ? { ...part, raw: part.raw.length } : part

/** What is wrong with a message, or undefined. Fields are named as `message.…`. */
export const flaw = ({ contextId, messageId, metadata, parts, taskId }: NewMessage): InvalidField | undefined => {
  if (!isName(messageId)) return invalid("message.messageId", nameFlaw)
  if (contextId !== undefined && !isName(contextId)) return invalid("message.contextId", nameFlaw)
  const bared = parts.map(bare)
  const storable = Given.storable({ messageId, contextId, taskId, metadata, parts: bared })
  if (Result.isFailure(storable)) return invalid(`message.${storable.failure.field}`, storable.failure.because)
  const { parts: maxParts, textLength } = Limits.taskMessage
  if (parts.length === 0 || parts.length > maxParts) return invalid("message.parts", `must have 1 to ${maxParts} parts`)
  if (JSON.stringify(bared).length > textLength) {
    return invalid("message.parts", `must have at most ${textLength} characters of text and data together`)
  }
  if (metadata !== undefined && JSON.stringify(metadata).length > textLength) {
    return invalid("message.metadata", `must have at most ${textLength} characters`)
  }
  return undefined
}

/** What two messages share that are the same: a hash of all of it but their metadata. */
export const fingerprint = Effect.fnUntraced(function*(
  digest: Digest.Digest["Service"],
  { contextId, messageId, parts, taskId }: NewMessage
) {
  const hashOf = (bytes: Uint8Array) => digest.digest(Digest.sha256, bytes)
  const hashes = yield* Effect.forEach(
    parts,
    (part) => "raw" in part ? Effect.map(hashOf(part.raw), Hex.encode) : Effect.succeed(null)
  )
  const hashed = parts.map((part, at) => "raw" in part ? { ...part, raw: hashes[at] } : part)
  return yield* hashOf(
    new TextEncoder().encode(JSON.stringify([messageId, taskId ?? null, contextId ?? null, hashed]))
  )
})

/** The name that a file gets which comes with a message: what its sender says, without what no file name may have. */
export const fileNameOf = (part: NewPart, at: number): string => {
  const named = (part.filename ?? "").split(/[/\\]/).at(-1)!.replace(/\p{Cc}/gu, "").trim()
  const short = [...named].slice(0, 200).join("")
  return short === "" || short === "." || short === ".." ? `file-${at + 1}` : short
}
