/** Public links over HTTP: a file request, and people at its link. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call, send, signedIn } from "./TestHttp.ts"

export const proxy = { count: 1, header: "x-forwarded-for" } as const

export const unknownId = "5e0c1a7d-93b4-4f28-a6d1-c07e94b2385f"

/** A call that somebody without an account makes. */
const sent = (route: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  send(`/api${route}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": "198.51.100.7", ...headers },
    body: JSON.stringify(body)
  })

export const open = (requestId: string, password?: string, headers?: Readonly<Record<string, string>>) =>
  sent("/open-file-request", { requestId, ...password !== undefined && { password } }, headers)

export const newRequest = Effect.fnUntraced(function*(fields: object = {}) {
  const { token, userId } = yield* signedIn
  const { body, status } = yield* call(token, "/create-file-request", { title: "Photos", ...fields })
  assert.strictEqual(status, 200, JSON.stringify(body))
  return { id: body.id as string, token, userId }
})
