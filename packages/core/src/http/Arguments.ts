/**
 * What code in the host's process passes to an operation, checked by the
 * payload that the operation's route declares: the same fields, limits and sentences as over HTTP.
 */
import { Effect, Result, type Schema } from "effect"
import type { HttpApi, HttpApiGroup } from "effect/http-api"
import type { InvalidField } from "../shared/DriveError.ts"
import * as Given from "../shared/Given.ts"
import { Api } from "./Api.ts"
import * as Payload from "./Payload.ts"

type Groups = typeof Api extends HttpApi.HttpApi<string, infer Groups> ? Groups : never
type Endpoint = HttpApiGroup.Endpoints<Groups>

/** An operation with a body, by the id it has in the API's description. */
export type Operation = Extract<Endpoint, { readonly "~Payload": Schema.Top }>["identifier"]

/** What the operation's route takes, as its handler gets it. */
export type ArgumentsOf<Id extends Operation> = Exclude<
  Extract<Endpoint, { readonly identifier: Id }>["~Payload"]["Type"],
  null
>

const readers = new Map<string, (given: unknown) => Result.Result<unknown, InvalidField>>()

const makeReader = (operation: string) => {
  const endpoint = Object.values(Api.groups)
    .flatMap((group) => Object.values(group.endpoints))
    .find(({ identifier }) => identifier === operation)!
  const read = Given.strictReader(Payload.bodyOf(endpoint).body!)
  return (given: unknown) => Result.mapError(read(given), Given.invalidField)
}

/** Fails with `InvalidField` naming the first field that is wrong, as the route would. */
export const read = <Id extends Operation>(
  operation: Id,
  given: unknown
): Effect.Effect<ArgumentsOf<Id>, InvalidField> =>
  Effect.suspend(() => {
    const known = readers.get(operation)
    const reader = known ?? makeReader(operation)
    if (known === undefined) readers.set(operation, reader)
    return Effect.fromResult(reader(given) as Result.Result<ArgumentsOf<Id>, InvalidField>)
  })
