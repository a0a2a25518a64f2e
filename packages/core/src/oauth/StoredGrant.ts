/** Grants and codes as they are stored: of every secret only a hash. */
import type { DateTime } from "effect"
import type { Permission } from "../accounts/CurrentAccount.ts"
import type { AccountId, ApiTokenId, FolderId } from "../shared/Ids.ts"
import type { Consent } from "./Grant.ts"

export interface NewCode {
  readonly codeHash: Uint8Array
  readonly pageHash: Uint8Array
  readonly expireTime: DateTime.Utc
  readonly consent: Omit<Consent, "page">
}

export interface StoredCode extends Omit<Consent, "page"> {
  readonly accountId: AccountId
  readonly expireTime: DateTime.Utc
  /** The grant that was made of it, once it was used. */
  readonly grantId: ApiTokenId | null
}

export interface StoredGrant {
  readonly id: ApiTokenId
  readonly accountId: AccountId
  readonly clientId: string
  readonly permissions: ReadonlyArray<Permission>
  readonly folderId: FolderId | null
  readonly resources: ReadonlyArray<string>
  /** Of the newest refresh token's own part. */
  readonly refreshHash: Uint8Array
  /** Of the refresh token that was replaced last, while its answer may be asked for again. */
  readonly replacedHash: Uint8Array | null
  readonly replacedSalt: Uint8Array | null
  readonly replacedTime: DateTime.Utc | null
  readonly insertTime: DateTime.Utc
  readonly expireTime: DateTime.Utc
}
