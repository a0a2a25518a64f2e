/** Where OAuth answers, and for what. Pure. Contract: "MCP and OAuth". */
import { CurrentAccount } from "@filedrive/core"

export interface Addresses {
  /** Where people reach the drive, without a slash at the end; also the issuer. */
  readonly siteUrl: string
  /** The paths below it at which access tokens are taken. */
  readonly resources: ReadonlyArray<string>
  /** Whether the host's own services may ask what a token is. */
  readonly introspects: boolean
}

export const paths = {
  authorize: "/oauth/authorize",
  token: "/oauth/token",
  register: "/oauth/register",
  revoke: "/oauth/revoke",
  introspect: "/oauth/introspect",
  issuer: "/.well-known/oauth-authorization-server",
  resource: "/.well-known/oauth-protected-resource"
} as const

/** The metadata of the authorization server. RFC 8414. */
export const issuerMetadata = ({ introspects, siteUrl }: Addresses) => ({
  issuer: siteUrl,
  authorization_endpoint: siteUrl + paths.authorize,
  token_endpoint: siteUrl + paths.token,
  registration_endpoint: siteUrl + paths.register,
  revocation_endpoint: siteUrl + paths.revoke,
  ...introspects && {
    introspection_endpoint: siteUrl + paths.introspect,
    introspection_endpoint_auth_methods_supported: ["bearer"]
  },
  scopes_supported: CurrentAccount.permissions,
  response_types_supported: ["code"],
  response_modes_supported: ["query"],
  grant_types_supported: ["authorization_code", "refresh_token"],
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: ["none"],
  revocation_endpoint_auth_methods_supported: ["none"],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true
})

/** The metadata of a resource. RFC 9728. `isOpen`: whether apps get tokens for it here. */
export const resourceMetadata = (siteUrl: string, path: string, isOpen: boolean) => ({
  resource: siteUrl + path,
  ...isOpen && { authorization_servers: [siteUrl] },
  scopes_supported: CurrentAccount.permissions,
  bearer_methods_supported: ["header"],
  resource_name: "filedrive"
})

/** The resources as addresses. */
export const resourcesOf = ({ resources, siteUrl }: Addresses): ReadonlyArray<string> =>
  resources.map((path) => siteUrl + path)
