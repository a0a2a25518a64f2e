/** A person who signs in at the example server and answers its page of consent, by HTTP alone. */

export class Browserless {
  readonly origin: string
  #cookie = ""
  constructor(origin: string) {
    this.origin = origin
  }

  #send(url: string, fields?: URLSearchParams): Promise<Response> {
    const init = fields === undefined ? {} : { method: "POST", body: fields }
    return fetch(url, { ...init, redirect: "manual", headers: { cookie: this.#cookie } })
  }

  async signIn(apiToken: string): Promise<void> {
    const answer = await this.#send(`${this.origin}/sign-in`, new URLSearchParams({ apiToken }))
    this.#cookie = answer.headers.get("set-cookie")!.split(";")[0]!
  }

  /** Registers an app. Returns its id. */
  async register(redirectUri: string): Promise<string> {
    const body = JSON.stringify({ client_name: "Conformance", redirect_uris: [redirectUri] })
    const answer = await fetch(`${this.origin}/oauth/register`, { method: "POST", body })
    return (await answer.json() as { readonly client_id: string }).client_id
  }

  /** Allows all that is asked for at `url`, and goes where that leads. */
  async allow(url: string): Promise<void> {
    const page = await (await this.#send(url)).text()
    const fields = new URLSearchParams({ decision: "allow", folder: "" })
    for (const [, name, value] of page.matchAll(/name="(tie|permission)" value="([^"]*)"/g)) {
      fields.append(name!, value!)
    }
    const answer = await this.#send(url, fields)
    await fetch(answer.headers.get("location")!)
  }
}
