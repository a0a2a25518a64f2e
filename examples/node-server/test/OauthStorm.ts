/** Apps that connect to servers which are killed meanwhile: whatever goes unanswered, each checks what it was promised. */
import { assert } from "@effect/vitest"
import { DriveClient } from "@filedrive/testing"
import { createHash, randomBytes, randomInt } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:net"
import type { AddressInfo } from "node:net"
import { isAway, pause } from "./AgentStorm.ts"

/** Where people reach all the servers; resources are below it, whichever server answers. */
export const origin = "https://drive.example.com"
const redirectUri = "http://127.0.0.1:7777/back"

/**
 * A port that stays the server's when it is started again: below those that the system takes for outgoing connections, which could have
 * it meanwhile.
 */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const server = createServer().listen(randomInt(20_000, 32_000), "127.0.0.1")
    const event = await Promise.race([
      once(server, "listening").then(() => true),
      once(server, "error").then(() => false)
    ])
      .catch(() => false)
    if (!event) continue
    const { port } = server.address() as AddressInfo
    server.close()
    await once(server, "close")
    return port
  }
}

export interface Answer {
  /** 0: the answer was lost, with its server. */
  readonly status: number
  readonly headers: Headers
  readonly body: any
}

const lost: Answer = { status: 0, headers: new Headers(), body: null }

/** Whether what was asked for may or may not have been done. */
export const isUnknown = ({ status }: Answer): boolean => status === 0 || status >= 500

/** The servers, of which each call takes the next. */
export class Servers {
  readonly #sites: ReadonlyArray<string>
  #turn = 0
  constructor(ports: ReadonlyArray<number>) {
    this.#sites = ports.map((port) => `http://127.0.0.1:${port}`)
  }
  get next(): string {
    return this.#sites[this.#turn++ % this.#sites.length]!
  }
  async send(path: string, init: RequestInit = {}): Promise<Answer> {
    try {
      const response = await fetch(this.next + path, {
        redirect: "manual",
        ...init,
        signal: AbortSignal.timeout(20_000)
      })
      const text = await response.text()
      const isJson = response.headers.get("content-type")?.includes("json") === true
      return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
    } catch {
      return lost
    }
  }
  /** Sends it until it is answered: for what may be repeated. */
  sure(path: string, init: RequestInit = {}): Promise<Answer> {
    return answered(() => this.send(path, init)).then(({ answer }) => answer)
  }
}

/** How often a call is made again, every 50 milliseconds, before its servers count as gone for good. */
const mostTries = 600

/** A call, made again until it is answered; whether an answer of it was lost. */
const answered = async (
  call: () => Promise<Answer>
): Promise<{ readonly answer: Answer; readonly wasLost: boolean }> => {
  for (let tries = 0; tries < mostTries; tries++) {
    const answer = await call()
    if (!isUnknown(answer)) return { answer, wasLost: tries > 0 }
    await pause(50)
  }
  throw new Error("No server answers any longer.")
}

const form = (fields: Readonly<Record<string, string>>, headers = {}): RequestInit => ({
  method: "POST",
  headers,
  body: new URLSearchParams(fields)
})

const json = (body: object, headers = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(body)
})

