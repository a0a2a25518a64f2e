/** File requests over HTTP: their owners' calls, and senders who deliver to them. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type * as Drop from "../src/requests/Drop.ts"
import { type FileId, RequestId } from "../src/shared/Ids.ts"
import { dropFile, drops, sendByForm, startDrop } from "./DropsTest.ts"
import { call } from "./TestHttp.ts"

/** A call that is expected to succeed. */
export const made = Effect.fnUntraced(function*(token: string, route: string, body?: unknown) {
  const answer = yield* call(token, route, body)
  assert.strictEqual(answer.status, 200, `${route}: ${JSON.stringify(answer.body)}`)
  return answer.body
})

/** A call's status, code and field. */
export const refusal = (token: string, route: string, body?: unknown) =>
  Effect.map(call(token, route, body), (answer) => [answer.status, answer.body.code, answer.body.field])

export const newRequest = (token: string, fields: object = {}) =>
  made(token, "/create-file-request", { title: "Photos", ...fields })

/** A delivery of files of these sizes, finished. */
export const delivered = Effect.fnUntraced(
  function*(requestId: string, sizes: ReadonlyArray<number>, sender = "Grace") {
    const { id, token } = yield* startDrop(RequestId.make(requestId), sender)
    const fileIds: ReadonlyArray<FileId> = yield* Effect.forEach(
      sizes,
      (size, at) => sendByForm(token, dropFile(size, `${sender} ${at}.bin`))
    )
    yield* finished(token)
    return { id, fileIds }
  }
)

export const finished = (token: Drop.DropToken) => drops((all) => all.finish(token))

/** The one request of this id as its owner lists it; undefined when it isn't there. */
export const listed = Effect.fnUntraced(function*(token: string, requestId: string) {
  const { requests } = yield* made(token, "/select-file-requests", { requestIds: [requestId] })
  return requests[0]
})
