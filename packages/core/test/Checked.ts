/** Raw values as the checked ones that services take, for tests; what is not valid throws. */
import type { Brand, DateTime } from "effect"
import { TokenName } from "../src/accounts/AccountInput.ts"
import { ApiTokenText } from "../src/accounts/ApiToken.ts"
import { SessionToken } from "../src/accounts/Session.ts"
import { ArchiveTitle } from "../src/archives/Archive.ts"
import { EventQuery } from "../src/events/EventQuery.ts"
import * as FileDetail from "../src/files/FileDetail.ts"
import { ObjectKey } from "../src/files/ObjectKey.ts"
import { ImportUrl } from "../src/imports/Import.ts"
import { NewThumbnail } from "../src/media/Cover.ts"
import { ReadRequest } from "../src/media/ReadAnswer.ts"
import * as Soundprints from "../src/media/Soundprints.ts"
import * as List from "../src/organize/List.ts"
import { TagText } from "../src/organize/Tag.ts"
import { SearchQuery } from "../src/search/SearchQuery.ts"
import { FolderName, Path } from "../src/shared/FolderPath.ts"
import * as Share from "../src/shares/Share.ts"
import { FileInput, FileInsert } from "../src/uploads/FileInput.ts"
import { PartNumber } from "../src/uploads/PartPlan.ts"
import { UploadToken } from "../src/uploads/Upload.ts"
import { ViewsQuery } from "../src/views/ViewsQuery.ts"

/** A type without its brands, to any depth. */
type Unbranded<A> = A extends DateTime.DateTime ? A
  : A extends string | number ? A extends Brand.Brand<string> ? Brand.Brand.Unbranded<A> : A
  : A extends ReadonlyArray<infer Item> ? ReadonlyArray<Unbranded<Item>>
  : A extends object ? { readonly [Key in keyof A as Key extends `~${string}` ? never : Key]: Unbranded<A[Key]> }
  : A

/** What a schema makes a value of. */
export type Raw<S extends { readonly Type: unknown }> = Unbranded<S["Type"]>

const making =
  <S extends { readonly Type: unknown; readonly make: (input: never) => unknown }>(schema: S) =>
  (raw: Raw<S>): S["Type"] => schema.make(raw as never)

export const tokenName = making(TokenName)
export const tokenText = making(ApiTokenText)
export const sessionToken = making(SessionToken)

export const fileName = making(FileDetail.FileName)
export const fileSize = making(FileDetail.FileSize)
export const mimeType = making(FileDetail.MimeType)
export const description = making(FileDetail.Description)
export const fileInput = making(FileInput)
export const fileInsert = making(FileInsert)
export const objectKey = making(ObjectKey)
export const uploadToken = making(UploadToken)
export const parts = (numbers: ReadonlyArray<number>) => numbers.map(making(PartNumber))
export const importUrl = making(ImportUrl)

export const path = making(Path)
export const folderName = making(FolderName)
export const tag = making(TagText)
export const tags = (texts: ReadonlyArray<string>) => texts.map(tag)
export const listTitle = making(List.ListTitle)
export const listLimit = making(List.ListLimit)
export const listOffset = making(List.ListOffset)
export const archiveTitle = making(ArchiveTitle)

export type Search = Raw<typeof SearchQuery>
export const search = making(SearchQuery)
export type Views = Raw<typeof ViewsQuery>
export const views = making(ViewsQuery)
export const events = making(EventQuery)
export const sharedFiles = making(Share.SharedFilesPage)
export const reading = making(ReadRequest)
export const thumbnail = making(NewThumbnail)
export const similarLimit = making(Soundprints.SimilarLimit)
