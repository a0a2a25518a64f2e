/**
 * What Uppy needs of XMLHttpRequest, on `node:http`: a body is read and sent piece by piece, with progress. An address `data:` is
 * answered with its own text.
 */
import { request } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { ReadableStream } from "node:stream/web"

export class NodeXhr {
  withCredentials = false
  responseType = ""
  status = 0
  statusText = ""
  responseText = ""
  onload: () => void = () => {}
  onerror: () => void = () => {}
  readonly upload: {
    onprogress: (event: { readonly lengthComputable: true; readonly loaded: number; readonly total: number }) => void
  } = { onprogress: () => {} }
  #method = "GET"
  #url = ""
  readonly #headers: Record<string, string> = {}
  #answered: NodeJS.Dict<string | Array<string>> = {}
  readonly #aborting = new AbortController()

  open(method: string, url: string): void {
    this.#method = method
    this.#url = url
  }

  setRequestHeader(name: string, value: string): void {
    this.#headers[name.toLowerCase()] = value
  }

  getResponseHeader(name: string): string | null {
    const value = this.#answered[name.toLowerCase()]
    return typeof value === "string" ? value : null
  }

  abort(): void {
    this.#aborting.abort()
  }

  send(body: Blob | FormData | string | null): void {
    this.#send(body).then(() => this.onload(), () => this.onerror())
  }

  async #send(body: Blob | FormData | string | null): Promise<void> {
    if (this.#url.startsWith("data:")) {
      this.responseText = decodeURIComponent(this.#url.slice(this.#url.indexOf(",") + 1))
      this.status = 200
      return
    }
    let sent = body instanceof Blob ? body : undefined
    if (sent === undefined) {
      const whole = new Response(body)
      this.#headers["content-type"] ??= whole.headers.get("content-type") ?? "text/plain"
      sent = await whole.blob()
    }
    const total = sent.size
    const sending = request(this.#url, {
      method: this.#method,
      headers: { ...this.#headers, "content-length": total },
      signal: this.#aborting.signal
    })
    const answered = new Promise<void>((resolve, reject) => {
      sending.on("error", reject).on("response", async (response) => {
        this.#answered = response.headers
        this.responseText = (await response.setEncoding("utf8").toArray()).join("")
        this.statusText = response.statusMessage ?? ""
        this.status = response.statusCode!
        resolve()
      })
    })
    let loaded = 0
    const pieces = Readable.fromWeb(sent.stream() as ReadableStream)
    pieces.on("data", (piece: Uint8Array) => {
      loaded += piece.length
      this.upload.onprogress({ lengthComputable: true, loaded, total })
    })
    await Promise.all([pipeline(pieces, sending), answered])
  }
}
