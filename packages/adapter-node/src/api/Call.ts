/** What the parts of the drive's API in code share: how a call is made, and ids from a host's strings. */
import { type CurrentAccount, Ids } from "@filedrive/core"
import type { Effect } from "effect"
import type { DriveServices } from "../DriveLayer.ts"

/** Runs an operation as the user; rejects with what it fails with. */
export type Call = <A, E>(
  effect: Effect.Effect<A, E, DriveServices | CurrentAccount.CurrentAccount>
) => Promise<A>

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const id = <Id>(things: string, make: (text: string) => Id) => (given: string): Id => {
  if (typeof given === "string" && uuid.test(given)) return make(given.toLowerCase())
  throw new TypeError(`${things} have UUIDs, and ${JSON.stringify(given)} is none.`)
}

/** A user's id, or a sentence about it. */
export const accountId = (userId: string): Ids.AccountId => {
  if (typeof userId === "string" && uuid.test(userId)) return Ids.AccountId.make(userId.toLowerCase())
  throw new TypeError(`The drive knows its users by UUIDs, and ${JSON.stringify(userId)} is none.`)
}

export const fileId = id("Files", (text) => Ids.FileId.make(text))
export const folderId = id("Folders", (text) => Ids.FolderId.make(text))
export const tagId = id("Tags", (text) => Ids.TagId.make(text))
export const importId = id("Imports", (text) => Ids.ImportId.make(text))
export const archiveId = id("Archives", (text) => Ids.ArchiveId.make(text))
export const listId = id("Playlists and galleries", (text) => Ids.ListId.make(text))
