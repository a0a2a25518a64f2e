/** A drive in memory whose host signs people in by a header, and apps that connect to it. */
import { type DriveUser, type MemoryDrive, memoryDrive, type MemoryDriveOptions } from "@filedrive/testing"
import * as oauth from "oauth4webapi"

export const site = "https://drive.test"
export const redirectUri = "http://127.0.0.1:7777/back"

/** The header by which the host knows who is signed in. */
const signedInAs = "x-signed-in"

export const newDrive = (options: MemoryDriveOptions = {}): Promise<MemoryDrive> =>
  memoryDrive({
    url: site,
    signIn: {
      user: ({ headers }) => headers.get(signedInAs),
      loginUrl: (returnTo) => `/login?to=${encodeURIComponent(returnTo)}`
    },
    ...options
  })

/** How `oauth4webapi` reaches a drive. */
export const through = (drive: MemoryDrive) => ({
  [oauth.customFetch]: (url: string, init: object) => drive.fetch(new Request(url, init as RequestInit))
})

export interface App {
  readonly server: oauth.AuthorizationServer
  readonly client: oauth.Client
}

/** An app that discovers the server and registers itself. */
export const register = async (drive: MemoryDrive, name = "Notes"): Promise<App> => {
  const issuer = new URL(site)
  const found = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...through(drive) })
  const server = await oauth.processDiscoveryResponse(issuer, found)
  const answer = await oauth.dynamicClientRegistrationRequest(server, {
    client_name: name,
    redirect_uris: [redirectUri]
  }, through(drive))
  return { server, client: await oauth.processDynamicClientRegistrationResponse(answer) as oauth.Client }
}

export interface Asked {
  readonly url: URL
  readonly verifier: string
  readonly state: string
}

/** What the app sends a person's browser to; null leaves a parameter out. */
export const ask = async (
  { client, server }: App,
  changes: Readonly<Record<string, string | ReadonlyArray<string> | null>> = {}
): Promise<Asked> => {
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const url = new URL(server.authorization_endpoint!)
  const parameters = {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "read add",
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    resource: `${site}/mcp`,
    ...changes
  }
  for (const [name, value] of Object.entries(parameters)) {
    for (const one of value === null ? [] : [value].flat()) url.searchParams.append(name, one)
  }
  return { url, verifier, state }
}

/** A browser in which `user` is signed in, or nobody. */
export const visit = (drive: MemoryDrive, url: URL | string, user: DriveUser | null, init: RequestInit = {}) =>
  drive.fetch(
    new Request(url, {
      redirect: "manual",
      ...init,
      headers: { ...user !== null && { [signedInAs]: user.userId }, ...init.headers as Record<string, string> }
    })
  )

const field = (html: string, name: string): string => new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ""

export interface Decision {
  readonly permissions?: ReadonlyArray<string>
  readonly folder?: string
  readonly decision?: string
  readonly tie?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly url?: URL
}

/** Answers the page that `asked` shows. */
export const decide = async (
  drive: MemoryDrive,
  asked: Asked,
  user: DriveUser,
  { decision = "allow", folder = "", headers = {}, permissions = ["read", "add"], tie, url = asked.url }: Decision = {}
): Promise<Response> => {
  const page = await (await visit(drive, asked.url, user)).text()
  const form = new URLSearchParams({ tie: tie ?? field(page, "tie"), folder, decision })
  for (const permission of permissions) form.append("permission", permission)
  return visit(drive, url, user, {
    method: "POST",
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    body: form.toString()
  })
}

export const tieOf = async (drive: MemoryDrive, asked: Asked, user: DriveUser): Promise<string> =>
  field(await (await visit(drive, asked.url, user)).text(), "tie")

/** Takes the tokens that the redirect gives, as an independent client does: with its checks of `state` and `iss`. */
export const take = async (
  drive: MemoryDrive,
  { client, server }: App,
  { state, verifier }: Asked,
  location: string
): Promise<oauth.TokenEndpointResponse> => {
  const parameters = oauth.validateAuthResponse(server, client, new URL(location), state)
  const answer = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    oauth.None(),
    parameters,
    redirectUri,
    verifier,
    through(drive)
  )
  return oauth.processAuthorizationCodeResponse(server, client, answer)
}

/** A whole connection. */
export const connect = async (drive: MemoryDrive, app: App, user: DriveUser, decision: Decision = {}, changes = {}) => {
  const asked = await ask(app, changes)
  const location = (await decide(drive, asked, user, decision)).headers.get("location")!
  return take(drive, app, asked, location)
}

/** Sends a form to the token endpoint as it is. */
export const sendForm = async (
  drive: MemoryDrive,
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {}
) => {
  const response = await drive.fetch(
    new Request(site + path, { method: "POST", headers, body: new URLSearchParams(fields) })
  )
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) }
}
