import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { AccountId } from "../shared/Ids.ts"
import { SpareKeys } from "./SpareKeys.ts"
import * as StoreKey from "./StoreKey.ts"

const owner = AccountId.make("8c2841fc-1888-4942-91c3-c6d0d496ae6f")
const addressOf = (number: number) => StoreKey.inPrivate(StoreKey.make("files", owner, String(number)))
const minute = 60_000

describe("SpareKeys", () => {
  it("UP-112 an account that has made eight objects within a minute gets keys ahead, a slower one none", () => {
    const spares = new SpareKeys()
    const wanted = Array.from({ length: 9 }, (_, at) => spares.wanted(owner, 1, at * 1_000))
    assert.deepStrictEqual(wanted, [0, 0, 0, 0, 0, 0, 0, 32, 32])
    const slow = new SpareKeys()
    for (let at = 0; at < 100; at++) assert.strictEqual(slow.wanted(owner, 1, at * 10_000), 0)
    assert.strictEqual(new SpareKeys().wanted(owner, 16, 0), 32)
  })

  it("UP-112 a key is given to one caller, never after its time, and none once the account's keys were dropped", () => {
    const step = fc.oneof(
      fc.record({ add: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ wait: fc.integer({ min: 0, max: 90 }) }),
      fc.constant("take" as const),
      fc.constant("drop" as const)
    )
    fc.assert(fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const spares = new SpareKeys()
      let [now, next] = [0, 0]
      let valid = new Map<string, number>()
      for (const one of steps) {
        if (one === "drop") {
          spares.drop(owner)
          valid = new Map()
        } else if (one === "take") {
          const taken = spares.take(owner, now)
          const until = valid.get(taken?.key ?? "")
          assert.strictEqual(taken !== undefined, [...valid.values()].some((until) => now < until))
          if (taken !== undefined) assert.isTrue(until !== undefined && now < until)
          valid.delete(taken?.key ?? "")
        } else if ("wait" in one) now += one.wait * minute
        else {
          const added = Array.from({ length: one.add }, () => addressOf(next++))
          spares.add(owner, added, now + 60 * minute)
          valid = new Map(added.map(({ key }) => [key, now + 60 * minute]))
        }
      }
    }))
  })

  it("UP-112 no keys are listed ahead for more than 2,000 accounts at a time", () => {
    const spares = new SpareKeys()
    const account = (number: number) => AccountId.make(`8c2841fc-1888-4942-91c3-${String(number).padStart(12, "0")}`)
    const add = (number: number, now: number) => {
      const count = spares.wanted(account(number), 8, now)
      spares.add(account(number), Array.from({ length: count }, (_, at) => addressOf(at)), now + 60 * minute)
      return count
    }
    for (let number = 0; number < 2_000; number++) assert.strictEqual(add(number, number), 32)
    assert.strictEqual(spares.wanted(account(2_000), 8, 2_000), 0)
    assert.strictEqual(spares.take(account(0), 2_000)?.key, addressOf(31).key)
    assert.strictEqual(spares.wanted(account(2_000), 8, 60 * minute + 1), 32)
  })
})
