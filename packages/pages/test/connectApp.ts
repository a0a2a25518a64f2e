/** An app that registers itself and is allowed something by the person whose host it is, all over HTTP. */
import { createHash, randomBytes } from "node:crypto"
import type { PagesHost } from "./PagesHost.ts"

const redirect = "http://127.0.0.1:9/callback"

export const connectApp = async (host: PagesHost, name: string, permissions: ReadonlyArray<string>) => {
  const { site } = host.drive.urls
  const registered = await fetch(`${site}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ client_name: name, redirect_uris: [redirect] })
  })
  const { client_id: clientId } = await registered.json() as { readonly client_id: string }
  const verifier = randomBytes(32).toString("base64url")
  const query = new URLSearchParams({
    client_id: clientId,
    response_type: "code",
    redirect_uri: redirect,
    scope: permissions.join(" "),
    code_challenge: createHash("sha256").update(verifier).digest("base64url"),
    code_challenge_method: "S256"
  })
  const address = `${site}/oauth/authorize?${query}`
  const cookie = `pages-user=${host.userId}`
  const page = await (await fetch(address, { headers: { cookie } })).text()
  const [, tie = ""] = /name="tie" value="([^"]+)"/.exec(page) ?? []
  const fields = new URLSearchParams({ tie, decision: "allow", folder: "" })
  for (const permission of permissions) fields.append("permission", permission)
  const answer = await fetch(address, { method: "POST", headers: { cookie }, body: fields, redirect: "manual" })
  const code = new URL(answer.headers.get("location")!).searchParams.get("code")!
  const exchanged = await fetch(`${site}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      code,
      client_id: clientId,
      redirect_uri: redirect,
      code_verifier: verifier
    })
  })
  const { access_token: accessToken } = await exchanged.json() as { readonly access_token: string }
  return {
    /** The status of a call of the app's. */
    calls: async (): Promise<number> => {
      const { status } = await fetch(`${host.drive.urls.api}/select-user-files`, {
        method: "POST",
        headers: { authorization: `Bearer ${accessToken}`, "x-service-app": "filedrive" }
      })
      return status
    }
  }
}
