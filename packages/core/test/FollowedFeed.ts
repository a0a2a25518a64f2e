/** A live feed over HTTP, as a test reads it. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { DriveHttp } from "../src/http/DriveHttp.ts"

/** Lets what is ready run: a body's bytes pass through promises that no clock moves. */
const settle = Effect.promise(async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
})

/** One turn of the event loop. */
export const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** Asks for the feed. */
export const requestFeed = Effect.fnUntraced(function*(token: string, signal?: AbortSignal) {
  const { fetch } = yield* DriveHttp
  return yield* Effect.promise(() =>
    fetch(
      new Request("http://drive.test/api/drive-events", {
        headers: { authorization: `Bearer ${token}`, "x-service-app": "filedrive" },
        ...(signal === undefined ? {} : { signal })
      })
    )
  )
})

/** Opens the feed; `until` gives what has come once it is right, while time goes by. */
export const followFeed = Effect.fnUntraced(function*(token: string) {
  const caller = new AbortController()
  const response = yield* requestFeed(token, caller.signal)
  assert.strictEqual(response.status, 200)
  let text = ""
  let ended = false
  const decoder = new TextDecoder()
  const pump = async () => {
    for await (const bytes of response.body!) text += decoder.decode(bytes, { stream: true })
    ended = true
  }
  void pump().catch(() => {})
  const until = Effect.fnUntraced(function*(right: (text: string, ended: boolean) => boolean) {
    while (!right(text, ended)) {
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* TestClock.adjust("1 second")
    }
    return text
  })
  const isOver = () => ended
  /** Whether it has ended, once whatever ends it has had its turns. */
  const hasEnded = Effect.gen(function*() {
    for (let turns = 0; turns < 300 && !isOver(); turns++) yield* turn
    return isOver()
  })
  yield* settle
  return { until, settle, ended: isOver, hasEnded, hangUp: Effect.sync(() => caller.abort()) }
})
