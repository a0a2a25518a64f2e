/** File requests, as their owners make, change and delete them. Spec: "File requests". */
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import * as Limits from "../limits/Limits.ts"
import type { LinkPassword } from "../links/Link.ts"
import { PublicLinks } from "../links/PublicLinks.ts"
import * as Choice from "../organize/Choice.ts"
import { FolderRemovals } from "../organize/FolderRemovals.ts"
import { type Destination, Folders } from "../organize/Folders.ts"
import { InvalidField, NotFound, Refused, type Unavailable } from "../shared/DriveError.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import { type AccountId, RequestId } from "../shared/Ids.ts"
import { DropEnds } from "./DropEnds.ts"
import { folderOf, type NewRequest, type RequestChanges, type StoredRequest } from "./Request.ts"
import { RequestsRepo } from "./RequestsRepo.ts"
import * as RequestState from "./RequestState.ts"

/** Each fails with `Refused` (`token_limit`); {@link create} aside with `NotFound` when no request that the call sees has the id. */
export class Requests extends Context.Service<Requests, {
  /**
   * Makes a request. Arrivals land in its folder, which is made if it is named by its path and missing; without one, in a folder at the
   * top of the drive that is named for the request.
   *
   * Fails with `InvalidField` for a time that has passed and for two folders, `NotFound` when the folder is not the caller's, `Refused`
   * (`not_allowed`) when the account has all requests that it may, `Unavailable` when too many passwords wait to be hashed. Spec: `/create-file-request`.
   */
  readonly create: (
    given: NewRequest
  ) => Effect.Effect<StoredRequest, InvalidField | NotFound | Refused | Unavailable, CurrentAccount>

  /**
   * Opens or closes a request. What senders have under way when it is closed ends, and its bytes are released; files that are in stay.
   * Repeating changes nothing. Spec: `/set-file-request-open`.
   */
  readonly setOpen: (
    id: RequestId,
    open: boolean
  ) => Effect.Effect<StoredRequest, NotFound | Refused, CurrentAccount>

  /**
   * Changes what is given. Another password, or none, ends all access tokens of the link. Fails with `InvalidField` for a time that has
   * passed, and like {@link create}. Contract: `/update-file-request`.
   */
  readonly update: (
    changes: RequestChanges
  ) => Effect.Effect<StoredRequest, InvalidField | NotFound | Refused | Unavailable, CurrentAccount>

