/**
 * Files that a host's own process stores, without a signed link to itself. The bytes are stored in the parts of a
 * multipart upload, so quota, limits of the caller, failed and crashed attempts are those of any upload.
 */
import { Context, Effect, Layer, Option, Pull, Schema, type Scope, Stream } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { allowed, CurrentAccount, unlimited } from "../accounts/CurrentAccount.ts"
import { FileName, FileSize, GivenMimeType } from "../files/FileDetail.ts"
import { Files } from "../files/Files.ts"
import { ObjectKey } from "../files/ObjectKey.ts"
import * as ObjectHeaders from "../objects/ObjectHeaders.ts"
import { type Destination, Folders } from "../organize/Folders.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import {
  InvalidField,
  NotFound,
  type PartsMismatch,
  Refused,
  type Unavailable,
  UploadNotFound
} from "../shared/DriveError.ts"
import { FileType } from "../shared/FileType.ts"
import type { AccountId, FileId, FolderId } from "../shared/Ids.ts"
import type { FileInput } from "./FileInput.ts"
import { addressOf as formAddress } from "./FormEnds.ts"
import { Forms } from "./Forms.ts"
import { FormsRepo } from "./FormsRepo.ts"
import { Inserts } from "./Inserts.ts"
import * as PartPlan from "./PartPlan.ts"
import { addressOf } from "./Upload.ts"
import { Uploads } from "./Uploads.ts"
import { UploadsRepo } from "./UploadsRepo.ts"
import { UploadTokens } from "./UploadTokens.ts"

/** The description of a file: as in FileInput, without a key, which the drive makes. */
export const HostFile = Schema.Struct({
  /** The declared kind; the bytes decide in the end. Default `Other`. */
  type: Schema.optionalKey(FileType),
  fileName: FileName,
  fileSize: FileSize,
  mimeType: GivenMimeType
})
export type HostFile = typeof HostFile.Type

type PutError = InvalidField | NotFound | PartsMismatch | Refused | Unavailable | UploadNotFound

