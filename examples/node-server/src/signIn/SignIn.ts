/** Signing in at the server with an API token, or once with a ticket. The pages need no script. */
import type { Drive } from "@filedrive/adapter-node"
import type { IncomingMessage, ServerResponse } from "node:http"
import { addAbortSignal } from "node:stream"
import { escaped, send, sendForm, textsFor } from "../pages.ts"
import * as Cookie from "./Cookie.ts"
import { isOwn } from "./isOwn.ts"
import { returnPath } from "./returnPath.ts"
import * as Tickets from "./Tickets.ts"
import * as WrongForms from "./WrongForms.ts"

export interface SignInOptions {
  readonly dataDirectory: string
  /** The user whom tickets sign in. */
  readonly firstUserId: () => string | undefined
  /** Proxies in front of the server that write `X-Forwarded-For`. */
  readonly trustedProxies: number
}

interface NewSession {
  readonly token: string
  readonly expireTime: Date
}

/** Bytes of a form. */
const bodyMaxBytes = 16_384

/** How long a form may take to arrive; then its connection is closed. */
const bodyMillis = 30_000

/** The fields of a form; null when there are too many bytes. */
const fieldsOf = async (request: IncomingMessage): Promise<URLSearchParams | null> => {
  const chunks: Array<Buffer> = []
  let size = 0
  addAbortSignal(AbortSignal.timeout(bodyMillis), request)
  // Whoever sends too much is answered nevertheless.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length
    if (size > bodyMaxBytes) return null
    chunks.push(chunk as Buffer)
  }
  return new URLSearchParams(Buffer.concat(chunks).toString())
}

const isSecure = (site: string): boolean => site.startsWith("https:")

/** Who is signed in where a request with these headers comes from; null for nobody. */
export const userOf = async (drive: Drive, cookies: string | null): Promise<string | null> => {
  const session = Cookie.valueOf(cookies, isSecure(drive.urls.site))
  if (session === "") return null
  const found = await drive.sessions.find(session)
  return found === null || found.permissions !== null || found.folder !== null ? null : found.userId
}

type Translate = ReturnType<typeof textsFor>["t"]

const tokenForm = (t: Translate, problem: Problem | null) =>
  `${problem === null ? "" : `<p role="alert">${t(`signIn.${problem}`)}</p>`}
<form method="post"><div class="field"><label for="token">${t("signIn.token")}</label>
<input id="token" name="apiToken" type="password" autocomplete="off" required autofocus></div>
<button class="button button-primary">${t("signIn.submit")}</button></form>
<p class="soft">${t("signIn.tokenHint")}</p>`

const signedIn = (t: Translate) =>
  `<p><a href="/connections">${t("signIn.goOn")}</a> · <a href="/upload">${t("signIn.upload")}</a></p>
<form method="post" action="/sign-out"><button class="button button-secondary">${t("signIn.out")}</button></form>`

const ticketForm = (t: Translate, ticket: string) =>
  `<p>${t("signIn.ticket")}</p>
<form method="post"><input type="hidden" name="ticket" value="${
    escaped(ticket)
  }"><button class="button button-primary">${t("signIn.submit")}</button></form>`

/** Why nobody was signed in: the end of a text's key. */
type Problem = "wrong" | "tooMany" | "otherSite"

