/** The live feed over HTTP, in time: heartbeats, and the end of its session. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Sessions } from "../src/accounts/Sessions.ts"
import { followFeed as follow } from "./FollowedFeed.ts"
import { signedIn, testHttp } from "./TestHttp.ts"

const beats = (text: string) => text.split(": nothing new\n").length - 1

layer(testHttp())("The live feed", (it) => {
  it.effect("FEED-17 it says that it lives when nothing happens, with the cursor to go on from", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const live = yield* follow(token)
      const text = yield* live.until((text) => beats(text) >= 2)
      assert.match(text, /^retry: 2000\n\n: nothing new\nid: e0\n\n/)
    }))

  it.effect("FEED-18 SEC-2 it ends with its session: ended by its owner, or past its time", () =>
    Effect.gen(function*() {
      const sessions = yield* Sessions
      for (const end of [(token: string) => sessions.end(token), () => TestClock.adjust("24 hours")]) {
        const { token } = yield* signedIn
        const live = yield* follow(token)
        yield* live.until((text) => beats(text) >= 1)
        yield* end(token)
        yield* live.until((_, ended) => ended)
      }
    }))
})
