/** A process's knowledge of the database's time, on clocks that the test moves. */
import { assert, describe, it } from "@effect/vitest"
import { SharedTime } from "./SharedTime.ts"

const began = Date.UTC(2026, 0, 1)

const make = () => {
  const clocks = { wall: began, monotonic: 5_000.25 }
  const time = new SharedTime({ now: () => clocks.wall, monotonic: () => clocks.monotonic })
  const pass = (millis: number) => {
    clocks.wall += millis
    clocks.monotonic += millis
  }
  const measure = (databaseMillis: number, roundTrip = 0) => {
    const asked = clocks.monotonic
    pass(roundTrip)
    time.measured({ databaseMillis, asked, answered: clocks.monotonic })
  }
  return { clocks, time, pass, measure }
}

describe("the time of a shared database", () => {
  it("DB-130 it is the machine's time until the first measurement, then the database's plus half of the round trip", () => {
    const { measure, pass, time } = make()
    assert.strictEqual(time.now(), began)
    measure(began - 60_000, 40)
    assert.strictEqual(time.now(), began - 60_000 + 20)
    assert.strictEqual(time.aheadMillis, 60_020)
    pass(1_000)
    assert.strictEqual(time.now(), began - 60_000 + 1_020)
  })

  it("DB-130 setting the machine's clock only causes another measurement", () => {
    const { clocks, measure, pass, time } = make()
    let asked = 0
    time.whenSet(() => void asked++)
    measure(began)
    for (const step of [-2 * 3_600_000, 5 * 3_600_000]) {
      clocks.wall += step
      pass(10)
      time.now()
      time.now()
    }
    assert.strictEqual(time.now(), began + 20)
    assert.strictEqual(asked, 2)
  })

  it("DB-130 a correction within the uncertainty is ignored, a small one holds the time, a large one is made", () => {
    const { measure, pass, time } = make()
    measure(began)
    pass(60_000)
    measure(began + 60_000 + 20, 100)
    assert.strictEqual(time.now(), began + 60_100)
    measure(began + 60_100 - 400)
    assert.strictEqual(time.now(), began + 60_100)
    pass(300)
    assert.strictEqual(time.now(), began + 60_100)
    pass(200)
    assert.strictEqual(time.now(), began + 60_200)
    measure(began - 3_600_000)
    assert.strictEqual(time.now(), began - 3_600_000)
  })
})
