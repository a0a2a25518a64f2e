/** Callers who disconnect while their call is at work. */
import { Faults } from "@filedrive/testing"
import { Effect, Fiber, Latch } from "effect"
import { DriveHttp } from "../src/http/DriveHttp.ts"

/** A call whose caller may disconnect; its status, or null for one that was taken back before its answer. */
export const begin = Effect.fnUntraced(function*(
  token: string,
  route: string,
  body: BodyInit,
  others: Readonly<Record<string, string>> = {}
) {
  const { fetch } = yield* DriveHttp
  const hangUp = new AbortController()
  const request = new Request(`http://drive.test/api${route}`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${token}`,
      "x-service-app": "filedrive",
      "content-type": "application/json",
      ...others
    },
    body,
    signal: hangUp.signal,
    duplex: "half"
  } as RequestInit)
  const answered = yield* Effect.forkChild(Effect.promise(() => fetch(request)))
  return { answered, hangUp: Effect.sync(() => hangUp.abort()) }
})

/** The status of a call that was begun. */
export const status = (fiber: Fiber.Fiber<Response>) => Effect.map(Fiber.join(fiber), (response) => response.status)

/** Stands still when it comes to a call, and says that it has, that it was let go, and that it was interrupted. */
export const gate = Effect.gen(function*() {
  const [reached, goOn, interrupted] = [yield* Latch.make(), yield* Latch.make(), yield* Latch.make()]
  const fault = Faults.before(
    Effect.andThen(reached.open, goOn.await).pipe(Effect.onInterrupt(() => interrupted.open), Effect.asVoid)
  )
  return { reached, goOn, interrupted, fault }
})
