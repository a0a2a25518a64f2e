/** Signing in at the server with an API token, or once with a ticket. The pages need no script. */
import type { Drive } from "@filedrive/adapter-node"
import type { IncomingMessage, ServerResponse } from "node:http"
import { escaped, send, sendForm } from "../pages.ts"
import * as Cookie from "./Cookie.ts"
import { returnPath } from "./returnPath.ts"
import * as Tickets from "./Tickets.ts"

export interface SignInOptions {
  readonly dataDirectory: string
  /** The user whom tickets sign in. */
  readonly firstUserId: () => string | undefined
}

/** Bytes of a form. */
const bodyMaxBytes = 16_384

/** The fields of a form; null when there are too many bytes. */
const fieldsOf = async (request: IncomingMessage): Promise<URLSearchParams | null> => {
  const chunks: Array<Buffer> = []
  let size = 0
  for await (const chunk of request) {
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

const tokenForm = (problem: string) =>
  `${problem === "" ? "" : `<p role="alert">${escaped(problem)}</p>`}
<form method="post"><label>API token
<input name="apiToken" type="password" autocomplete="off" required autofocus></label>
<button>Sign in</button></form>
<p class="soft">Use a token without limits. The server prints its tokens when it starts; <code>npm run sign-in</code> on its machine makes
a link that signs in once.</p>`

const signedIn = `<p>You are signed in: apps can be connected.</p>
<form method="post" action="/sign-out"><button>Sign out</button></form>`

const ticketForm = (ticket: string) =>
  `<p>This link signs you in once.</p>
<form method="post"><input type="hidden" name="ticket" value="${escaped(ticket)}"><button>Sign in</button></form>`

export const signIn = (drive: Drive, { dataDirectory, firstUserId }: SignInOptions) => {
  const show = async (
    request: IncomingMessage,
    response: ServerResponse,
    ticket: string,
    problem = "",
    status = 200
  ) => {
    const isKnown = problem === "" && await userOf(drive, request.headers.cookie ?? null) !== null
    sendForm(request, response, {
      title: "Sign in",
      body: (isKnown ? signedIn : "") + (ticket === "" ? tokenForm(problem) : ticketForm(ticket)),
      status
    })
  }

  type Session = Awaited<ReturnType<Drive["sessions"]["open"]>>

  /** The ticket is used up last: while nobody can be signed in it stays good. */
  const byTicket = async (ticket: string): Promise<Session | null> => {
    const userId = firstUserId()
    if (userId === undefined || !(await Tickets.isGood(dataDirectory, ticket))) return null
    const session = await drive.sessions.open(userId)
    if (await Tickets.use(dataDirectory, ticket)) return session
    // Somebody else was faster.
    await drive.sessions.end(session.token)
    return null
  }

  /** The session of the user whom the form signs in; null for nobody. */
  const sessionFor = async (fields: URLSearchParams): Promise<Session | null> => {
    const ticket = fields.get("ticket") ?? ""
    if (ticket !== "") return byTicket(ticket)
    const token = (fields.get("apiToken") ?? "").trim()
    const found = token === "" || token.length > 1_000 ? null : await drive.tokens.find(token)
    return found === null || found.permissions !== null || found.folder !== null
      ? null
      : drive.sessions.open(found.userId)
  }

  /** Whether a form comes from a page of this site, as far as the browser says: another could sign a person in as somebody else. */
  const isOwn = ({ headers }: IncomingMessage): boolean =>
    (headers.origin === undefined || headers.origin === new URL(drive.urls.site).origin) &&
    ["same-origin", "none", undefined].includes(headers["sec-fetch-site"] as string | undefined)

  const take = async (request: IncomingMessage, response: ServerResponse, url: URL) => {
    if (!isOwn(request)) return show(request, response, "", "The form came from a page of another site.", 403)
    const fields = await fieldsOf(request)
    const session = fields === null ? null : await sessionFor(fields)
    if (session === null) {
      return show(
        request,
        response,
        "",
        "The API token is wrong or has limits, or the link was used or is older than 15 minutes.",
        403
      )
    }
    const { expireTime, token } = session
    response.setHeader("set-cookie", Cookie.of(token, expireTime, isSecure(drive.urls.site)))
    send(response, 303, { location: returnPath(url.searchParams.get("return"), drive.urls.site) })
  }

  const leave = async (request: IncomingMessage, response: ServerResponse) => {
    const secure = isSecure(drive.urls.site)
    const session = Cookie.valueOf(request.headers.cookie, secure)
    if (isOwn(request)) {
      if (session !== "") await drive.sessions.end(session)
      response.setHeader("set-cookie", Cookie.none(secure))
    }
    send(response, 303, { location: "/" })
  }

  /** Answers a request that is about signing in; false for another. */
  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    // Not every target of a request is an address, like `//`.
    const url = URL.parse(request.url ?? "/", drive.urls.site)
    if (url === null) return false
    const { method } = request
    if (url.pathname === "/sign-in" && (method === "GET" || method === "HEAD")) {
      await show(request, response, url.searchParams.get("ticket") ?? "")
    } else if (url.pathname === "/sign-in" && method === "POST") await take(request, response, url)
    else if (url.pathname === "/sign-out" && method === "POST") await leave(request, response)
    else return false
    return true
  }
}