/** What the servers do, as an app and its person's browser see it. */
export const driver = (servers: Servers) => ({
  signIn: async (apiToken: string) =>
    (await servers.sure("/sign-in", form({ apiToken }))).headers.get("set-cookie")!.split(";")[0]!,
  register: async () =>
    (await servers.sure("/oauth/register", json({ client_name: "Notes", redirect_uris: [redirectUri] }))).body
      .client_id as string,
  /** A page of consent, shown by one server, is answered at the next one. */
  allow: async (cookie: string, clientId: string) => {
    const verifier = randomBytes(32).toString("base64url")
    const query = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirectUri,
      response_type: "code",
      scope: "read",
      code_challenge: createHash("sha256").update(verifier).digest("base64url"),
      code_challenge_method: "S256"
    })
    const path = `/oauth/authorize?${query}`
    const page = await servers.sure(path, { headers: { cookie } })
    const tie = /name="tie" value="([^"]*)"/.exec(page.body)?.[1] ?? ""
    const answer = () =>
      servers.send(path, form({ tie, permission: "read", folder: "", decision: "allow" }, { cookie }))
    const codeOf = ({ headers }: Answer) => new URL(headers.get("location")!).searchParams.get("code")!
    return { verifier, answer, codeOf }
  },
  exchange: (clientId: string, code: string, verifier: string) =>
    servers.send(
      "/oauth/token",
      form({
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
        client_id: clientId
      })
    ),
  refresh: (clientId: string, token: string) =>
    servers.send("/oauth/token", form({ grant_type: "refresh_token", refresh_token: token, client_id: clientId })),
  revoke: (clientId: string, token: string) => servers.sure("/oauth/revoke", form({ token, client_id: clientId })),
  ping: (token: string) =>
    servers.sure("/mcp", json({ jsonrpc: "2.0", id: 1, method: "ping" }, { authorization: `Bearer ${token}` })),
  grants: async (apiToken: string): Promise<ReadonlyArray<string>> => {
    for (;;) {
      try {
        const tokens = await new DriveClient({ url: servers.next, apiToken }).ok("/select-api-tokens")
        return tokens.filter(({ name }) => name === "Notes").map(({ id }) => id)
      } catch (error) {
        if (!isAway(error)) throw error
        await pause(50)
      }
    }
  }
})

export type Driver = ReturnType<typeof driver>

/** How often each outcome was met, so that a run that met none of the interesting ones is seen. */
export interface Met {
  connections: number
  lostCodes: number
  lostExchanges: number
  endedByExchange: number
  lostRefreshes: number
  endedByRefresh: number
}

export const nothingMet = (): Met => ({
  connections: 0,
  lostCodes: 0,
  lostExchanges: 0,
  endedByExchange: 0,
  lostRefreshes: 0,
  endedByRefresh: 0
})

const isEnded = async (app: Driver, apiToken: string, tokens: ReadonlyArray<string>) => {
  for (const token of tokens) assert.strictEqual((await app.ping(token)).status, 401)
  assert.deepStrictEqual(await app.grants(apiToken), [], "a grant that has ended is listed")
}

/** A connection from its consent to its end. The account has no other grant before, and none after it. */
export const connection = async (
  app: Driver,
  { apiToken, clientId, cookie }: { readonly apiToken: string; readonly clientId: string; readonly cookie: string },
  met: Met
): Promise<void> => {
  met.connections++
  const { answer, codeOf, verifier } = await app.allow(cookie, clientId)
  const consent = await answered(answer)
  if (consent.answer.status === 409) {
    // Answered already, and the code was lost: nothing was made of it.
    assert.isTrue(consent.wasLost)
    met.lostCodes++
    return assert.deepStrictEqual(await app.grants(apiToken), [])
  }
  assert.strictEqual(consent.answer.status, 303, String(consent.answer.body))
  const code = codeOf(consent.answer)
  const first = await answered(() => app.exchange(clientId, code, verifier))
  if (first.wasLost) met.lostExchanges++
  if (first.answer.status !== 200) {
    assert.isTrue(first.wasLost)
    assert.strictEqual(first.answer.body.error, "invalid_grant")
    met.endedByExchange++
    return isEnded(app, apiToken, [])
  }
  let tokens = first.answer.body
  const seen: Array<string> = [tokens.access_token]
  assert.lengthOf(await app.grants(apiToken), 1)
  for (let round = 0; round < 3; round++) {
    const next = await answered(() => app.refresh(clientId, tokens.refresh_token))
    if (next.wasLost) met.lostRefreshes++
    if (next.answer.status !== 200) {
      assert.isTrue(next.wasLost)
      assert.strictEqual(next.answer.body.error, "invalid_grant")
      met.endedByRefresh++
      return isEnded(app, apiToken, seen)
    }
    tokens = next.answer.body
    seen.push(tokens.access_token)
    assert.strictEqual((await app.ping(tokens.access_token)).status, 200)
  }
  assert.lengthOf(await app.grants(apiToken), 1)
  if (seen.length % 2 === 0 && met.connections % 2 === 0) {
    const again = await answered(() => app.exchange(clientId, code, verifier))
    assert.deepInclude([again.answer.status, again.answer.body.error], "invalid_grant", "a code was good twice")
  } else await app.revoke(clientId, tokens.refresh_token)
  await isEnded(app, apiToken, seen)
}
