/** What tasks wait for, as it is now: whether it can be waited for, until when, and how it is called. */
import { DateTime, Effect, Option, Result, Schema } from "effect"
import { callerOf, type Credential } from "../accounts/Credential.ts"
import { Files } from "../files/Files.ts"
import { Operations } from "../http/Operations.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import { FileId } from "../shared/Ids.ts"
import type { ToolResult } from "../tasks/TaskRun.ts"
import { waitKinds, type WaitTarget } from "../waits/Wait.ts"
import { Away, isAway } from "./Away.ts"

/** What became of a target. */
export type TargetState =
  /** It may be waited for, at most until `endTime`. */
  | { readonly _tag: "Open"; readonly name: string | null; readonly endTime: DateTime.Utc | null }
  /** It is over: `result` is what the call of the tool is answered with. */
  | { readonly _tag: "Over"; readonly result: Over }
  /** There is none that the credential sees. */
  | { readonly _tag: "Missing" }

interface Over {
  readonly woken: true
  readonly reason: "happened" | "closed" | "expired" | "deleted"
  readonly event: unknown
}

const Args = Schema.Struct({
  kind: Schema.Literals(waitKinds),
  id: Schema.optionalKey(Schema.NullOr(Schema.String)),
  folder: Schema.optionalKey(Schema.NullOr(FolderPath.Path)),
  text: Schema.String.check(Schema.isBetweenLength(1, 1_000))
})

const refusal = (error: string, code: string): ToolResult => ({ isFailure: true, result: { error, code } })

/** Reads a call's arguments: what to wait for, or why they are refused. */
export const targetOf = (args: unknown): Result.Result<WaitTarget & { readonly text: string }, ToolResult> => {
  const read = Schema.decodeUnknownResult(Args)(args)
  if (Result.isFailure(read)) {
    return Result.fail(refusal(`The arguments are not valid: ${read.failure.message}`, "invalid_field"))
  }
  const { folder = null, id = null, kind, text } = read.success
  if (kind === "folder_files") {
    return folder === null
      ? Result.fail(refusal("folder is missing: the path of the folder to wait for.", "missing_field"))
      : Result.succeed({ kind, targetId: null, folderPath: folder, text })
  }
  return id === null && kind !== "request_files"
    ? Result.fail(refusal(`id is missing: that of what to wait for (${kind}).`, "missing_field"))
    : Result.succeed({ kind, targetId: id?.toLowerCase() ?? null, folderPath: null, text })
}

const open = (name: string | null, endTime: string | null = null): TargetState => ({
  _tag: "Open",
  name,
  endTime: endTime === null ? null : Option.getOrNull(Option.map(DateTime.make(endTime), DateTime.toUtc))
})

const over = (reason: Over["reason"], event: unknown): TargetState => ({
  _tag: "Over",
  result: { woken: true, reason, event }
})

const missing: TargetState = { _tag: "Missing" }

interface Ending {
  readonly id: string
  readonly status: string
  readonly title?: string | null
  readonly prompt?: string
  readonly url?: string
}

/** Of something that works until it has ended. */
const ending = (kind: string, item: Ending | undefined): TargetState =>
  item === undefined
    ? missing
    : /^(working|pending|queued|running|processing|started|submitted|generating)$/i.test(item.status)
    ? open(item.title ?? item.prompt ?? item.url ?? null)
    : over("happened", { kind, ...item })

export const makeWaitTargets = Effect.gen(function*() {
  const operations = yield* Operations
  const files = yield* Files

  /** Looks at a target as the credential sees it. `Missing` also when it may not be asked for. Fails with `Away`. */
  const look = Effect.fn("WaitTargets.look")(
    function*(credential: Credential, { folderPath, kind, targetId }: WaitTarget) {
      const caller = callerOf(credential)
      const now = yield* DateTime.now
      const id = targetId ?? ""
      // A refused look finds nothing: an id that is none, a token that was limited meanwhile. One that did not take place tells nothing.
      const ask = (operation: string, body: unknown) =>
        operations.runNamed(operation, body, caller).pipe(
          Effect.catch((error) =>
            isAway(error)
              ? Effect.fail(new Away({ outcome: refusal(error.error, error.code) }))
              : Effect.succeed(null)
          )
        )
      const isPast = (time: string | null) =>
        time !== null && DateTime.isLessThanOrEqualTo(DateTime.makeUnsafe(time), now)

      switch (kind) {
        case "request_files": {
          // Any of them, also one that is made later.
          if (targetId === null) return open(null)
          const found = (yield* ask("selectFileRequests", { requestIds: [id] })) as {
            readonly requests: ReadonlyArray<any>
          } | null
          const request = found?.requests[0]
          if (request === undefined) return missing
          const told = { kind, id, title: request.title }
          if (isPast(request.expireTime)) return over("expired", told)
          return request.open ? open(request.title, request.expireTime) : over("closed", told)
        }
        case "review_note": {
          const found = (yield* ask("selectFileReviews", { reviewIds: [id] })) as {
            readonly reviews: ReadonlyArray<any>
          } | null
          const review = found?.reviews[0]
          if (review === undefined) return missing
          const told = { kind, id, file: review.file }
          if (isPast(review.expireTime)) return over("expired", told)
          return review.open ? open(review.file.fileName, review.expireTime) : over("closed", told)
        }
        case "file_opened": {
          if (!isFileId(id)) return missing
          const [own] = yield* files.own(credential.accountId, credential.limits, [id])
          if (own === undefined) return missing
          return open(
            Option.getOrNull(Option.map(yield* files.find(credential.accountId, own), ({ fileName }) => fileName))
          )
        }
        case "folder_files":
          return open(folderPath)
        case "image": {
          const found = (yield* ask("selectGenerations", { ids: [id] })) as any
          return ending(kind, (Array.isArray(found) ? found : found?.generations)?.[0])
        }
        case "import":
          return ending(kind, ((yield* ask("selectImports", { ids: [id] })) as ReadonlyArray<Ending> | null)?.[0])
        case "archive":
          return ending(kind, ((yield* ask("selectArchives", { ids: [id] })) as ReadonlyArray<Ending> | null)?.[0])
      }
    }
  )

  return { look }
})

const isFileId = Schema.is(FileId)

/** What a call is answered with whose target is not there. */
export const notThere = ({ kind, targetId }: WaitTarget): ToolResult =>
  refusal(`There is nothing to wait for: no ${names[kind]} of yours has the id ${targetId}.`, "not_found")

/** What a call is answered with whose target was deleted meanwhile. */
export const deleted = ({ kind, targetId }: WaitTarget, name: string | null): Over => ({
  woken: true,
  reason: "deleted",
  event: { kind, id: targetId, name }
})

const names: Record<WaitTarget["kind"], string> = {
  request_files: "file request",
  review_note: "file review",
  file_opened: "file",
  folder_files: "folder",
  image: "image",
  import: "import",
  archive: "archive"
}
