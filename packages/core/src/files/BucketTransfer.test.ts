/** The life of a large file's copy to the other bucket, and that the statements on its row are the same. */
import { assert, describe, it, layer as testLayer } from "@effect/vitest"
import { TestDatabase } from "@filedrive/testing"
import { DateTime, Effect, Exit, Option } from "effect"
import * as fc from "fast-check"
import { addFile, layer, newAccount } from "../../test/FilesTest.ts"
import { AccountId, FileId } from "../shared/Ids.ts"
import { type BucketTransfer, next, stateOf, TransferEvent, TransferState } from "./BucketTransfer.ts"
import { BucketTransfersRepo } from "./BucketTransfersRepo.ts"

const transfer: BucketTransfer = {
  fileId: FileId.make("019845e1-682f-7b02-a707-000000000001"),
  accountId: AccountId.make("019845e1-682f-7b02-a706-0000000000aa"),
  toPublic: false,
  keepsLink: true,
  storeKey: "key",
  storageId: "",
  partsDone: 0,
  partCount: 20
}
const underWay = { ...transfer, storageId: "upload", partsDone: 3 }
const now = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
const object = { sizeBytes: 100, etag: "e", storedTime: now }

const absent = TransferState.Absent()
const wanted = TransferState.Wanted({ transfer })
const copying = TransferState.Copying({ transfer: underWay })
const made = TransferState.Made({ transfer: underWay, object })
const lost = TransferState.Lost({ transfer: underWay })

const storeKey = "key"
const events = {
  begun: TransferEvent.Begun({ transfer }),
  opened: TransferEvent.Opened({ storeKey, storageId: "upload" }),
  partCopied: TransferEvent.PartCopied({ storeKey, partsDone: 2 }),
  completedWhole: TransferEvent.Completed({ storeKey, object: Option.some(object), sizeBytes: 100 }),
  completedNothing: TransferEvent.Completed({ storeKey, object: Option.none(), sizeBytes: 100 }),
  completedOther: TransferEvent.Completed({ storeKey, object: Option.some(object), sizeBytes: 99 }),
  adopted: TransferEvent.Adopted({ storeKey }),
  tooLate: TransferEvent.TooLate({ storeKey }),
  restarted: TransferEvent.Restarted({ storeKey, freshKey: "fresh" }),
  linkDropped: TransferEvent.LinkDropped(),
  calledOff: TransferEvent.CalledOff()
}

const refused = null
const begunAgain = TransferState.Wanted({ transfer: { ...transfer, storeKey: "fresh" } })
const linkless = <A extends { readonly transfer: BucketTransfer }>(state: A): A => ({
  ...state,
  transfer: { ...state.transfer, keepsLink: false }
})

/** By state, in the order of {@link events}. */
const table: ReadonlyArray<readonly [TransferState, ...ReadonlyArray<TransferState | typeof refused>]> = [
  [absent, wanted, refused, refused, refused, refused, refused, refused, refused, refused, absent, absent],
  [
    wanted,
    refused,
    { ...copying, transfer: { ...underWay, partsDone: 0 } },
    { ...wanted, transfer: { ...transfer, partsDone: 2 } },
    refused,
    refused,
    refused,
    refused,
    refused,
    begunAgain,
    linkless(wanted),
    absent
  ],
  [copying, refused, refused, copying, made, lost, refused, refused, refused, begunAgain, linkless(copying), absent],
  [made, refused, refused, made, refused, refused, refused, absent, lost, begunAgain, linkless(made), absent],
  [lost, refused, refused, lost, refused, refused, refused, refused, refused, begunAgain, linkless(lost), absent]
]
const cells = table.flatMap(([from, ...to]) =>
  Object.entries(events).map(([name, by], i) => ({ name: `${from._tag} × ${name}`, from, by, to: to[i]! }))
)

describe("BucketTransfer", () => {
  it.each(cells)("ACC-10 $name", ({ by, from, to }) => {
    assert.deepStrictEqual(Option.getOrNull(next(from, by)), to)
  })

  it.each([wanted, copying, made, lost])("ACC-10 $_tag: a worker for another key changes nothing", (state) => {
    for (const event of Object.values(events)) {
      if ("storeKey" in event) assert.deepStrictEqual(next(state, { ...event, storeKey: "former" }), Option.none())
    }
  })
})

const keys = fc.constantFrom("key", "fresh")
const anyEvent: fc.Arbitrary<TransferEvent> = fc.oneof(
  fc.boolean().map((toPublic) => TransferEvent.Begun({ transfer: { ...transfer, toPublic, keepsLink: !toPublic } })),
  fc.constant(TransferEvent.CalledOff()),
  fc.constant(TransferEvent.LinkDropped()),
  fc.record({ storeKey: keys, storageId: fc.constantFrom("one", "two") }).map(TransferEvent.Opened),
  fc.record({ storeKey: keys, partsDone: fc.nat(20) }).map(TransferEvent.PartCopied),
  fc.record({ storeKey: keys, freshKey: keys }).map(TransferEvent.Restarted)
)

testLayer(layer(TestDatabase.layer), { timeout: "60 seconds" })("Rows of bucket transfers", (it) => {
  /** Whether the statement of an event took effect; undefined where it does not say. */
  const runSql = Effect.fnUntraced(function*(accountId: AccountId, fileId: FileId, event: TransferEvent) {
    const repo = yield* BucketTransfersRepo
    const known = (key: string) => ({ ...transfer, accountId, fileId, storeKey: `${fileId}/${key}` })
    switch (event._tag) {
      case "Begun": {
        const inserted = yield* Effect.exit(
          repo.insert({
            ...event.transfer,
            ...known("key"),
            toPublic: event.transfer.toPublic,
            keepsLink: event.transfer.keepsLink
          }, now)
        )
        return Exit.isSuccess(inserted)
      }
      case "CalledOff":
        return void (yield* repo.remove(accountId, [fileId]))
      case "LinkDropped":
        return yield* repo.dropLink(accountId, fileId)
      case "Opened":
        return yield* repo.setStorageId(known(event.storeKey), event.storageId)
      case "PartCopied":
        return yield* repo.setPartsDone(known(event.storeKey), event.partsDone)
      case "Restarted":
        return yield* repo.restart(known(event.storeKey), `${fileId}/${event.freshKey}`)
      default:
        return yield* Effect.die(`${event._tag} has no statement`)
    }
  })

  it.effect("ACC-10 the statements make of a row what the states' table says", () =>
    Effect.gen(function*() {
      const repo = yield* BucketTransfersRepo
      for (const sequence of fc.sample(fc.array(anyEvent, { minLength: 5, maxLength: 25 }), { numRuns: 60, seed: 7 })) {
        const accountId = yield* newAccount
        const fileId = yield* addFile(accountId, {})
        let state: TransferState = absent
        for (const [i, event] of sequence.entries()) {
          const expected = next(state, event)
          const where = `${i}: ${JSON.stringify(sequence)}`
          const tookEffect = yield* runSql(accountId, fileId, event)
          if (typeof tookEffect === "boolean") assert.strictEqual(tookEffect, Option.isSome(expected), where)
          state = Option.getOrElse(expected, () => state)
          const row = Option.map(yield* repo.find(accountId, fileId), (found) => ({
            ...found,
            fileId: transfer.fileId,
            accountId: transfer.accountId,
            // Unique in the database.
            storeKey: found.storeKey.slice(fileId.length + 1)
          }))
          assert.deepStrictEqual(stateOf(row), state, where)
        }
      }
    }).pipe(Effect.provide(BucketTransfersRepo.layer)))
})
