import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration, Result } from "effect"
import * as Limits from "../limits/Limits.ts"
import { DropId, RequestId } from "../shared/Ids.ts"
import type { OpenDelivery } from "../uploads/Delivery.ts"
import type { Drop } from "./Drop.ts"
import * as DropState from "./DropState.ts"

const now = DateTime.makeUnsafe("2026-09-28T12:00:00.000Z")
const soon = DateTime.add(now, { hours: 1 })
const requestId = RequestId.make("01999a10-3c00-4a41-9d2e-5b8f0c6e7a11")
const id = DropId.make("01999a10-3c00-7a41-9d2e-5b8f0c6e7a12")
const other = DropId.make("01999a10-3c00-7a41-9d2e-5b8f0c6e7a13")

const open: NonNullable<DropState.RequestOfDrop> = {
  closeTime: null,
  expireTime: soon,
  maxBytes: null,
  receivedBytes: 0
}
const requests = {
  open,
  closed: { ...open, closeTime: now },
  expired: { ...open, expireTime: now },
  gone: null
}
const underWay: DropState.CountedDrop = { id, finishTime: null, fileCount: 0 }
const finished: DropState.CountedDrop = { ...underWay, finishTime: now }

const codeOf = (result: Result.Result<unknown, { readonly code: string }>) =>
  Result.match(result, { onFailure: ({ code }) => code, onSuccess: () => "ok" })

const ids = (dropId: DropId) => ({ requestId, dropId, clientKey: "a" })
const opening = (moreBytes: number, opens: "form" | "upload" | null = "form") => ({ moreBytes, opens })

const openOf = (dropId: DropId, one: Partial<OpenDelivery>): OpenDelivery => ({
  requestId,
  dropId,
  forms: 0,
  uploads: 0,
  heldBytes: 0,
  ...one
})

describe("DropState", () => {
  const rows: ReadonlyArray<readonly [keyof typeof requests, Pick<Drop, "finishTime">, string, string]> = [
    ["open", underWay, "ok", "ok"],
    ["closed", underWay, "request_closed", "ok"],
    ["expired", underWay, "request_closed", "ok"],
    ["gone", underWay, "request_closed", "ok"],
    ["open", finished, "not_allowed", "not_allowed"],
    ["closed", finished, "not_allowed", "not_allowed"],
    ["expired", finished, "not_allowed", "not_allowed"],
    ["gone", finished, "not_allowed", "not_allowed"]
  ]
  for (const [request, drop, takes, changes] of rows) {
    it(`REQ-50 a drop that is ${drop === underWay ? "under way" : "finished"} at a request that is ${request}`, () => {
      assert.strictEqual(codeOf(DropState.takesFiles(drop, requests[request], now)), takes)
      assert.strictEqual(codeOf(DropState.changeable(drop)), changes)
      const room = DropState.room(requests[request], [], [{ ...underWay, ...drop }], now)
      assert.strictEqual(codeOf(room.take(ids(id), opening(1))), takes)
    })
  }

  it("REQ-50 a drop is idle a day after its last sign of life", () => {
    const activeTime = DateTime.subtractDuration(now, Limits.idleDropLifetime)
    assert.isTrue(DropState.isIdle({ activeTime }, now))
    assert.isFalse(DropState.isIdle({ activeTime: DateTime.addDuration(activeTime, Duration.millis(1)) }, now))
  })

  it("REQ-54 what is reserved counts like what was received, to the byte, and each reservation for those after it", () => {
    const request = { ...open, maxBytes: 100, receivedBytes: 40 }
    const room = DropState.room(request, [openOf(other, { forms: 1, heldBytes: 30 })], [underWay], now)
    assert.strictEqual(codeOf(room.take(ids(id), opening(31))), "request_full")
    assert.strictEqual(codeOf(room.take(ids(id), opening(20))), "ok")
    assert.strictEqual(codeOf(room.take(ids(id), opening(11))), "request_full")
    assert.strictEqual(codeOf(room.take(ids(id), opening(10, null))), "ok")
    assert.strictEqual(codeOf(room.take(ids(id), opening(1, null))), "request_full")
    // What takes no more is never refused for that.
    assert.strictEqual(codeOf(room.take(ids(id), opening(0))), "ok")
  })

  it("REQ-57 a drop, a request and the files of a drop have bounds of their own; what continues is not bounded", () => {
    const full = [openOf(id, { forms: Limits.openPerDrop })]
    const room = DropState.room(open, full, [underWay], now)
    assert.strictEqual(codeOf(room.take(ids(id), opening(1))), "too_many_forms")
    assert.strictEqual(codeOf(room.take(ids(id), opening(1, null))), "ok")
    assert.strictEqual(codeOf(room.take(ids(id), opening(1, "upload"))), "ok")
    const others = [openOf(other, { uploads: Limits.openPerRequest - 1 })]
    const last = DropState.room(open, others, [underWay], now)
    assert.strictEqual(codeOf(last.take(ids(id), opening(1, "upload"))), "ok")
    assert.strictEqual(codeOf(last.take(ids(id), opening(1, "upload"))), "too_many_forms")
    assert.strictEqual(codeOf(last.take(ids(id), opening(1, "form"))), "ok")
    const many = { ...underWay, fileCount: Limits.filesPerDrop - 1 }
    const files = DropState.room(open, [], [many], now)
    assert.strictEqual(codeOf(files.take(ids(id), opening(1))), "ok")
    assert.strictEqual(codeOf(files.take(ids(id), opening(1))), "too_many_forms")
  })

  it("REQ-76 without maxBytes senders reserve half of the free storage, to the byte; their reservations count as free", () => {
    const held = [openOf(other, { forms: 1, heldBytes: 30 })]
    const freeBytes = DropState.freeBytes(held, { usedBytes: 50, heldBytes: 50 }, 151)
    assert.strictEqual(freeBytes, 81)
    const room = DropState.room(open, held, [underWay], now, undefined, { freeBytes })
    assert.strictEqual(codeOf(room.take(ids(id), opening(11))), "storage_limit_reached")
    assert.strictEqual(codeOf(room.take(ids(id), opening(10))), "ok")
    assert.strictEqual(codeOf(room.take(ids(id), opening(1, null))), "storage_limit_reached")
    assert.strictEqual(codeOf(room.take(ids(id), opening(0))), "ok")
    assert.isNull(DropState.freeBytes(held, { usedBytes: 50, heldBytes: 50 }, null))
    assert.strictEqual(DropState.freeBytes([], { usedBytes: 50, heldBytes: 60 }, 100), 0)
  })

  it("REQ-77 reservations of one call count for later ones of the same address", () => {
    const mine = [underWay, { ...underWay, id: other }]
    const networks = new Map([[id, "a"], [other, "a"]])
    const room = DropState.room({ ...open, maxBytes: 100 }, [], mine, now, undefined, { networks })
    assert.strictEqual(codeOf(room.take(ids(id), opening(60))), "ok")
    assert.strictEqual(codeOf(room.take(ids(other), opening(1))), "too_many_forms")
    // The one file may become larger.
    assert.strictEqual(codeOf(room.take(ids(id), opening(40, null))), "ok")
  })

  it("REQ-50 a drop that is not known has no room", () => {
    assert.strictEqual(codeOf(DropState.room(open, [], [underWay], now).take(ids(other), opening(1))), "request_closed")
  })
})
