/** File requests, as their owners make and change them. Spec: "File requests". */
import { Context, DateTime, Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import { PublicLinks } from "../links/PublicLinks.ts"
import * as Choice from "../organize/Choice.ts"
import { type Destination, Folders } from "../organize/Folders.ts"
import { InvalidField, type NotFound, type Refused, type Unavailable } from "../shared/DriveError.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import { RequestId } from "../shared/Ids.ts"
import { DropEnds } from "./DropEnds.ts"
import { folderOf, type NewRequest, type StoredRequest } from "./Request.ts"
import { RequestsRepo } from "./RequestsRepo.ts"

export class Requests extends Context.Service<Requests, {
  /**
   * Makes a request. Arrivals land in its folder, which is made if it is named by its path and missing; without one, in a folder at the
   * top of the drive that is named for the request.
   *
   * Fails with `InvalidField` for a time that has passed and for two folders, `NotFound` when the folder is not the caller's, `Refused`
   * (`token_limit`), `Unavailable` when too many passwords wait to be hashed. Spec: `/create-file-request`.
   */
  readonly create: (
    given: NewRequest
  ) => Effect.Effect<StoredRequest, InvalidField | NotFound | Refused | Unavailable, CurrentAccount>
}>()("@filedrive/core/requests/Requests") {
  static readonly layerNoDeps = Layer.effect(
    Requests,
    Effect.gen(function*() {
      const repo = yield* RequestsRepo
      const dropEnds = yield* DropEnds
      const folders = yield* Folders
      const links = yield* PublicLinks
      const transaction = yield* AccountTransaction
      const random = yield* SecureRandom.SecureRandom

      const inFuture = Effect.fnUntraced(function*(time: DateTime.Utc | null) {
        if (time === null || DateTime.isGreaterThan(time, yield* DateTime.now)) return time
        return yield* new InvalidField({ code: "invalid_field", field: "expireTime", because: "must be in the future" })
      })

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
        const passwordHash = password === null ? null : yield* links.hash(password)
        // The id is the secret of the link: random as a whole, not ordered by time as other ids are.
        const id = RequestId.make(yield* random.uuidV4())
        const insertTime = DateTime.toDateUtc(yield* DateTime.now)
        return yield* transaction.run(
          accountId,
          Effect.fnUntraced(function*() {
            const found = yield* folders.destination(destinationOf(given))
            const folder = { id: found?.id ?? null, path: found?.path ?? FolderPath.top }
            const request = { id, accountId, title, message, folder, expireTime, maxBytes, passwordHash, insertTime }
            yield* repo.insert({ ...request, foldedPath: found?.foldedPath ?? FolderPath.top })
            if (expireTime !== null) yield* dropEnds.expireAt(accountId, id, expireTime)
            return { ...request, closeTime: null, receivedBytes: 0, heldBytes: 0 }
          })
        )
      })

      return Requests.of({ create })
    })
  )
}
