/** The account of a user, by the id that a host has for the user. */
import { ActiveAccounts, type DriveError, HostUsers, Ids } from "@filedrive/core"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { accountId, mayBeDerived } from "./arguments.ts"
import { refuse } from "./DriveError.ts"

/** The namespace of the UUIDs that are made of texts. It must never change, or users would lose access to their files. */
const namespace = "6f9a2d0e-5c1b-4b0f-9a3e-2f6f1d7c8e54"

/** The most bytes of a text in UTF-8. */
const maxBytes = 1_024

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** The UUID of a text. The text is not normalized: `Ada` and `ada` are two users, and so are two spellings of `é` in Unicode. */
const derived = (text: string): string => {
  const bytes = createHash("sha1").update(Buffer.from(namespace.replaceAll("-", ""), "hex")).update(text, "utf8")
    .digest()
    .subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5")
}

/** The account's id, and the text to store for it: null when the id was not made of a text. */
export const parsed = (
  userId: string,
  field = "userId"
): { readonly id: Ids.AccountId; readonly text: string | null } => {
  if (typeof userId !== "string" || userId === "") return refuse(field, "must be text, and not empty")
  if (uuid.test(userId)) {
    const id = Ids.AccountId.make(userId.toLowerCase())
    return { id, text: mayBeDerived(id) ? id : null }
  }
  if (userId.includes("\0")) return refuse(field, "must not contain NUL characters")
  if (!userId.isWellFormed()) return refuse(field, "must not contain half of a surrogate pair")
  if (Buffer.byteLength(userId) > maxBytes) return refuse(field, `must have at most ${maxBytes} bytes`)
  return { id: Ids.AccountId.make(derived(userId)), text: userId }
}

/** Stores the text of an account, so that the host's id is found again. */
export const remember = Effect.fnUntraced(function*(id: Ids.AccountId, text: string) {
  const users = yield* HostUsers
  // The UUID may be made of another user's text: stored here, it would keep that user out for ever.
  const isNew = text === id && !(yield* users.find([id])).has(id)
  if (isNew && (yield* ActiveAccounts.use((active) => active.standing(id))) === "gone") return
  yield* users.remember(id, text)
})

/** Finds the account of a user. An id that can't be a user's is a fault of the host's code, and dies with its `DriveError`. */
export type AccountOf = (
  userId: string
) => Effect.Effect<Ids.AccountId, DriveError.Unavailable, ActiveAccounts | HostUsers>

/** For the drive's own users, whose ids are UUIDs. */
export const ofUuid: AccountOf = (userId) => Effect.sync(() => accountId(userId))

/** For a host's users, whose ids may be any text. */
export const ofHost: AccountOf = Effect.fnUntraced(function*(userId) {
  const { id, text } = yield* Effect.sync(() => parsed(userId))
  if (text !== null) yield* Effect.catchTag(remember(id, text), "InvalidField", Effect.die)
  return id
})
