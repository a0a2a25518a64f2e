/**
 * The ids of users, as hosts pass and get them. A user's account has a UUID. A host with users of its own may use any text as
 * an id: the account's UUID is then made from the text (version 5 of RFC 9562), and the drive stores the text to find it again.
 */
import { ActiveAccounts, HostUsers, Ids } from "@filedrive/core"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { accountId, mayBeDerived } from "./arguments.ts"
import { refuse } from "./DriveError.ts"
import type { DriveServices } from "./DriveLayer.ts"
import type { Run } from "./Run.ts"

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

export interface User {
  readonly id: Ids.AccountId
  /** Runs a call for the user, and stores the host's id of the user. */
  readonly run: Run
}

export interface UserIds {
  /** Throws a `DriveError` for a value that can't be a user's id. */
  readonly user: (run: Run, userId: string, field?: string) => User
  /** Whether ids may be any text. */
  readonly areTexts: boolean
  /** The host's ids of the users with these accounts. */
  readonly userIdsOf: (
    ids: ReadonlyArray<Ids.AccountId>
  ) => Effect.Effect<(id: Ids.AccountId) => string, never, DriveServices>
}

/** For the drive's own users, and those of a host's layer: their ids are UUIDs. */
export const uuids: UserIds = {
  user: (run, userId, field) => ({ id: accountId(userId, field), run }),
  areTexts: false,
  userIdsOf: () => Effect.succeed((id) => id)
}

/** The account's id, and the text to store for it: null when the id was not made of a text. */
const parsed = (userId: string, field = "userId"): { readonly id: Ids.AccountId; readonly text: string | null } => {
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

/** For a host's users (option `accounts`): a UUID is its own account's id, any other text is made into a UUID. */
export const ofHost: UserIds = {
  areTexts: true,
  user: (run, userId, field) => {
    const { id, text } = parsed(userId, field)
    if (text === null) return { id, run }
    const remember = Effect.gen(function*() {
      const users = yield* HostUsers
      // The UUID may be made of another user's text: stored here, it would keep that user out for ever.
      const isNew = text === id && !(yield* users.find([id])).has(id)
      if (isNew && (yield* ActiveAccounts.use((active) => active.standing(id))) === "gone") return
      yield* users.remember(id, text)
    })
    return {
      id,
      run: Object.assign(
        <A, E>(effect: Effect.Effect<A, E, DriveServices>) => run(Effect.andThen(remember, effect)),
        { isClosed: run.isClosed, isClosing: run.isClosing, keepingAlive: run.keepingAlive }
      )
    }
  },
  userIdsOf: (ids) =>
    Effect.map(
      HostUsers.use((users) => users.find(ids.filter(mayBeDerived))),
      (texts) => (id) => texts.get(id) ?? id
    )
}
