/** The live feed over HTTP, in time: heartbeats, and the end of its session. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Sessions } from "../src/accounts/Sessions.ts"
import { DriveHttp } from "../src/http/DriveHttp.ts"
import { signedIn, testHttp } from "./TestHttp.ts"

/** Opens the feed; `read` gives what has come once it has `wanted`, while time goes by. */
const follow = Effect.fnUntraced(function*(token: string) {
  const { fetch } = yield* DriveHttp
  const response = yield* Effect.promise(() =>
    fetch(
      new Request("http://drive.test/api/drive-events", {
        headers: { authorization: `Bearer ${token}`, "x-service-app": "filedrive" }
      })
    )
  )
  let text = ""
  let ended = false
  const decoder = new TextDecoder()
  const pump = async () => {
    for await (const bytes of response.body!) text += decoder.decode(bytes, { stream: true })
    ended = true
  }
  void pump()
  const until = Effect.fnUntraced(function*(right: (text: string, ended: boolean) => boolean) {
    while (!right(text, ended)) {
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* TestClock.adjust("1 second")
    }
    return text
  })
  return { until }
})

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
