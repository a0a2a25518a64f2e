import { assert, describe, it } from "@effect/vitest"
import { DateTime, Duration } from "effect"
import * as Delivery from "./Delivery.ts"

const now = DateTime.makeUnsafe("2026-01-01T12:00:00Z")
const waiting = (delay: Duration.Input) => ({
  no: 1,
  attempts: 1,
  dueTime: DateTime.toDateUtc(DateTime.addDuration(now, Duration.fromInputUnsafe(delay)))
})

describe("deliveries", () => {
  it("DB-132 a delivery that failed while the clock was two hours ahead is sent, one within its delay waits", () => {
    const ahead = waiting("2 hours")
    assert.deepStrictEqual(Delivery.next([ahead], now), { _tag: "Send", delivery: ahead })
    assert.strictEqual(Delivery.next([waiting("10 seconds")], now)._tag, "Later")
  })
})
