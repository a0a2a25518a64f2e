/** A file request: a link through which people without an account send files to its owner. Spec: "File requests". */
import { Schema } from "effect"
import * as Limits from "../limits/Limits.ts"
import { type Link, LinkPassword } from "../links/Link.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import { FolderId, type RequestId } from "../shared/Ids.ts"
import { LineOfLength, Text } from "../shared/Text.ts"
import { Time } from "../shared/Time.ts"
import type { ClosedBecause, RequestRoom, RequestState } from "./RequestState.ts"

const { requestMessageMaxLength, requestTitleLength } = Limits

export const RequestTitle = LineOfLength(requestTitleLength.min, requestTitleLength.max).pipe(
  Schema.brand("RequestTitle")
)
export type RequestTitle = typeof RequestTitle.Type

export const RequestMessage = Text.check(Schema.isMaxLength(requestMessageMaxLength)).pipe(
  Schema.brand("RequestMessage")
)

/** Total of all senders. */
export const MaxBytes = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })).pipe(
  Schema.brand("MaxBytes")
)

const optional = Schema.optionalKey

/** What a request is made of. At most one of `folder` and `folderId` may be given. */
export const NewRequest = Schema.Struct({
  title: RequestTitle,
  message: optional(Schema.NullOr(RequestMessage)),
  folder: optional(FolderPath.Path),
  folderId: optional(FolderId),
  expireTime: optional(Schema.NullOr(Time)),
  maxBytes: optional(Schema.NullOr(MaxBytes)),
  password: optional(Schema.NullOr(LinkPassword))
})
export type NewRequest = typeof NewRequest.Type

/** Where arrivals land. `id` is null for the top of the drive, and while the folder is deleted: the next arrival makes it again. */
export interface RequestFolder {
  readonly id: FolderId | null
  readonly path: string
}

export interface StoredRequest extends Link, RequestState, RequestRoom {
  readonly id: RequestId
  readonly title: string
  readonly message: string | null
  readonly folder: RequestFolder
  readonly insertTime: Date
}

/** A request as people without an account see it. */
export interface PublicRequest {
  readonly id: RequestId
  readonly title: string
  readonly message: string | null
  readonly owner: { readonly displayName: string | null }
  readonly takesFiles: boolean
  readonly closedBecause: ClosedBecause | null
  readonly expireTime: StoredRequest["expireTime"]
  /** Null: no limit of the request's own. */
  readonly remainingBytes: number | null
}

/** The top-level folder that is named for a request. A slash would make it two. */
export const folderOf = (title: RequestTitle): FolderPath.Path => FolderPath.Path.make(`/${title.replaceAll("/", "-")}`)