export const signIn = (drive: Drive, { dataDirectory, firstUserId, trustedProxies }: SignInOptions) => {
  const wrong = WrongForms.make()

  const show = async (
    request: IncomingMessage,
    response: ServerResponse,
    ticket: string,
    problem: Problem | null = null,
    status = 200
  ) => {
    const { language, t, title } = textsFor(request)
    const isSignedIn = problem === null && ticket === "" && await userOf(drive, request.headers.cookie ?? null) !== null
    const docs = `<p class="soft"><a href="${escaped(drive.urls.api)}/docs">${t("signIn.docs")}</a></p>`
    await sendForm(request, response, {
      title: isSignedIn ? t("signIn.signedIn") : title,
      body: isSignedIn
        ? signedIn(t)
        : (ticket === "" ? tokenForm(t, problem) : ticketForm(t, ticket)) + docs,
      language,
      status
    })
  }

  /** A session of the API token, which ends with it, like one that a program gets for it. Null for a limited token, and for none. */
  const byToken = async (token: string): Promise<NewSession | null> => {
    if (!/^[\x21-\x7e]{1,1000}$/.test(token)) return null
    const found = await drive.tokens.find(token)
    if (found === null || found.permissions !== null || found.folder !== null) return null
    const headers = { authorization: `Bearer ${token}` }
    const answer = await drive.fetch(new Request(`${drive.urls.auth}/exchange-token`, { method: "POST", headers }))
    const body = await answer.text()
    if (answer.status !== 200) return null
    const { expiresIn, gelToken } = JSON.parse(body) as { readonly gelToken: string; readonly expiresIn: number }
    return { token: gelToken, expireTime: new Date(Date.now() + expiresIn * 1_000) }
  }

  /** The ticket is used up last: while nobody can be signed in it stays good. */
  const byTicket = async (ticket: string): Promise<NewSession | null> => {
    const userId = firstUserId()
    if (userId === undefined || !(await Tickets.isGood(dataDirectory, ticket))) return null
    const session = await drive.sessions.open(userId)
    if (await Tickets.use(dataDirectory, ticket)) return session
    // Somebody else was faster.
    await drive.sessions.end(session.token)
    return null
  }

  /** The session of the user whom the form signs in; null for nobody. */
  const sessionFor = (fields: URLSearchParams): Promise<NewSession | null> => {
    const ticket = fields.get("ticket") ?? ""
    return ticket === "" ? byToken((fields.get("apiToken") ?? "").trim()) : byTicket(ticket)
  }

  const take = async (request: IncomingMessage, response: ServerResponse, query: URLSearchParams) => {
    if (!isOwn(request, drive.urls.site)) return show(request, response, "", "otherSite", 403)
    const address = WrongForms.addressOf(request, trustedProxies)
    const waitSeconds = wrong.waitSeconds(address)
    if (waitSeconds > 0) {
      response.setHeader("retry-after", waitSeconds)
      return show(request, response, "", "tooMany", 429)
    }
    const fields = await fieldsOf(request)
    // Counted once it has arrived, so that slow ones take nobody's place, until it is known to be right: parallel ones are held to the limit.
    if (wrong.waitSeconds(address) > 0) return show(request, response, "", "tooMany", 429)
    wrong.add(address)
    const session = fields === null ? null : await sessionFor(fields)
    if (session === null) {
      return show(request, response, "", "wrong", 403)
    }
    wrong.remove(address)
    const secure = isSecure(drive.urls.site)
    const former = Cookie.valueOf(request.headers.cookie, secure)
    if (former !== "") await drive.sessions.end(former)
    response.setHeader("set-cookie", Cookie.of(session.token, session.expireTime, secure))
    send(response, 303, { location: returnPath(query.get("return"), drive.urls.site) })
  }

  const leave = async (request: IncomingMessage, response: ServerResponse) => {
    const secure = isSecure(drive.urls.site)
    const session = Cookie.valueOf(request.headers.cookie, secure)
    if (isOwn(request, drive.urls.site)) {
      if (session !== "") await drive.sessions.end(session)
      response.setHeader("set-cookie", Cookie.none(secure))
    }
    send(response, 303, { location: "/" })
  }

  /** Answers a request that is about signing in; false for another. */
  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    // No address that the parser would have to make sense of: any text may come here.
    const { method, url = "/" } = request
    const [path] = url.split("?", 1)
    const query = new URLSearchParams(url.slice(path!.length))
    if (path === "/sign-in" && (method === "GET" || method === "HEAD")) {
      await show(request, response, query.get("ticket") ?? "")
    } else if (path === "/sign-in" && method === "POST") await take(request, response, query)
    else if (path === "/sign-out" && method === "POST") await leave(request, response)
    else return false
    return true
  }
}
