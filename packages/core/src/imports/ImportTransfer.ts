/**
 * Copies a file from its server into storage: a file that fits one part is stored at once, a larger one part by part. Two
 * parts are in memory at most: one that is being stored and one that is being received.
 */
import { DateTime, Duration, Effect, Fiber, Option, Schema, type Scope, Stream } from "effect"
import * as DetectedKind from "../files/DetectedKind.ts"
import { MimeType } from "../files/FileDetail.ts"
import * as Limits from "../limits/Limits.ts"
import * as MultipartObject from "../objects/MultipartObject.ts"
import * as ObjectHeaders from "../objects/ObjectHeaders.ts"
import * as StoreKey from "../objects/StoreKey.ts"
import { headBytes, MediaKinds } from "../ports/MediaKinds.ts"
import { ObjectStore, type StoredObject } from "../ports/ObjectStore.ts"
import { type RemoteAnswer, type RemoteFailed, RemoteFile } from "../ports/RemoteFile.ts"
import { Unavailable } from "../shared/DriveError.ts"
import { defaultMimeType } from "../shared/FileType.ts"
import * as FileType from "../shared/FileType.ts"
import * as BodyReader from "./BodyReader.ts"
import { type DetectedFile, type Import, tooLarge } from "./Import.ts"
import { ImportFailed, type ImportSteps, type Superseded } from "./ImportSteps.ts"
import * as PartSizes from "./PartSizes.ts"
import * as RemoteName from "./RemoteName.ts"

/** What is in storage when all has come. */
export interface Transferred {
  readonly current: Import
  readonly found: DetectedFile
  readonly stored: StoredObject
}

/** Parts to continue from. */
interface StoredParts {
  readonly startBytes: number
  readonly count: number
  readonly validator: string
}

type TransferError = ImportFailed | RemoteFailed | Superseded | Unavailable

/** How often the number of received bytes is recorded. */
const progressInterval = Duration.seconds(1)

/** A part that is in memory can be stored again at once; a connection that broke is no reason to ask its server again. */
const storageRetries = 2

const isMimeType = Schema.is(MimeType)

const storageLost = (because: string) => new Unavailable({ code: "storage_unavailable", cause: new Error(because) })

