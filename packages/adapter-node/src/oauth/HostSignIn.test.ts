import { assert, describe, it } from "@effect/vitest"
import { Accounts, ActiveAccounts, DriveError, HostUsers, Ids, statusOfError } from "@filedrive/core"
import { Cause, Effect, Exit, Fiber, Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { TestClock } from "effect/testing"
import type { DriveOptions } from "../DriveOptions.ts"
import * as HostSignIn from "./HostSignIn.ts"

const site = "https://drive.test"
const request = HttpServerRequest.fromWeb(new Request(`${site}/oauth/authorize`))
const userId = Ids.AccountId.make("019a0000-0000-7000-8000-000000000001")

const never = new Promise<never>(() => undefined)

interface Host {
  readonly user?: () => unknown
  readonly loginUrl?: () => unknown
  readonly find?: Accounts.Accounts["Service"]["find"]
}

const signIn = ({ find = () => Effect.succeed(Option.none()), loginUrl = () => "/login", user = () => userId }: Host) =>
  HostSignIn.make({ signIn: { user, loginUrl } as NonNullable<DriveOptions["signIn"]> }, site).pipe(
    Effect.map((made) => made!),
    Effect.provide(Layer.mergeAll(
      Layer.mock(Accounts.Accounts, { find }),
      Layer.mock(ActiveAccounts, {}),
      Layer.mock(HostUsers, {})
    ))
  )

/** The status of the answer to what fails; null for a fault. */
const statusOf = <A>(exit: Exit.Exit<A, unknown>): number | null => {
  if (Exit.isSuccess(exit)) throw new Error("It did not fail.")
  return Cause.hasDies(exit.cause) ? null : statusOfError(Cause.squash(exit.cause)) ?? null
}

const afterTenSeconds = <A>(run: Effect.Effect<A, unknown>) =>
  Effect.gen(function*() {
    const fiber = yield* Effect.forkChild(Effect.exit(run), { startImmediately: true })
    yield* TestClock.adjust("9 seconds")
    assert.isUndefined(fiber.pollUnsafe())
    yield* TestClock.adjust("1 second")
    return statusOf(yield* Fiber.join(fiber))
  })

describe("who is signed in, as the host says", () => {
  it.effect("OAUTH-91 a host's function that doesn't answer is given up after 10 seconds", () =>
    Effect.gen(function*() {
      const host = yield* signIn({ user: () => never, loginUrl: () => never, find: () => Effect.never })
      assert.strictEqual(yield* afterTenSeconds(host.user(request)), 503)
      assert.strictEqual(yield* afterTenSeconds(host.loginUrl("/")), 503)
      assert.strictEqual(yield* afterTenSeconds(host.personOf(userId)), 503)
    }))

  it.effect("OAUTH-91 one that fails, at once or later, is a fault of its own request", () =>
    Effect.gen(function*() {
      const later = () => Promise.reject(new Error("later"))
      const host = yield* signIn({ user: later, loginUrl: later })
      assert.isNull(statusOf(yield* Effect.exit(host.user(request))))
      assert.isNull(statusOf(yield* Effect.exit(host.loginUrl("/"))))
      const wrong = yield* signIn({ user: () => 5, loginUrl: () => "javascript:alert(1)" })
      assert.isNull(statusOf(yield* Effect.exit(wrong.user(request))))
      assert.isNull(statusOf(yield* Effect.exit(wrong.loginUrl("/"))))
    }))

  it.effect("OAUTH-91 one that promises its answer is waited for", () =>
    Effect.gen(function*() {
      const host = yield* signIn({ user: () => Promise.resolve(userId), loginUrl: () => Promise.resolve("/login") })
      assert.strictEqual(yield* host.user(request), userId)
      assert.strictEqual(yield* host.loginUrl("/"), `${site}/login`)
    }))

  it.effect("OAUTH-92 a host whose accounts can't be asked is 503", () =>
    Effect.gen(function*() {
      const away = new DriveError.Unavailable({ code: "unavailable", cause: new Error("away") })
      const host = yield* signIn({ find: () => Effect.fail(away) })
      assert.strictEqual(statusOf(yield* Effect.exit(host.personOf(userId))), 503)
    }))
})
