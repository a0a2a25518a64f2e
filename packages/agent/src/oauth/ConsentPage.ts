/** The page on which a person allows an app something, or doesn't. Pure. Contract: "MCP and OAuth". */
import type { CurrentAccount } from "@filedrive/core"
import type { AuthorizationRequest } from "./AuthorizationRequest.ts"
import { type Html, html } from "./Html.ts"
import type { Words } from "./Looks.ts"
import * as RedirectUri from "./RedirectUri.ts"

export interface Shown {
  readonly request: AuthorizationRequest
  /** Who is signed in, as people name them; null for a user without a name. */
  readonly person: string | null
  readonly folders: ReadonlyArray<{ readonly id: string; readonly path: string }>
  readonly tie: string
  /** Where the form is sent. */
  readonly action: string
}

/** Most folders that are offered. */
export const foldersMax = 500

/** A path from left to right, whichever way its folders are written. */
const pathOf = (path: string): string => path.split("/").map((name) => name && `\u2068${name}\u2069`).join("/")

const strong = (text: string): Html => html`<strong><bdi>${text}</bdi></strong>`

export const body = ({ action, folders, person, request, tie }: Shown, words: Words): Html => {
  const { client, permissions, redirectUri } = request
  const back = new URL(redirectUri)
  const isWeb = back.protocol === "https:"
  const place = isWeb
    ? strong(back.host)
    : html`${strong(words.text("consent.thisComputer"))}${
      RedirectUri.isLoopback(back) ? "" : html` (${strong(back.protocol)})`
    }`
  const known = client.host === null
    ? html`<p class="note"><strong>${words.html("consent.unverified")}</strong> ${
      words.html("consent.unverifiedHint")
    }</p>`
    : html`<p>${words.html("consent.described", { host: strong(client.host) })}</p>`
  const permission = (one: CurrentAccount.Permission): Html =>
    html`<label><input type="checkbox" name="permission" value="${one}" checked><span>${
      words.html(`consent.may.${one}`)
    }</span></label>\n`
  const folder = ({ id, path }: { readonly id: string; readonly path: string }): Html =>
    html`<option value="${id}" dir="ltr">${pathOf(path)}</option>\n`
  return html`<p>${person === null ? "" : html`${words.html("consent.signedIn", { name: strong(person) })} `}${
    words.html("consent.back", { place })
  }</p>
${known}
<form method="post" action="${action}">
<input type="hidden" name="tie" value="${tie}">
<fieldset><legend>${words.html("consent.may")}</legend>
${permissions.map(permission)}</fieldset>
<fieldset class="field"><legend>${words.html("consent.where")}</legend>
<select name="folder" aria-label="${words.html("consent.folder")}">
<option value="">${words.html("consent.whole")}</option>
${folders.map(folder)}</select></fieldset>
<div class="answer"><button class="button button-primary" name="decision" value="allow">${
    words.html("consent.allow")
  }</button><button class="button button-secondary" name="decision" value="deny">${
    words.html("consent.deny")
  }</button></div>
</form>
<p class="soft">${words.html("consent.end")}</p>`
}

/** What the page is about, as its title. */
export const titleOf = ({ client }: AuthorizationRequest, words: Words): string =>
  words.text("consent.title", { app: client.name })

/**
 * Where the form may lead. Browsers hold the redirects after a form to it as well, and apps lead people on to other addresses of theirs: so it
 * is any https one. Nothing on the page comes from others as markup, and it has one form.
 */
export const formAction = ({ redirectUri }: AuthorizationRequest): string => {
  const back = new URL(redirectUri)
  if (back.protocol === "https:") return "'self' https:"
  if (!RedirectUri.isLoopback(back)) return `'self' https: ${back.protocol}`
  // A policy can't name an IPv6 address.
  return `'self' https: ${back.hostname === "[::1]" ? "http:" : back.origin}`
}
