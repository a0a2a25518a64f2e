/** Pages of the server, in the look of the drive's: each with its own style, and no script, frame or other resource. */
import { languageOf, languages, load, plainDocument, plainTextsOf } from "@filedrive/pages"
import { createHash } from "node:crypto"
import type { IncomingMessage, ServerResponse } from "node:http"

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  "\"": "&quot;",
  "'": "&#39;"
}

/** Text as HTML, also in attributes within quotes. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => escapes[character]!)

/** The texts of the pages for signing in, as HTML, and the language that they are in. */
export const textsFor = ({ headers }: Pick<IncomingMessage, "headers">) => {
  const language = languageOf(headers["accept-language"], languages())
  const texts = plainTextsOf("signIn", language)
  return {
    language,
    title: texts["signIn.title"]!,
    /** `command` stands for `{command}` in a text. */
    t: (key: string, command = "npm run sign-in"): string =>
      escaped(texts[key]!).replace("{command}", `<code>${command}</code>`)
  }
}

/** `style`: of a page; an answer without a page has none. */
const guards = (formAction: string, style = "") => ({
  "content-security-policy": "default-src 'none'; " +
    (style === "" ? "" : `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; `) +
    `base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`,
  "cross-origin-opener-policy": "same-origin",
  // With `no-referrer` browsers send forms from the origin `null`.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY"
})

export const send = (
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string | number>>,
  body = ""
): void => {
  response.writeHead(status, { ...guards("'none'"), "content-length": Buffer.byteLength(body), ...headers })
  response.end(body)
}

/**
 * A page with a form that is sent back to its own address. What follows signing in may at once lead back to an app, on this machine by http;
 * browsers hold redirects after a form to the same policy.
 */
export const sendForm = async (
  { method }: IncomingMessage,
  response: ServerResponse,
  { body, language, status, title }: {
    readonly title: string
    readonly body: string
    readonly language: string
    readonly status: number
  }
): Promise<void> => {
  const style = (await load()).plainStyle
  const text = plainDocument({ title, body, language, style, hostName: "filedrive", logo: null })
  response.writeHead(status, {
    ...guards("'self' https: http:", style),
    "cache-control": "no-store",
    "content-language": language,
    "content-type": "text/html; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    vary: "accept-language, cookie"
  })
  response.end(method === "HEAD" ? undefined : text)
}
