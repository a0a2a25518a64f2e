/**
 * What every surface needs to know of an operation (HTTP, a host's own code, an agent's tools, the OpenAPI document),
 * stated once beside its route. `test/Operations.test.ts` refuses an endpoint without it, and proves that each
 * permission named here is the one that is enforced.
 */
import { Context } from "effect"
import { type HttpApiEndpoint, OpenApi } from "effect/http-api"
import type { Permission } from "../accounts/CurrentAccount.ts"

/**
 * Acts that a language model may not decide on its own:
 * - `publish`: a file, playlist or gallery becomes readable by anyone, or is no longer;
 * - `request`, `review`: a link at which people without an account send files, or play a file and leave notes, is made or changed;
 * - `reply`: something is written where people without an account read it;
 * - `share`, `unshare`: users of the drive may see files, or no longer;
 * - `fetch`: a server on the internet is called at an address;
 * - `remove`: files go to trash, or something is deleted while its files stay;
 * - `deleteForGood`: files are deleted and can't be restored.
 */
export type ConsentKind =
  | "publish"
  | "request"
  | "review"
  | "reply"
  | "share"
  | "unshare"
  | "fetch"
  | "remove"
  | "deleteForGood"

export interface Operation {
  /**
   * A limited token needs one of these. None are named by operations on API tokens, which no limited token may call, by
   * the exchange of a token, and by those that are called through a public link ({@link "./PublicLink.ts"}).
   */
  readonly permissions: ReadonlyArray<Permission>
  /**
   * `reads`: changes nothing that a caller waits for, and is interrupted as soon as its caller disconnects. The others are
   * finished once they have begun, except where a service allows interruption itself ({@link "../media/Covers.ts"}).
   * `deletes`: what it removes can't be restored by another call. An operation that replaces a value, like a name, is `changes`.
   */
  readonly effect: "reads" | "changes" | "deletes"
  /**
   * Whether the same call, sent again because its answer was lost, leaves the drive as one call does. The second answer
   * may be another one: 404 for what the first call deleted.
   */
  readonly isRepeatable: boolean
  /** Whether its answer grows with what an account holds, and no page bounds it: few of them are made at a time ({@link "./LongAnswers.ts"}). */
  readonly isLong?: true
  /**
   * The description for a program that chooses among tools; null where it is not offered as one. Tools have the names of
   * routes with `_` for `-` (`search_files`), and take a body that is an array of files as `fileIds`.
   */
  readonly tool: string | null
  /**
   * What the user's own words must ask for before a language model may call it as a tool; left out: nothing. With `where` only calls with
   * these values need it. See `agent/Consent.ts`.
   */
  readonly needsConsent?: ConsentKind | {
    readonly kind: ConsentKind
    readonly where: Readonly<Record<string, unknown>>
  }
  /** A body that the payload's schema accepts (of a GET its parameters; absent: the route takes none) and an answer as JSON. */
  readonly example: { readonly request?: unknown; readonly answer: unknown }
}

class Stated extends Context.Service<Stated, Operation>()("@filedrive/core/http/Operation/Stated") {}

/** Annotations of an endpoint: `.annotateMerge(operation({ … }))`. `description`: all that is needed to build a client. */
export const operation = (
  { description, ...stated }: Operation & { readonly description: string }
): Context.Context<Stated> => Context.add(OpenApi.annotations({ description }), Stated, stated)

/** What the endpoint states of itself. Throws for one that states nothing. */
export const of = (endpoint: Pick<HttpApiEndpoint.Top, "annotations" | "identifier">): Operation => {
  const stated = Context.getOrUndefined(endpoint.annotations, Stated)
  if (stated === undefined) throw new Error(`The endpoint ${endpoint.identifier} has no operation(…) annotation.`)
  return stated
}