  /** Deletes a request. Its link leads nowhere from then on, and what senders have under way ends; its files stay. Contract: `/delete-file-request`. */
  readonly delete: (id: RequestId) => Effect.Effect<void, NotFound | Refused, CurrentAccount>
}>()("@filedrive/core/requests/Requests") {
  static readonly layerNoDeps = Layer.effect(
    Requests,
    Effect.gen(function*() {
      const repo = yield* RequestsRepo
      const ends = yield* DropEnds
      const folders = yield* Folders
      const links = yield* PublicLinks
      const transaction = yield* AccountTransaction
      const random = yield* SecureRandom.SecureRandom

      const inFuture = Effect.fnUntraced(function*(time: DateTime.Utc | null) {
        if (time === null || DateTime.isGreaterThan(time, yield* DateTime.now)) return time
        return yield* new InvalidField({ code: "invalid_field", field: "expireTime", because: "must be in the future" })
      })

      /** What is stored of a password. It takes a tenth of a second, so it is done before the account is locked. */
      const hashOf = (accountId: AccountId, password: LinkPassword | null) =>
        password === null ? Effect.succeed(null) : links.hash(accountId, password)

      const destinationOf = ({ folder, folderId, title }: NewRequest): Destination =>
        folderId !== undefined
          ? { id: folderId }
          : folder === undefined
          ? { path: folderOf(title), field: "title" }
          : { path: folder, field: "folder" }

      const create = Effect.fn("Requests.create")(function*(given: NewRequest) {
        const { id: accountId } = yield* allowed("share")
        yield* Choice.atMostOne(given, "folder", "folderId")
        const { maxBytes = null, message = null, password = null, title } = given
        const expireTime = yield* inFuture(given.expireTime ?? null)
        const passwordHash = yield* hashOf(accountId, password)
        // The id is the secret of the link: random as a whole, not ordered by time as other ids are.
        const id = RequestId.make(yield* random.uuidV4())
        const insertTime = DateTime.toDateUtc(yield* DateTime.now)
        return yield* transaction.run(
          accountId,
          Effect.fnUntraced(function*() {
            if (yield* repo.hasAtLeast(accountId, Limits.requestsOfAccount)) return yield* tooMany
            const found = yield* folders.destination(destinationOf(given))
            const folder = { id: found?.id ?? null, path: found?.path ?? FolderPath.top }
            const request = { id, accountId, title, message, folder, expireTime, maxBytes, passwordHash, insertTime }
            yield* repo.insert({ ...request, foldedPath: found?.foldedPath ?? FolderPath.top })
            if (expireTime !== null) yield* ends.expireAt(accountId, id, expireTime)
            return { ...request, closeTime: null, receivedBytes: 0 }
          })
        )
      })

      /** Runs `work` with a request that the call sees, under its account's lock. */
      const withRequest = <A, E, R>(id: RequestId, work: (request: StoredRequest) => Effect.Effect<A, E, R>) =>
        Effect.flatMap(
          allowed("share"),
          ({ id: accountId, limits }) =>
            transaction.run(accountId, () =>
              Effect.gen(function*() {
                const request = yield* repo.find(accountId, limits, id)
                return request === undefined
                  ? yield* new NotFound({ resource: "file request", id })
                  : yield* work(request)
              }))
        )

      const setOpen = Effect.fn("Requests.setOpen")(function*(id: RequestId, open: boolean) {
        const now = yield* DateTime.now
        const setting = withRequest(
          id,
          Effect.fnUntraced(function*(request) {
            const changed = RequestState.setOpen(request, open, now)
            if (changed.closeTime !== request.closeTime) yield* repo.change(request.accountId, id, changed)
            return { changed, ended: open ? null : yield* ends.onClosed(request.accountId, id) }
          })
        )
        const { changed, ended } = yield* open ? setting : WritePurpose.freeing(setting)
        if (ended !== null) yield* ends.clear(changed.accountId, ended)
        return changed
      })

      const update = Effect.fn("Requests.update")(function*({ requestId, ...given }: RequestChanges) {
        const { id: accountId } = yield* allowed("share")
        const { password, ...fields } = given
        yield* inFuture(fields.expireTime ?? null)
        const passwordHash = password === undefined ? undefined : yield* hashOf(accountId, password)
        return yield* withRequest(
          requestId,
          Effect.fnUntraced(function*(request) {
            const changed = { ...request, ...fields, ...passwordHash !== undefined && { passwordHash } }
            yield* repo.change(request.accountId, request.id, changed)
            if (passwordHash !== undefined) yield* links.forget(request.accountId, request.id)
            if (fields.expireTime) yield* ends.expireAt(request.accountId, request.id, fields.expireTime)
            return changed
          })
        )
      })

      const remove = Effect.fn("Requests.delete")(function*(id: RequestId) {
        const { accountId, ended } = yield* withRequest(
          id,
          Effect.fnUntraced(function*(request) {
            const { accountId } = request
            const ended = yield* ends.onDeleted(accountId, request)
            yield* repo.remove(accountId, request.id)
            yield* links.forget(accountId, request.id)
            return { accountId, ended }
          })
        )
        yield* ends.clear(accountId, ended)
      }, WritePurpose.freeing)

      yield* FolderRemovals.use((removals) => removals.onRemoving(repo.folderRemoving))

      return Requests.of({ create, setOpen, update, delete: remove })
    })
  )
}

const tooMany = new Refused({
  code: "not_allowed",
  because: `An account has at most ${Limits.requestsOfAccount} file requests; delete some of them first.`
})
