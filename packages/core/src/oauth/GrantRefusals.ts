/** Why no tokens are issued, as an app is told. Pure. */
import { Effect } from "effect"
import { GrantRefused } from "./Grant.ts"

export const invalidCode = Effect.suspend(() =>
  Effect.fail(
    new GrantRefused({
      code: "invalid_grant",
      because: "The code is unknown, used or expired, or was not given to this client, redirect_uri and code_verifier."
    })
  )
)

export const invalidRefresh = Effect.suspend(() =>
  Effect.fail(
    new GrantRefused({
      code: "invalid_grant",
      because: "The refresh token is unknown, used or expired, or another client's."
    })
  )
)

/** Some of what was consented to: all of it unless fewer are asked for. */
export const narrowed = (consented: ReadonlyArray<string>, asked: ReadonlyArray<string> | null) =>
  asked === null
    ? Effect.succeed(consented)
    : asked.length > 0 && asked.every((one) => consented.includes(one))
    ? Effect.succeed(asked)
    : Effect.fail(
      new GrantRefused({ code: "invalid_target", because: "The resource must be among those that were consented to." })
    )
