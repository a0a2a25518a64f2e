/** A provider on this machine that answers as a test says, and what is asked of it. */
import { Clock, Effect, Fiber, Schema, type Scope } from "effect"
import { type AiError, LanguageModel, Prompt, Tool, Toolkit } from "effect/ai"
import { TestClock } from "effect/testing"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface Asked {
  readonly path: string
  readonly headers: IncomingMessage["headers"]
  readonly body: Readonly<Record<string, unknown>>
  /** The test's clock, in seconds. */
  readonly seconds: number
}

/** What one request is answered with: JSON with a status, or whatever a function does. */
export type Answer =
  | { readonly status?: number; readonly headers?: Readonly<Record<string, string>>; readonly json: unknown }
  | ((response: ServerResponse) => void)

export interface Provider {
  readonly url: string
  readonly asked: Array<Asked>
  /** How many connections are open. */
  readonly connections: Effect.Effect<number>
}

/** Answers the first request with the first answer, and so on; the last one again and again. */
export const provider = Effect.fnUntraced(function*(
  ...answers: readonly [Answer, ...ReadonlyArray<Answer>]
): Effect.fn.Return<Provider, never, Scope.Scope> {
  const clock = yield* Clock.Clock
  const asked: Array<Asked> = []
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => {
      const body = JSON.parse(Buffer.concat(chunks).toString())
      asked.push({
        path: request.url!,
        headers: request.headers,
        body,
        seconds: Math.floor(clock.currentTimeMillisUnsafe() / 1_000)
      })
      const answer = answers[Math.min(asked.length, answers.length) - 1]!
      if (typeof answer === "function") return answer(response)
      response.writeHead(answer.status ?? 200, { "content-type": "application/json", ...answer.headers })
        .end(JSON.stringify(answer.json))
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.callback<void>((resume) => {
        server.closeAllConnections()
        server.close(() => resume(Effect.void))
      })
  )
  const connections = Effect.callback<number>((resume) => {
    server.getConnections((_, count) => resume(Effect.succeed(count)))
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked, connections }
})

export const search = Tool.dynamic("search_files", {
  description: "Finds files.",
  parameters: { type: "object", properties: { text: { type: "string" } } },
  success: Schema.Unknown
})

const toolkit = Toolkit.make(search)

/** Asks the model as the agent does: calls are not resolved, and not checked either. */
export const ask = Effect.fnUntraced(function*(prompt: Prompt.RawInput) {
  return yield* LanguageModel.generateText({
    prompt,
    toolkit: yield* toolkit,
    disableToolCallResolution: true,
    toolCallValidation: "deferred"
  })
}, Effect.provide(toolkit.toLayer({ search_files: () => Effect.succeed(null) })))

/** Lets what the machine reports come in. */
export const pause = Effect.callback<void>((resume) => {
  setImmediate(() => resume(Effect.void))
})

/** Waits for an answer; dies when it does not come. */
export const until = Effect.fnUntraced(function*<A>(ask: Effect.Effect<A>, right: (answer: A) => boolean) {
  for (let tries = 0; tries < 100_000; tries++) {
    if (right(yield* ask)) return
    yield* pause
  }
  throw new Error("What was waited for did not come.")
})

/** What comes of `effect` while time goes by, a second at each step. */
export const asTimePasses = Effect.fnUntraced(function*<A, E, R>(effect: Effect.Effect<A, E, R>) {
  const fiber = yield* Effect.forkChild(effect)
  const passing = Effect.forever(
    Effect.andThen(Effect.repeat(pause, { times: 20 }), TestClock.adjust("1 second"))
  )
  return yield* Effect.raceFirst(Fiber.join(fiber), passing)
})

/** Longer than a test lets time go by. */
export const patience = "10000 days" as const

export const reasonOf = (error: AiError.AiError) => error.reason._tag

/** A conversation with everything in it. */
export const conversation = Prompt.make([
  { role: "system", content: "You are the agent." },
  {
    role: "user",
    content: [
      { type: "text", text: "What is on this picture?" },
      { type: "file", mediaType: "image/png", fileName: "a.png", data: "aWNvbg==" },
      { type: "file", mediaType: "application/pdf", fileName: "b.pdf", data: "cGRm" }
    ]
  },
  {
    role: "assistant",
    content: [
      { type: "text", text: "I look." },
      { type: "tool-call", id: "c1", name: "search_files", params: { text: "cat" } },
      { type: "tool-call", id: "c2", name: "read_file", params: { fileId: "f" } }
    ]
  },
  {
    role: "tool",
    content: [
      { type: "tool-result", id: "c1", name: "search_files", isFailure: false, result: { files: [] } },
      { type: "tool-result", id: "c2", name: "read_file", isFailure: true, result: "No file of yours has the id f." }
    ]
  },
  { role: "user", content: [{ type: "text", text: "Thanks." }] }
])
