/**
 * The drive as somebody without an account uses it: through a public link.
 *
 * ```ts
 * const { title, accessToken } = await drive.public.openFileRequest({ requestId, password }, { address })
 * ```
 */
import { Given, Operations } from "@filedrive/core"
import { Effect, Schema } from "effect"
import type { Run } from "./Run.ts"

/** What a host knows of the caller. */
export interface PublicCallOptions {
  /** The access token of a link that has a password, as opening the link answered it. */
  readonly access?: string | null
  /** The caller's IP address: wrong passwords from one address are limited. Without it only those at one link are. */
  readonly address?: string | null
}

type Operation<Id extends Operations.PublicOperationId> = (
  request: Operations.RequestOf<Id>,
  options?: PublicCallOptions
) => Promise<Operations.AnswerOf<Id>>

/** Every operation that needs no account but a link, under its id in the OpenAPI document. Each rejects with a `DriveError`. */
export type PublicDrive = { readonly [Id in Operations.PublicOperationId]: Operation<Id> }

const optional = Schema.optionalKey(Schema.NullOr(Schema.String))
const readOptions = Given.checkingExactly(Schema.Struct({ access: optional, address: optional }))

export const publicDrive = (run: Run): PublicDrive =>
  Object.fromEntries(
    Operations.publicIds.map((id) => [
      id,
      (request: unknown, options: unknown = {}) =>
        run(Effect.gen(function*() {
          const { access = null, address = null } = yield* readOptions(options)
          const operations = yield* Operations.Operations
          return yield* operations.runPublic(id, request, { access, address })
        }))
    ])
  ) as unknown as PublicDrive