export const makeTransfer = Effect.fnUntraced(function*(steps: ImportSteps) {
  const kinds = yield* MediaKinds
  const remote = yield* RemoteFile
  const multipart = yield* MultipartObject.make
  const store = yield* ObjectStore

  const at = (current: Import) => StoreKey.inPrivate(current.storeKey ?? "")

  /** The kind of the file, by its first block and its server's headers. */
  const describe = Effect.fnUntraced(function*(current: Import, first: BodyReader.Block, answer: RemoteAnswer) {
    const stated = answer.mimeType !== null && isMimeType(answer.mimeType) ? answer.mimeType : defaultMimeType
    const declared = { type: FileType.ofMimeType(stated), mimeType: stated }
    const kind = yield* DetectedKind.of(kinds, BodyReader.head(first, headBytes), declared)
    const fileName = current.wantedName ?? RemoteName.of(answer.disposition, answer.finalUrl, kind.mimeType)
    return { fileName, ...kind }
  })

  /** What an earlier run has left: a whole object, or parts to continue from. */
  const left = Effect.fnUntraced(function*(
    current: Import
  ): Effect.fn.Return<Transferred | StoredParts | null, Unavailable> {
    const { found, storageId, validator } = current
    if (found === null || storageId === null) return null
    const there = yield* multipart.inspect(at(current), storageId)
    if (there._tag === "Parts") {
      const { bytes, count } = PartSizes.whole(there.parts)
      return validator === null || count === 0 ? null : { startBytes: bytes, count, validator }
    }
    return there._tag === "Object" && there.object.sizeBytes === current.totalBytes
      ? { current, found, stored: there.object }
      : null
  })

  const complete = Effect.fnUntraced(function*(read: Import, sizeBytes: number, partCount: number) {
    const current = yield* steps.whole(read, sizeBytes)
    const stored = yield* multipart.complete(
      at(current),
      current.storageId!,
      (parts) => Effect.succeed(parts.filter(({ partNumber }) => partNumber <= partCount))
    )
    return Option.isSome(stored) && stored.value.sizeBytes === sizeBytes
      ? { current, found: current.found!, stored: stored.value }
      : yield* storageLost("the object of an import is not what its parts were")
  })

  /** Stores the body of `answer` after the `count` parts that are stored. */
  const receive = Effect.fnUntraced(function*(
    read: Import,
    answer: RemoteAnswer,
    count: number,
    quotaBytes: number | null
  ): Effect.fn.Return<Transferred, TransferError, Scope.Scope> {
    let current = read
    let savedTime = yield* DateTime.now
    const noteProgress = Effect.fnUntraced(function*(receivedBytes: number) {
      const now = yield* DateTime.now
      if (Duration.isLessThan(DateTime.distance(savedTime, now), progressInterval)) return
      savedTime = now
      yield* steps.received(current, answer.startBytes + receivedBytes)
    })
    const reader = yield* BodyReader.make(answer.body, noteProgress)
    const upload = Effect.fnUntraced(function*(partNumber: number, block: BodyReader.Block) {
      yield* store.putPart({
        at: at(current),
        uploadId: current.storageId!,
        partNumber,
        sizeBytes: block.sizeBytes,
        body: Stream.fromIterable(block.chunks)
      })
    }, Effect.retry({ times: storageRetries }))

    let sizeBytes = answer.startBytes
    let onItsWay: Fiber.Fiber<void, Unavailable> | undefined
    const arrived = Effect.gen(function*() {
      if (onItsWay === undefined) return
      yield* Fiber.join(onItsWay)
      onItsWay = undefined
      // Failures are counted anew from here, if the next run can continue from here.
      if (current.validator !== null && current.failures > 0) current = yield* steps.cameFurther(current)
    })
    for (let partNumber = count + 1;; partNumber++) {
      // The received bytes are stored also when the server stops: the next run continues after them.
      const block = yield* Effect.tapError(reader.take(PartSizes.sizeOf(partNumber)), () => Effect.ignore(arrived))
      sizeBytes += block.sizeBytes
      if (sizeBytes > Limits.fileSizeMaxBytes) return yield* new ImportFailed({ failure: tooLarge })
      yield* arrived
      current = yield* steps.hold(current, sizeBytes, quotaBytes)
      if (partNumber === 1) {
        const found = yield* describe(current, block, answer)
        const headers = ObjectHeaders.of(found, "private")
        if (block.isLast) {
          const body = Stream.fromIterable(block.chunks)
          const put = store.put({ at: at(current), headers, sizeBytes, body })
          const stored = yield* Effect.retry(put, { times: storageRetries })
          return { current, found, stored }
        }
        current = yield* steps.opened(current, yield* store.createUpload(at(current), headers), found)
      }
      if (block.sizeBytes > 0) onItsWay = yield* Effect.forkScoped(upload(partNumber, block))
      if (!block.isLast) continue
      yield* arrived
      return yield* complete(current, sizeBytes, block.sizeBytes > 0 ? partNumber : partNumber - 1)
    }
  })

  const open = Effect.fnUntraced(function*(read: Import, quotaBytes: number | null) {
    const answer = yield* remote.open(read.url, null)
    const { sizeBytes } = answer
    if (sizeBytes !== null && sizeBytes > Limits.fileSizeMaxBytes) return yield* new ImportFailed({ failure: tooLarge })
    const validator = answer.acceptsRanges ? answer.validator : null
    const current = yield* steps.begin(read, { quotaBytes, totalBytes: sizeBytes, validator })
    return yield* receive(current, answer, 0, quotaBytes)
  })

  /** Continues where an earlier run ended, if the server supports it; else begins from the start. */
  return Effect.fn("ImportTransfer")(function*(current: Import, quotaBytes: number | null) {
    const point = yield* left(current)
    if (point !== null && "stored" in point) return point
    if (point === null) return yield* Effect.scoped(open(current, quotaBytes))
    if (point.startBytes === current.totalBytes) return yield* complete(current, point.startBytes, point.count)
    const resumed = yield* Effect.scoped(Effect.gen(function*() {
      const answer = yield* remote.open(current.url, point)
      // A part tells the size, also of a file whose size was not stated when it was asked for as a whole.
      const isOfThisSize = current.totalBytes === null || answer.sizeBytes === current.totalBytes
      const goesOn = answer.startBytes === point.startBytes && isOfThisSize
      return goesOn ? yield* receive(current, answer, point.count, quotaBytes) : null
    }))
    return resumed ?? (yield* Effect.scoped(open(current, quotaBytes)))
  })
})
