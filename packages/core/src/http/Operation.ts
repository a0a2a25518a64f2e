/**
 * What every surface needs to know of an operation (HTTP, a host's own code, an agent's tools, the OpenAPI document),
 * stated once beside its route. `test/http/Operations.test.ts` refuses an endpoint without it, and proves that each
 * permission named here is the one that is enforced.
 */
import { Context } from "effect"
import { type HttpApiEndpoint, OpenApi } from "effect/http-api"
import type { Permission } from "../accounts/CurrentAccount.ts"

export interface Operation {
  /** A limited token needs one of these; every session may call an operation that names none. */
  readonly permissions: ReadonlyArray<Permission>
  /**
   * `reads`: changes nothing that a caller waits for, and is interrupted as soon as its caller hangs up. The others are
   * finished once they have begun. `deletes`: what it removes can't be restored by another call.
   */
  readonly effect: "reads" | "changes" | "deletes"
  /** Whether sending the same call again, after its answer was lost, leaves everything as one call does. */
  readonly isRepeatable: boolean
  /** What a program is told of it that chooses among tools; null where it is not offered as one. */
  readonly tool: string | null
  /** A body that the payload's schema accepts (absent: the route takes none) and an answer as JSON. */
  readonly example: { readonly request?: unknown; readonly answer: unknown }
}

class Stated extends Context.Service<Stated, Operation>()("@filedrive/core/http/Operation") {}

/** Annotations of an endpoint: `.annotateMerge(operation({ … }))`. `description`: what a stranger builds a client from. */
export const operation = (
  { description, ...stated }: Operation & { readonly description: string }
): Context.Context<Stated> => Context.add(OpenApi.annotations({ description }), Stated, stated)

/** What the endpoint states of itself. Throws for one that states nothing. */
export const of = (endpoint: Pick<HttpApiEndpoint.Top, "annotations" | "identifier">): Operation => {
  const stated = Context.getOrUndefined(endpoint.annotations, Stated)
  if (stated === undefined) throw new Error(`The endpoint ${endpoint.identifier} has no operation(…) annotation.`)
  return stated
}
