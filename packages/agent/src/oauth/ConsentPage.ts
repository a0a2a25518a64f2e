/** The page on which a person allows an app something, or doesn't. Pure. Contract: "MCP and OAuth". */
import type { CurrentAccount } from "@filedrive/core"
import type { AuthorizationRequest } from "./AuthorizationRequest.ts"
import { type Html, html } from "./Html.ts"
import * as RedirectUri from "./RedirectUri.ts"

/** What each permission allows, in words. */
const words: Readonly<Record<CurrentAccount.Permission, string>> = {
  read: "See and download your files",
  add: "Add files",
  organize: "Tag, move, rename and describe files, and change lists",
  share: "Share files, publish them, and ask others for files and reviews",
  delete: "Move files to trash, restore them, and delete them for good",
  generate: "Generate images, which counts towards your allowance",
  agent: "Give your agent tasks, which it does with the permissions allowed here"
}

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

const permission = (one: CurrentAccount.Permission): Html =>
  html`<label><input type="checkbox" name="permission" value="${one}" checked><span>${words[one]}</span></label>\n`

const folder = ({ id, path }: { readonly id: string; readonly path: string }): Html =>
  html`<option value="${id}">${path}</option>\n`

export const body = ({ action, folders, person, request, tie }: Shown): Html => {
  const { client, permissions, redirectUri } = request
  const back = new URL(redirectUri)
  const place = RedirectUri.isLoopback(back) ? "an app on this computer" : back.host
  const known = client.host === null
    ? html`<p class="note"><strong>Unverified.</strong> Any app can use this name. Allow it only if you have just started to connect it yourself.</p>`
    : html`<p>The app is described by <strong>${client.host}</strong>.</p>`
  return html`<p>${
    person === null ? "" : html`You are signed in as <strong>${person}</strong>. `
  }Your answer takes you back to <strong>${place}</strong>.</p>
${known}
<form method="post" action="${action}">
<input type="hidden" name="tie" value="${tie}">
<fieldset><legend>The app may</legend>
${permissions.map(permission)}</fieldset>
<fieldset><legend>Where</legend>
<select name="folder" aria-label="Folder">
<option value="">In the whole drive</option>
${folders.map(folder)}</select></fieldset>
<div class="answer"><button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button></div>
</form>
<p class="soft">You can end this at any time: the app is in the list of your API tokens.</p>`
}

/** What the page is about, as its title. */
export const titleOf = ({ client }: AuthorizationRequest): string => `${client.name} asks to use your drive`

/**
 * Where the form may lead. Browsers hold the redirects after a form to it as well, and apps lead people on to other addresses of theirs: so it
 * is any https one. Nothing on the page comes from others as markup, and it has one form.
 */
export const formAction = ({ redirectUri }: AuthorizationRequest): string => {
  const back = new URL(redirectUri)
  if (!RedirectUri.isLoopback(back)) return "'self' https:"
  // A policy can't name an IPv6 address.
  return `'self' https: ${back.hostname === "[::1]" ? "http:" : back.origin}`
}