export class HostUploads extends Context.Service<HostUploads, {
  /**
   * Stores `body` as a file of the caller's and returns the file's id. It goes to the folder `to`, by default to that of the caller's limits,
   * else to the top of the drive. Takes one part's chunk in memory at a time. Fails with
   * `InvalidField` (`size_mismatch`) when the body does not have `fileSize` bytes, with `NotFound` when the folder is deleted before
   * they are stored; what was stored of it is removed.
   */
  readonly put: <E>(
    file: HostFile,
    body: Stream.Stream<Uint8Array, E>,
    to?: Destination,
    /** Default: one of its own. With a key that a file of the caller's has, that file is returned, and nothing is stored. */
    objectKey?: ObjectKey
  ) => Effect.Effect<FileId, E | PutError, CurrentAccount>
}>()("@filedrive/core/uploads/HostUploads") {
  static readonly layerNoDeps = Layer.effect(
    HostUploads,
    Effect.gen(function*() {
      const files = yield* Files
      const folders = yield* Folders
      const forms = yield* Forms
      const openForms = yield* FormsRepo
      const openUploads = yield* UploadsRepo
      const inserts = yield* Inserts
      const transaction = yield* AccountTransaction
      const random = yield* SecureRandom.SecureRandom
      const store = yield* ObjectStore
      const tokens = yield* UploadTokens
      const uploads = yield* Uploads

      /** The caller, limited to the folder that the file goes to: that is where an upload of its lands. */
      const within = Effect.fnUntraced(function*(to: Destination | undefined) {
        const caller = yield* allowed("add")
        if (to === undefined) {
          const { folderId } = caller.limits
          // Fails when the folder does not exist: nothing may be reserved for a file that can't be stored.
          if (folderId !== null) yield* transaction.share(caller.id, () => folders.destination({ id: folderId }))
          return caller
        }
        const folder = yield* transaction.share(caller.id, () => folders.destination(to))
        return { ...caller, limits: { ...caller.limits, folderId: folder?.id ?? null } }
      })

      const sendParts = Effect.fnUntraced(function*<E>(input: FileInput, body: Slices<E>) {
        const caller = yield* CurrentAccount
        const { id, plan, token } = yield* uploads.open(input)
        const send = Effect.gen(function*() {
          const upload = yield* tokens.find(caller, token)
          for (let partNumber = 1; partNumber <= plan.partCount; partNumber++) {
            const sizeBytes = PartPlan.partLength(plan, partNumber)
            yield* store.putPart({
              at: addressOf(upload),
              uploadId: upload.storageId,
              partNumber,
              sizeBytes,
              body: body.next(sizeBytes)
            })
          }
          yield* body.end
          yield* uploads.complete(token)
          return (yield* inserts.insert(input)).id
        })
        // Not by its token, which ends with the folder that the caller is limited to.
        const discard = Effect.gen(function*() {
          const upload = yield* openUploads.find(caller.id, id)
          if (Option.isSome(upload)) yield* uploads.discard(upload.value)
        })
        return yield* Effect.onError(send, () => discard)
      })

      /** No upload in parts is empty. */
      const sendNothing = Effect.fnUntraced(function*<E>(input: FileInput, body: Slices<E>) {
        const caller = yield* CurrentAccount
        yield* body.end
        const send = Effect.gen(function*() {
          yield* forms.create(input)
          const [form] = yield* openForms.findOpen(caller.id, [input.objectKey], unlimited)
          if (form === undefined) return yield* new UploadNotFound()
          const headers = ObjectHeaders.of(input, "private")
          yield* store.put({ at: formAddress(form), headers, sizeBytes: 0, body: Stream.empty })
          return (yield* inserts.insert(input)).id
        })
        // Not within the folder that the caller is limited to, which may be what is gone.
        const discard = forms.cancel(input.objectKey).pipe(
          Effect.provideService(CurrentAccount, { ...caller, limits: { ...caller.limits, folderId: null } }),
          Effect.catch((error) => Effect.logDebug("There was no form to cancel", error))
        )
        return yield* Effect.onError(send, () => discard)
      })

      /** A refusal that comes of the folder having been deleted since the call began names the folder. */
      const ofFolder = (accountId: AccountId, folderId: FolderId) => <E>(error: E) =>
        Effect.gen(function*() {
          const isOfFolder = error instanceof Refused || error instanceof InvalidField && error.field === "objectKey"
          if (isOfFolder && Option.isNone(yield* folders.find(accountId, folderId))) {
            return yield* new NotFound({ resource: "folder", id: folderId })
          }
          return yield* Effect.fail(error)
        })

      const put = Effect.fn("HostUploads.put")(function*<E>(
        { type = "Other", ...described }: HostFile,
        body: Stream.Stream<Uint8Array, E>,
        to: Destination | undefined,
        key: ObjectKey | undefined
      ): Effect.fn.Return<FileId, E | PutError, CurrentAccount | Scope.Scope> {
        const caller = yield* within(to)
        if (key !== undefined) {
          const known = yield* files.findByObjectKey(caller.id, key)
          if (Option.isSome(known)) return known.value.id
        }
        const objectKey = key ?? ObjectKey.make(`users/${caller.id}/host/${yield* random.uuidV7()}`)
        const input: FileInput = { ...described, type, objectKey }
        const slices = yield* slicesOf(body, input.fileSize)
        const send = input.fileSize === 0 ? sendNothing(input, slices) : sendParts(input, slices)
        const sent = Effect.provideService(send, CurrentAccount, caller)
        const { folderId } = caller.limits
        return yield* folderId === null ? sent : Effect.catch(sent, ofFolder(caller.id, folderId))
      })

      return HostUploads.of({ put: (file, body, to, objectKey) => Effect.scoped(put(file, body, to, objectKey)) })
    })
  )
}

/** A body that is read once, in slices one after the other. */
interface Slices<E> {
  /** The next `sizeBytes` bytes. Fails with `size_mismatch` when the body ends before. */
  readonly next: (sizeBytes: number) => Stream.Stream<Uint8Array, E | InvalidField>
  /** Fails with `size_mismatch` when more comes. */
  readonly end: Effect.Effect<void, E | InvalidField>
}

const sizeMismatch = (because: string) => new InvalidField({ code: "size_mismatch", field: "fileSize", because })

const slicesOf = Effect.fnUntraced(function*<E>(body: Stream.Stream<Uint8Array, E>, fileSize: number) {
  const pull = yield* Stream.toPull(body)
  const waiting: Array<Uint8Array> = []
  let read = 0

  const chunk: Effect.Effect<Uint8Array | undefined, E> = Effect.gen(function*() {
    while (true) {
      const there = waiting.shift()
      if (there === undefined) {
        const more = yield* Pull.catchDone(pull, () => Effect.succeed(undefined))
        if (more === undefined) return undefined
        waiting.push(...more)
      } else if (there.length > 0) {
        read += there.length
        return there
      }
    }
  })

  const next = (sizeBytes: number): Stream.Stream<Uint8Array, E | InvalidField> =>
    Stream.unfold(sizeBytes, (left) =>
      Effect.gen(function*() {
        if (left === 0) return undefined
        const found = yield* chunk
        if (found === undefined) return yield* sizeMismatch(`is ${fileSize}, but the body ended after ${read} bytes`)
        if (found.length <= left) return [found, left - found.length] as const
        waiting.unshift(found.subarray(left))
        read -= found.length - left
        return [found.subarray(0, left), 0] as const
      }))

  const end = Effect.flatMap(
    chunk,
    (more) =>
      more === undefined ? Effect.void : Effect.fail(sizeMismatch(`is ${fileSize}, but the body has more bytes`))
  )

  return { next, end } satisfies Slices<E>
})
