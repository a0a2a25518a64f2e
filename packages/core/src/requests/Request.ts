/** A file request: a link through which people without an account send files to its owner. Spec: "File requests". */
import { Schema } from "effect"
import * as Limits from "../limits/Limits.ts"
import { type Link, LinkPassword } from "../links/Link.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import { FolderId, RequestId } from "../shared/Ids.ts"
import { LineOfLength, Lines } from "../shared/Text.ts"
import { Time } from "../shared/Time.ts"
import type { ListedDrop } from "./Drop.ts"
import type { ClosedBecause, RequestRoom, RequestState } from "./RequestState.ts"

const { requestMessageMaxLength, requestTitleLength } = Limits

export const RequestTitle = LineOfLength(requestTitleLength.min, requestTitleLength.max).pipe(
  Schema.brand("RequestTitle")
)
export type RequestTitle = typeof RequestTitle.Type

export const RequestMessage = Lines.check(Schema.isMaxLength(requestMessageMaxLength)).pipe(
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

/** What of a request may be changed; what is not given stays. Null takes it away. */
export const RequestChanges = Schema.Struct({
  requestId: RequestId,
  title: optional(RequestTitle),
  message: optional(Schema.NullOr(RequestMessage)),
  expireTime: optional(Schema.NullOr(Time)),
  maxBytes: optional(Schema.NullOr(MaxBytes)),
  password: optional(Schema.NullOr(LinkPassword))
})
export type RequestChanges = typeof RequestChanges.Type

/** Which requests are listed. */
export const RequestsQuery = Schema.Struct({
  requestIds: optional(
    Schema.Array(RequestId).check(Schema.isBetweenLength(Limits.requestsPerCall.min, Limits.requestsPerCall.max))
  ),
  folder: optional(FolderPath.Path),
  /** The place after which the list goes on. */
  cursor: optional(Schema.String)
})
export type RequestsQuery = typeof RequestsQuery.Type

/** Where arrivals land. `id` is null for the top of the drive, and while the folder is deleted: the next arrival makes it again. */
export interface RequestFolder {
  readonly id: FolderId | null
  readonly path: string
}

export interface StoredRequest extends Link, RequestState, Omit<RequestRoom, "heldBytes"> {
  readonly id: RequestId
  readonly title: string
  readonly message: string | null
  readonly folder: RequestFolder
  readonly insertTime: Date
}

/** A request that is made. */
export interface NewStoredRequest extends Omit<StoredRequest, "closeTime" | "receivedBytes"> {
  /** Its folder's path as two spellings of it share it. */
  readonly foldedPath: string
}

/** What of a request changes after it is made. */
export type ChangedRequest = Pick<
  StoredRequest,
  "title" | "message" | "closeTime" | "expireTime" | "maxBytes" | "passwordHash"
>

/** A request as its owner sees it. */
export interface RequestItem extends StoredRequest {
  /** Whether it takes files, as far as its owner closes it or time does: it may be full. */
  readonly open: boolean
  /** Newest first, without those of senders who sent nothing. */
  readonly drops: ReadonlyArray<ListedDrop>
}

/** A page of requests, and where the next one begins; null at the end. */
export interface RequestsPage {
  readonly requests: ReadonlyArray<RequestItem>
  readonly nextCursor: string | null
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
