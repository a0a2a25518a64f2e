/** Connections that stay open between requests: the last one used is used again first. */
import * as http from "node:http"
import * as https from "node:https"
import { env } from "node:process"

/** The settings of the environment that name proxies, and hosts to reach without one. */
const proxySettings = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"]

/** Deno's, as far as it is asked here. */
interface Permissions {
  readonly querySync: (wanted: { readonly name: "env"; readonly variable: string }) => { readonly state: string }
}

const { Bun, Deno } = globalThis as { readonly Bun?: object; readonly Deno?: { readonly permissions: Permissions } }

/** Deno asks its user before a program reads the environment: then it is not read. */
const mayRead = (variable: string): boolean =>
  Deno === undefined || Deno.permissions.querySync({ name: "env", variable }).state === "granted"

const environment = (): Record<string, string | undefined> =>
  Object.fromEntries(proxySettings.filter(mayRead).map((name) => [name, env[name]]))

/** As `fetch` there: in Deno and Bun by every proxy of the environment, in Node where the host wants that (`NODE_USE_ENV_PROXY`). */
const proxyEnv = Deno !== undefined || Bun !== undefined
  ? environment()
  : (http.globalAgent as { readonly options?: http.AgentOptions }).options?.proxyEnv

/**
 * A connection that nothing uses is kept for a minute. Node leaves it sooner where the server says so, but only with a time of the agent's
 * own; while a request is under way this time ends nothing.
 */
const options: http.AgentOptions = { keepAlive: true, scheduling: "lifo", timeout: 60_000, proxyEnv }

export const agents = { "http:": new http.Agent(options), "https:": new https.Agent(options) }
