/**
 * One local server that answers as the four providers' documentation says: OpenAI below `/openai/v1`, Google below `/google/v1beta`,
 * Black Forest Labs below `/bfl/v1`, fal below `/fal`; images are behind links below `/images`.
 */
import type { ProviderAccess, ProviderName } from "@filedrive/images"
import { Redacted } from "effect"
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A picture of two by one points, as PNG. */
export const picture = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGP4z8DAwPAfAAcAAf9+CLHQAAAAAElFTkSuQmCC",
  "base64"
)

/** The key of every provider here. */
export const key = "sk-secret-of-the-host"

export interface Asked {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  /** The body's JSON; undefined without one. */
  readonly body: any
}

export type Answering = (asked: Asked, response: ServerResponse) => void

export const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) => {
  const text = JSON.stringify(body)
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
    ...headers
  })
  response.end(text)
}

const readAsked = async (request: IncomingMessage): Promise<Asked> => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const { headers, method = "", url: path = "" } = request
  return { method, path, headers, body: text === "" ? undefined : JSON.parse(text) }
}

const hasKey = ({ headers, path }: Asked) =>
  path.startsWith("/openai/")
    ? headers.authorization === `Bearer ${key}`
    : path.startsWith("/google/")
    ? headers["x-goog-api-key"] === key
    : path.startsWith("/bfl/")
    ? headers["x-key"] === key
    : headers.authorization === `Key ${key}`

export interface ProviderServers {
  readonly url: string
  /** Every request so far, in the order of arrival. */
  readonly calls: Array<Asked>
  /** What `method path` begins with, and who answers it from now on in place of the usual. */
  readonly answer: (begin: string, answering: Answering) => void
  readonly keys: Readonly<Record<ProviderName, ProviderAccess>>
  /** The variables of the example server that lead here. */
  readonly environment: Readonly<Record<string, string>>
  readonly close: () => Promise<void>
}

/** Starts the server. `pollsMin`: how many looks at a job find it unfinished. */
export const startProviders = async ({ pollsMin = 1 } = {}): Promise<ProviderServers> => {
  const calls: Array<Asked> = []
  const special: Array<readonly [begin: string, answering: Answering]> = []
  const looks = new Map<string, number>()
  let url = ""

  const isReady = (id: string) => {
    const count = looks.get(id) ?? 0
    looks.set(id, count + 1)
    return count >= pollsMin
  }

  const usual: ReadonlyArray<
    readonly [route: RegExp, answering: (asked: Asked, response: ServerResponse, part: string) => void]
  > = [
    [/^POST \/openai\/v1\/images\/generations$/, (_, response) =>
      json(response, 200, {
        created: 1_700_000_000,
        data: [{ b64_json: picture.toString("base64") }],
        usage: { input_tokens: 10, output_tokens: 20, total_tokens: 30 }
      })],
    [/^POST \/google\/v1beta\/models\/(gemini-[\w.-]+):generateContent$/, (_, response) =>
      json(response, 200, {
        candidates: [{
          content: {
            role: "model",
            parts: [{ text: "Here it is." }, {
              inlineData: { mimeType: "image/png", data: picture.toString("base64") }
            }]
          },
          finishReason: "STOP",
          index: 0
        }],
        usageMetadata: { totalTokenCount: 30 }
      })],
    [
      /^POST \/google\/v1beta\/models\/(imagen-[\w.-]+):predict$/,
      (_, response) =>
        json(response, 200, {
          predictions: [{ mimeType: "image/png", bytesBase64Encoded: picture.toString("base64") }]
        })
    ],
    [/^POST \/bfl\/v1\/flux-2-pro$/, (_, response) => {
      const id = `task-${calls.length}`
      json(response, 200, { id, polling_url: `${url}/bfl/v1/get_result?id=${id}`, cost: 3, input_mp: 0, output_mp: 1 })
    }],
    [/^GET \/bfl\/v1\/get_result\?id=([\w-]+)$/, (_, response, id) =>
      json(
        response,
        200,
        isReady(id)
          ? { id, status: "Ready", result: { sample: `${url}/images/${id}.png`, prompt: "a cat", seed: 1 } }
          : { id, status: "Pending", result: null, progress: 0.5 }
      )],
    [/^GET \/fal\/(fal-ai\/[\w-]+\/requests\/[\w-]+)\/status$/, (_, response, at) =>
      isReady(at)
        ? json(response, 200, { status: "COMPLETED", response_url: `${url}/fal/${at}`, metrics: { inference_time: 1 } })
        : json(response, 202, { status: "IN_QUEUE", queue_position: 0, response_url: `${url}/fal/${at}` })],
    [/^GET \/fal\/fal-ai\/[\w-]+\/requests\/([\w-]+)$/, (_, response, id) =>
      json(response, 200, {
        images: [{ url: `${url}/images/${id}.png`, content_type: "image/png", width: 2, height: 1 }],
        seed: 1,
        has_nsfw_concepts: [false],
        prompt: "a cat"
      })],
    [
      /^PUT \/fal\/fal-ai\/[\w-]+\/requests\/[\w-]+\/cancel$/,
      (_, response) => json(response, 202, { status: "CANCELLATION_REQUESTED" })
    ],
    [/^POST \/fal\/(fal-ai\/[\w-]+)(?:\/[\w/-]+)?$/, (_, response, app) => {
      const id = `request-${calls.length}`
      const at = `${url}/fal/${app}/requests/${id}`
      json(response, 200, {
        status: "IN_QUEUE",
        request_id: id,
        response_url: at,
        status_url: `${at}/status`,
        cancel_url: `${at}/cancel`,
        queue_position: 0
      })
    }]
  ]

  const respond = (asked: Asked, response: ServerResponse): void => {
    const line = `${asked.method} ${asked.path}`
    const own = special.findLast(([begin]) => line.startsWith(begin))
    if (own !== undefined) return own[1](asked, response)
    if (asked.path.startsWith("/images/")) {
      // A key that is sent to where an image lies is lost.
      const isClean = ["authorization", "x-key", "x-goog-api-key"].every((name) => asked.headers[name] === undefined)
      response.writeHead(isClean ? 200 : 500, { "content-type": "image/png", "content-length": picture.length })
      response.end(picture)
      return
    }
    if (!hasKey(asked)) return json(response, 401, { error: { message: "Incorrect API key", code: "invalid_api_key" } })
    for (const [route, answering] of usual) {
      const found = route.exec(line)
      if (found !== null) return answering(asked, response, found[1] ?? "")
    }
    json(response, 404, { detail: "Not Found" })
  }

  const server = createServer((request, response) => {
    readAsked(request).then((asked) => {
      calls.push(asked)
      respond(asked, response)
    }, () => response.destroy())
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const access = (path: string) => ({ apiKey: Redacted.make(key), baseUrl: `${url}${path}` })

  return {
    url,
    calls,
    answer: (begin, answering) => void special.push([begin, answering]),
    keys: {
      openai: access("/openai/v1"),
      google: access("/google/v1beta"),
      blackForestLabs: access("/bfl/v1"),
      fal: access("/fal")
    },
    environment: {
      OPENAI_API_KEY: key,
      OPENAI_BASE_URL: `${url}/openai/v1`,
      GOOGLE_GENERATIVE_AI_API_KEY: key,
      GOOGLE_GENERATIVE_AI_BASE_URL: `${url}/google/v1beta`,
      BFL_API_KEY: key,
      BFL_BASE_URL: `${url}/bfl/v1`,
      FAL_API_KEY: key,
      FAL_BASE_URL: `${url}/fal`
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}
