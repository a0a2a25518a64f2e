/** What an app asks a person for: the query of the authorization endpoint. Pure. RFC 6749, section 4.1.1; RFC 7636; RFC 8707. */
import { type CurrentAccount, Grant } from "@filedrive/core"
import type { Client } from "./Client.ts"
import * as RedirectUri from "./RedirectUri.ts"

export interface AuthorizationRequest {
  readonly client: Client
  readonly redirectUri: string
  readonly state: string | undefined
  readonly challenge: string
  readonly permissions: ReadonlyArray<CurrentAccount.Permission>
  readonly resources: ReadonlyArray<string>
}

export type Read =
  | { readonly _tag: "Request"; readonly request: AuthorizationRequest }
  /** Told to the person, on a page of this server. */
  | { readonly _tag: "Page"; readonly because: string }
  /** Told to the client, at its redirect. */
  | { readonly _tag: "Redirect"; readonly to: string }

const page = (because: string): Read => ({ _tag: "Page", because })

/** Parameters that come once; more than one is nothing that a client sends. */
const once = [
  "client_id",
  "redirect_uri",
  "response_type",
  "response_mode",
  "scope",
  "state",
  "code_challenge",
  "code_challenge_method"
]

/** Why the query can't be read at all, as a sentence; or the id of its client. */
export const clientIdOf = (query: URLSearchParams): { readonly id: string } | string => {
  const repeated = once.find((name) => query.getAll(name).length > 1)
  if (repeated !== undefined) return `The parameter ${repeated} came more than once.`
  const id = query.get("client_id") ?? ""
  return id === "" || id.length > RedirectUri.maxLength ? "The parameter client_id is missing." : { id }
}

/**
 * Reads the query for its client. Only a client whose redirects were registered here, or that leads to the person's own machine, is told of
 * faults at its redirect: a document can name any address, and would make this server lead people there without a question.
 */
export const read = (
  query: URLSearchParams,
  client: Client,
  { issuer, redirectSchemes, resources: known }: {
    readonly issuer: string
    readonly resources: ReadonlyArray<string>
    readonly redirectSchemes: ReadonlyArray<string>
  }
): Read => {
  const redirectUri = query.get("redirect_uri") ?? (client.redirectUris.length === 1 ? client.redirectUris[0]! : "")
  // The host's list of schemes may have had more when the app registered.
  const back = RedirectUri.parse(redirectUri, redirectSchemes)
  if (back === null || !client.redirectUris.some((one) => RedirectUri.matches(one, redirectUri))) {
    return page("The redirect_uri is not one of this app's.")
  }
  const state = query.get("state") ?? undefined
  const isTrusted = RedirectUri.isLoopback(back)
  const refuse = (error: string, because: string): Read =>
    isTrusted
      ? {
        _tag: "Redirect",
        to: RedirectUri.withParameters(redirectUri, { error, error_description: because, state, iss: issuer })
      }
      : page(`${because} (${error})`)
  if ((state ?? "").length > 2_000) return page("The parameter state has more than 2,000 characters.")
  if (query.get("response_type") !== "code") {
    return refuse("unsupported_response_type", "The response_type must be code.")
  }
  if ((query.get("response_mode") ?? "query") !== "query") {
    return refuse("invalid_request", "The response_mode must be query.")
  }
  const challenge = query.get("code_challenge") ?? ""
  if (query.get("code_challenge_method") !== "S256" || !/^[\w-]{43}$/.test(challenge)) {
    return refuse("invalid_request", "A code_challenge by S256 is required.")
  }
  const asked = [...new Set(query.getAll("resource"))]
  if (asked.some((one) => !known.includes(one))) {
    return refuse("invalid_target", "The resource is not one of this server's.")
  }
  const scope = query.get("scope")
  const permissions = scope === null || scope.trim() === "" ? ["read" as const] : Grant.permissionsOf(scope)
  if (permissions.length === 0) return refuse("invalid_scope", "No part of the scope is known.")
  // Clients from before RFC 8707 name none.
  const resources = asked.length === 0 ? known : asked
  return { _tag: "Request", request: { client, redirectUri, state, challenge, permissions, resources } }
}
