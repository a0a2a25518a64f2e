import { assert, describe, it } from "@effect/vitest"
import { admit } from "./LiveFeeds.ts"

/** The feeds of an account, oldest first: so many of each session, in turns. */
const feedsOf = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts).flatMap(([sessionId, count]) => Array.from({ length: count }, (_, no) => ({ sessionId, no })))

describe("LiveFeeds", () => {
  it("FEED-19 one more feed is open, takes the place of its session's oldest, or has no room", () => {
    assert.deepStrictEqual(admit([], "s"), { _tag: "Open" })
    assert.deepStrictEqual(admit(feedsOf({ s: 19, t: 20 }), "s"), { _tag: "Open" })
    assert.deepStrictEqual(admit(feedsOf({ t: 20, s: 20 }), "s"), { _tag: "Instead", of: { sessionId: "s", no: 0 } })
    assert.deepStrictEqual(admit(feedsOf({ a: 20, b: 20, c: 20, d: 20, e: 19 }), "e"), { _tag: "Open" })
    assert.deepStrictEqual(admit(feedsOf({ a: 20, b: 20, c: 20, d: 20, e: 20 }), "f"), { _tag: "Full" })
    // A session that has all it may is never turned away.
    assert.deepStrictEqual(admit(feedsOf({ a: 20, b: 20, c: 20, d: 20, e: 20 }), "e")._tag, "Instead")
  })
})
