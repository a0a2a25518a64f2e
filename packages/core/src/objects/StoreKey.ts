/**
 * Where an account's bytes are kept in storage. Made by the drive of characters
 * that need no escaping; a caller never chooses one.
 *
 * A form writes below `incoming/` and nowhere else. A file is recorded at a key
 * below `files/` that no form was ever signed for, so a form that is still good
 * cannot change it. Contract: "Files".
 */
import { Schema } from "effect"
import type { ObjectAddress, ObjectHeaders } from "../ports/ObjectStore.ts"
import { defaultMimeType } from "../shared/FileType.ts"
import { AccountId } from "../shared/Ids.ts"
import * as ContentDisposition from "./ContentDisposition.ts"

const isAccountId = Schema.is(AccountId)

export const incomingPrefix = "incoming/"
export const filesPrefix = "files/"

/** Where the bytes of form `formId` arrive. */
export const incoming = (accountId: AccountId, formId: string): ObjectAddress => ({
  bucket: "private",
  key: `${incomingPrefix}${accountId}/${formId}`
})

/** Where a private file's bytes are; `id` is fresh for each object. */
export const file = (accountId: AccountId, id: string): ObjectAddress => ({
  bucket: "private",
  key: `${filesPrefix}${accountId}/${id}`
})

/** The account whose key this is, or undefined when it is none of the drive's. */
export const ownerOf = (key: string): AccountId | undefined => {
  const owner = /^(?:incoming|files)\/([^/]+)\//.exec(key)?.[1]
  return owner !== undefined && isAccountId(owner) ? owner : undefined
}

/** What a file's bytes are stored and served with. */
export const headers = (
  input: { readonly fileName: string; readonly mimeType?: string | undefined }
): ObjectHeaders => ({
  contentType: input.mimeType ?? defaultMimeType,
  contentDisposition: ContentDisposition.attachment(input.fileName),
  cacheControl: ContentDisposition.privateCacheControl
})
