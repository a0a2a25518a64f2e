/**
 * A public link: whoever has its id may use it, without an account. File requests and reviews have one each, whose id is the link's.
 * Contract: "File requests and reviews: the public side".
 */
import { Schema } from "effect"
import * as Limits from "../limits/Limits.ts"
import { NotFound } from "../shared/DriveError.ts"
import type { AccountId } from "../shared/Ids.ts"

/** What the check of a link needs to know of it. */
export interface Link {
  /** Of the request or review, as the database spells it. */
  readonly id: string
  readonly accountId: AccountId
  /** What `PasswordHasher` made of its password, or null without one. */
  readonly passwordHash: string | null
}

/** A password that an owner gives a link. */
export const LinkPassword = Schema.String.check(
  Schema.isBetweenLength(Limits.linkPasswordLength.min, Limits.linkPasswordLength.max)
).pipe(Schema.brand("LinkPassword"))
export type LinkPassword = typeof LinkPassword.Type

/** A password as somebody at the link sends it: any text, since only the comparison says whether it is right. */
export const SentPassword = Schema.String.check(Schema.isMaxLength(Limits.linkPasswordLength.max))

/**
 * The answer for a link that does not exist, for one that was deleted, and for a wrong password alike, so that nobody
 * learns which ids exist. It does not repeat the id.
 */
export const noSuchLink = new NotFound({ resource: "link", id: "" })

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The id as the database spells it, or null for a text that is no id: it leads nowhere, like an unknown id. */
export const idOf = <Id extends string>(sent: string): Id | null => {
  const id = sent.toLowerCase()
  return uuid.test(id) ? id as Id : null
}
