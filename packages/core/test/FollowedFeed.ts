/** A live feed over HTTP, as a test reads it. */
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { DriveHttp } from "../src/http/DriveHttp.ts"

/** Lets what is ready run: a body's bytes pass through promises that no clock moves. */
const settle = Effect.promise(async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
})

/** Opens the feed; `until` gives what has come once it is right, while time goes by. */
export const followFeed = Effect.fnUntraced(function*(token: string) {
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
  yield* settle
  return { until, settle, ended: () => ended }
})
