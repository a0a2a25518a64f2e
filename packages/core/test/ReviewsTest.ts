/** Reviews over HTTP: an owner with a video, and people at the link. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import type { NewFile } from "../src/files/NewFile.ts"
import { DriveHttp } from "../src/http/DriveHttp.ts"
import type { AccountId } from "../src/shared/Ids.ts"
import { addFile } from "./FilesTest.ts"
import { turn } from "./FollowedFeed.ts"
import { type Answer, call, send, signedIn } from "./TestHttp.ts"

/** A call by somebody without an account. */
export const sent = (route: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  send(`/api${route}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": "198.51.100.7", ...headers },
    body: JSON.stringify(body)
  })

/** Proxies that {@link sent} comes by. */
export const proxy = { count: 1, header: "x-forwarded-for" } as const

/** The body of an answer that is as expected. */
export const good = (answered: Effect.Effect<Answer, never, DriveHttp>) =>
  Effect.map(answered, ({ body, status }) => {
    assert.strictEqual(status, 200, JSON.stringify(body))
    return body
  })

/** The status and code of a refusal, with the field that it names. */
export const refused = (answered: Effect.Effect<Answer, never, DriveHttp>) =>
  Effect.map(answered, ({ body, status }) => [status, body.code, ...body.field === undefined ? [] : [body.field]])

export const addVideo = (userId: AccountId, given: Partial<NewFile> = {}) =>
  addFile(userId, { type: "Video", mimeType: "video/mp4", fileName: "cut.mp4", ...given })

/** An owner with a review of a video. */
export const newReview = Effect.fnUntraced(function*(fields: object = {}) {
  const { token, userId } = yield* signedIn
  const fileId = yield* addVideo(userId)
  const review = yield* good(call(token, "/create-file-review", { fileId, ...fields }))
  return { id: review.id as string, review, token, userId, fileId }
})

/** Leaves a note. */
export const leave = (reviewId: string, fields: object = {}, headers?: Readonly<Record<string, string>>) =>
  good(
    sent("/leave-review-note", { reviewId, reviewer: "Grace", seconds: 65.2, text: "Too early", ...fields }, headers)
  )

/** The review as its owner sees it. */
export const seen = (token: string, reviewId: string) =>
  Effect.map(good(call(token, "/select-file-reviews", { reviewIds: [reviewId] })), ({ reviews }) => reviews[0])

/** Events of the owner's feed of a kind. */
export const eventsOf = (token: string, kind: string) =>
  Effect.map(good(call(token, "/select-drive-events", { kinds: [kind] })), ({ events }) => events)

/** Follows a review; `until` gives the events so far once they are right. */
export const follow = Effect.fnUntraced(function*(
  query: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {}
) {
  const { fetch } = yield* DriveHttp
  const caller = new AbortController()
  const url = `http://drive.test/api/follow-file-review?${new URLSearchParams(query)}`
  const response = yield* Effect.promise(() =>
    fetch(new Request(url, { headers: { "x-forwarded-for": "198.51.100.7", ...headers }, signal: caller.signal }))
  )
  let text = ""
  let ended = response.status !== 200
  const decoder = new TextDecoder()
  const pump = async () => {
    for await (const bytes of response.body!) text += decoder.decode(bytes, { stream: true })
    ended = true
  }
  if (!ended) void pump().catch(() => {})
  const events = () =>
    text.split("\n\n").filter((block) => block.includes("data: ")).map((block) => {
      const fields = Object.fromEntries(block.split("\n").map((line) => line.split(/: (.*)/s, 2)))
      return { id: fields["id"] as string, event: fields["event"] as string, data: JSON.parse(fields["data"]!) }
    })
  const until = Effect.fnUntraced(function*(right: () => boolean, step: "100 millis" | "0 millis" = "100 millis") {
    for (let waits = 0; !right(); waits++) {
      assert.isBelow(waits, 100_000, `it comes: ${text}`)
      yield* turn
      yield* TestClock.adjust(step)
    }
    return events()
  })
  return {
    status: response.status,
    events,
    text: () => text,
    until,
    hasEnded: () => ended,
    hangUp: Effect.sync(() => caller.abort())
  }
})
