import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import * as RequestState from "./RequestState.ts"

const now = DateTime.makeUnsafe("2026-01-01T12:00:00Z")
const before = DateTime.subtract(now, { hours: 1 })
const after = DateTime.add(now, { hours: 1 })

const room = { maxBytes: null, receivedBytes: 0, heldBytes: 0 }

describe("the states of a file request", () => {
  it("REQ-1 it is open while it is not closed and not expired", () => {
    const rows = [
      [{ closeTime: null, expireTime: null }, true, null],
      [{ closeTime: null, expireTime: after }, true, null],
      [{ closeTime: null, expireTime: now }, false, "expired"],
      [{ closeTime: null, expireTime: before }, false, "expired"],
      [{ closeTime: before, expireTime: null }, false, "closed"],
      [{ closeTime: before, expireTime: after }, false, "closed"],
      [{ closeTime: before, expireTime: before }, false, "closed"]
    ] as const
    for (const [state, isOpen, because] of rows) {
      assert.strictEqual(RequestState.isOpen(state, now), isOpen)
      assert.strictEqual(RequestState.closedBecause({ ...state, ...room }, now), because)
    }
  })

  it("REQ-1 closing keeps the time of the first closing, opening takes it back, and an expired one stays so", () => {
    const open = { closeTime: null, expireTime: after }
    const closed = RequestState.setOpen(open, false, before)
    assert.strictEqual(closed.closeTime, before)
    assert.strictEqual(RequestState.setOpen(closed, false, now).closeTime, before)
    assert.strictEqual(RequestState.setOpen(closed, true, now).closeTime, null)
    assert.isTrue(RequestState.isOpen(RequestState.setOpen(closed, true, now), now))
    assert.isFalse(RequestState.isOpen(RequestState.setOpen(closed, true, after), after))
    assert.strictEqual(RequestState.setOpen(open, true, now).closeTime, null)
  })

  it("REQ-1 one that takes no further byte is full, though it is open", () => {
    const open = { closeTime: null, expireTime: null }
    for (
      const [room, remaining, because] of [
        [{ maxBytes: 10, receivedBytes: 4, heldBytes: 5 }, 1, null],
        [{ maxBytes: 10, receivedBytes: 4, heldBytes: 6 }, 0, "full"],
        [{ maxBytes: 5, receivedBytes: 9, heldBytes: 0 }, 0, "full"],
        [{ maxBytes: null, receivedBytes: 9, heldBytes: 9 }, null, null]
      ] as const
    ) {
      assert.strictEqual(RequestState.remainingBytes(room), remaining)
      assert.strictEqual(RequestState.closedBecause({ ...open, ...room }, now), because)
      assert.isTrue(RequestState.isOpen(open, now))
    }
  })
})
