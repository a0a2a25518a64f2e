/**
 * What code in the host's process passes to an operation, checked by the
 * payload that the operation's route declares: the same fields, limits and sentences as over HTTP.
 */
import { Effect, Result, Schema } from "effect"
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

type Reader = (given: unknown) => Result.Result<unknown, InvalidField>

/** Readers of the operations' payloads, each made when it is first asked for. */
const readersOf = (form: (payload: Schema.Codec<unknown>) => Schema.Codec<unknown>) => {
  const readers = new Map<string, Reader>()
  const make = (operation: string): Reader => {
    const endpoint = Object.values(Api.groups)
      .flatMap((group) => Object.values(group.endpoints))
      .find(({ identifier }) => identifier === operation)!
    const read = Given.strictReader(form(Payload.bodyOf(endpoint).body!))
    return (given) => Result.mapError(read(given), Given.invalidField)
  }
  return (operation: string): Reader => {
    const reader = readers.get(operation) ?? make(operation)
    readers.set(operation, reader)
    return reader
  }
}

const encoded = readersOf((payload) => payload)
const decoded = readersOf((payload) => Schema.toType(payload))

/** Fails with `InvalidField` naming the first field that is wrong, as the route would. */
export const read = <Id extends Operation>(
  operation: Id,
  given: unknown
): Effect.Effect<ArgumentsOf<Id>, InvalidField> =>
  Effect.suspend(() => Effect.fromResult(encoded(operation)(given) as Result.Result<ArgumentsOf<Id>, InvalidField>))

/** Whether this is what the operation's handler gets, times and the like parsed already; fails like {@link read}. */
export const check = (operation: Operation, given: unknown): Effect.Effect<void, InvalidField> =>
  Effect.suspend(() => Effect.asVoid(Effect.fromResult(decoded(operation)(given))))
