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
  /** Who is signed in, as people name them; null when nobody has said. */
  readonly person: string | null
  readonly folders: ReadonlyArray<{ readonly id: string; readonly path: string }>
  readonly tie: string
  /** Where the form is sent. */
  readonly action: string
}

/** Most folders that are offered. */
export const foldersMax = 500

const permission = (one: CurrentAccount.Permission): Html =>
  html`<label><input type="checkbox" name="permission" value="${one}" checked> ${words[one]}</label>\n`

const folder = ({ id, path }: { readonly id: string; readonly path: string }): Html =>
  html`<option value="${id}">${path}</option>\n`

export const body = ({ action, folders, person, request, tie }: Shown): Html => {
  const { client, permissions, redirectUri } = request
  const back = new URL(redirectUri)
  const place = RedirectUri.isLoopback(back) ? "this computer" : back.host
  const known = client.host === null
    ? html`<p class="note"><strong>Unverified.</strong> Anybody can use this name: allow it only if you have just started to connect this app yourself.</p>`
    : html`<p>It is described at <strong>${client.host}</strong>.</p>`
  return html`<p><strong><bdi>${client.name}</bdi></strong> asks to use your drive${
    person === null ? "" : ` (${person})`
  }. You will be led back to <strong>${place}</strong>.</p>
${known}
<form method="post" action="${action}">
<input type="hidden" name="tie" value="${tie}">
<fieldset><legend>It may</legend>
${permissions.map(permission)}</fieldset>
<fieldset><legend>In</legend>
<label>Folder <select name="folder">
<option value="">The whole drive</option>
${folders.map(folder)}</select></label></fieldset>
<button name="decision" value="allow">Allow</button><button name="decision" value="deny">Deny</button>
</form>
<p>You can end this at any time: it is in the list of your API tokens.</p>`
}

/**
 * Where the form may lead. Browsers hold the redirects after a form to it as well, and apps lead people on to other addresses of theirs: so it
 * is any https one. Nothing on the page comes from others as markup, and it has one form.
 */
export const formAction = ({ redirectUri }: AuthorizationRequest): string => {
  const back = new URL(redirectUri)
  if (!RedirectUri.isLoopback(back)) return "'self' https:"
  // A policy can't name an address of IPv6: browsers would leave it out, and lead nobody there.
  return `'self' https: ${back.hostname === "[::1]" ? "http:" : back.origin}`
}
