/**
 * A small client of a drive's HTTP routes, as a program with an API token has
 * one: for tests, and readable as an example. It signs in by itself, and again when its session has ended.
 */

import type { Api, Operations } from "@filedrive/core"
import type { HttpApi, HttpApiGroup } from "effect/http-api"

type Groups = typeof Api extends HttpApi.HttpApi<string, infer Groups> ? Groups : never

/** Ids of operations by their routes. */
type ByRoute = {
  readonly [E in HttpApiGroup.Endpoints<Groups> as E["path"]]: Extract<E["identifier"], Operations.OperationId>
}

/** The path of an operation that is answered with JSON. */
export type Route = { readonly [Path in keyof ByRoute]: ByRoute[Path] extends never ? never : Path }[keyof ByRoute]

/** The request body of a route, as `Api` declares it; never where it takes none. */
export type BodyOf<R extends Route> = [Operations.RequestOf<ByRoute[R]>] extends [never] ? []
  : Operations.MayOmitRequest<ByRoute[R]> extends true ? [body?: Operations.RequestOf<ByRoute[R]>]
  : [body: Operations.RequestOf<ByRoute[R]>]

/** The answer of a route, as `Api` declares it. */
export type AnswerOf<R extends Route> = Operations.AnswerOf<ByRoute[R]>

/** An answer, its body read. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The JSON of the body, or its text when it is not JSON. */
  // oxlint-disable-next-line no-explicit-any
  readonly body: any
}

export type Fetch = (url: string, init?: RequestInit) => Promise<Response>

export interface DriveClientOptions {
  /** Where the drive is mounted, without a trailing slash: `http://127.0.0.1:4500`. */
  readonly url: string
  readonly apiToken: string
  /** The app header's value. Default `filedrive`. */
  readonly appId?: string
  /** Default: the platform's. A test without a network gives the drive's own. */
  readonly fetch?: Fetch
}

/** A file to send. */
export interface NewFile {
  readonly fileName: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Default `Other`; the drive detects it by itself. */
  readonly type?: Operations.RequestOf<"insertFile">["type"]
  readonly mimeType?: string
  /** The part of the object key after `users/{userId}/`. Default: the file name. */
  readonly key?: string
}

/** A route answered with another status than 200. */
export class DriveCallFailed extends Error {
  readonly route: string
  readonly answer: Answer
  constructor(route: string, answer: Answer) {
    super(`${route} answered ${answer.status} ${JSON.stringify(answer.body)}`)
    this.route = route
    this.answer = answer
  }
}

const readAnswer = async (response: Response): Promise<Answer> => {
  const text = await response.text()
  const isJson = response.headers.get("content-type")?.includes("json") === true
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

export class DriveClient {
  readonly url: string
  readonly appId: string
  readonly fetch: Fetch
  readonly #apiToken: string
  #session: Promise<{ readonly gelToken: string; readonly userId: string }> | undefined

  constructor({ apiToken, appId = "filedrive", fetch: own, url }: DriveClientOptions) {
    this.url = url
    this.appId = appId
    this.fetch = own ?? ((url, init) => fetch(url, init))
    this.#apiToken = apiToken
  }

  /** The session of the API token, exchanged when the first call needs it and when a call was told that it has ended. */
  session(): Promise<{ readonly gelToken: string; readonly userId: string }> {
    return this.#session ??= this.exchange().then((answer) => {
      if (answer.status !== 200) throw new DriveCallFailed("/exchange-token", answer)
      return answer.body
    }).catch((error: unknown) => {
      // The next call tries again.
      this.#session = undefined
      throw error
    })
  }

  /** `/exchange-token` as it answers. */
  async exchange(): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.#apiToken}`, "x-service-app": this.appId }
    return readAnswer(await this.fetch(`${this.url}/auth/exchange-token`, { method: "POST", headers }))
  }

  /**
   * Calls a route and returns its answer, whatever its status. `headers` are added; an empty one removes a header. When the
   * session has ended, the call is made again with another one, if the API token still gives any.
   */
  async call(route: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const call = ({ gelToken }: { readonly gelToken: string }) =>
      this.raw(route, {
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        headers: {
          authorization: `Bearer ${gelToken}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers
        }
      })
    const used = this.session()
    const answer = await call(await used)
    if (answer.status !== 401 || "authorization" in headers) return answer
    // A session that ended days ago is not known any more; several calls at once exchange once.
    if (this.#session === used) this.#session = undefined
    const renewed = await this.session().catch(() => undefined)
    if (renewed !== undefined) return call(renewed)
    this.#session ??= used
    return answer
  }

  /** Sends a request to a route with the app header and nothing else added. */
  async raw(
    route: string,
    init: RequestInit & { readonly headers?: Readonly<Record<string, string>> }
  ): Promise<Answer> {
    const named = { "x-service-app": this.appId, ...init.headers }
    const headers = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== ""))
    return readAnswer(await this.fetch(`${this.url}/api${route}`, { method: "POST", ...init, headers }))
  }

  /** Calls a route and returns the body of its answer. Fails with {@link DriveCallFailed}. */
  async ok<R extends Route>(route: R, ...[body]: BodyOf<R>): Promise<AnswerOf<R>> {
    const answer = await this.call(route, body)
    if (answer.status !== 200) throw new DriveCallFailed(route, answer)
    return answer.body
  }

  /** The description of a file for the upload routes. */
  async describe(file: NewFile): Promise<Operations.RequestOf<"generateFileUrls">> {
    const { userId } = await this.session()
    return {
      type: file.type ?? "Other",
      fileName: file.fileName,
      fileSize: file.bytes.length,
      objectKey: `users/${userId}/${file.key ?? file.fileName}`,
      ...(file.mimeType === undefined ? {} : { mimeType: file.mimeType })
    }
  }

  /** Posts a file with the form of `/generate-file-urls`, fields first. */
  sendForm(
    form: { readonly uploadUrl: string; readonly uploadForm: Readonly<Record<string, string>> },
    bytes: Uint8Array<ArrayBuffer>
  ): Promise<Response> {
    const body = new FormData()
    for (const [name, value] of Object.entries(form.uploadForm)) body.append(name, value)
    body.append("file", new Blob([bytes]))
    return this.fetch(form.uploadUrl, { method: "POST", body })
  }

  /** Uploads a file in one piece and returns its id. */
  async upload(file: NewFile): Promise<string> {
    const input = await this.describe(file)
    const sent = await this.sendForm(await this.ok("/generate-file-urls", input), file.bytes)
    if (!sent.ok) throw new Error(`Storage answered ${sent.status} to the form: ${await sent.text()}`)
    return this.insert(input)
  }

  /** Records stored bytes and returns the file's id. */
  async insert(input: Operations.RequestOf<"generateFileUrls">): Promise<string> {
    const { userId } = await this.session()
    const { id } = await this.ok("/insert-file", { ...input, isPublic: false, creator: { id: userId } })
    return id
  }

  /** The bytes of a file, by its download link. */
  async download(id: string): Promise<Uint8Array> {
    const { downloadUrl } = await this.ok("/generate-download-url", { id })
    const response = await this.fetch(downloadUrl!)
    if (response.status !== 200) throw new Error(`The link answered ${response.status}`)
    return new Uint8Array(await response.arrayBuffer())
  }
}
