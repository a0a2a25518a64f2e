/** Tasks whose model is a provider that fails: over real HTTP, to the sentence that the task ends with. */
import { assert, describe, it } from "@effect/vitest"
import { AgentWorker, Operations } from "@filedrive/core"
import { Effect, Layer } from "effect"
import { addFile } from "../../../core/test/FilesTest.ts"
import { drive, get, newCredential, runJobs, said, send } from "../../../core/test/TasksTest.ts"
import { TestDrive } from "../../../core/test/TestDrive.ts"
import { AnthropicModel, OpenAiModel } from "../../src/models.ts"
import * as P from "./Provider.ts"

const openai = (message: object, finish_reason = "stop"): P.Answer => ({
  json: { choices: [{ finish_reason, message: { role: "assistant", content: null, ...message } }] }
})

const calling = (name: string, args: string) =>
  openai({ tool_calls: [{ id: "c1", type: "function", function: { name, arguments: args } }] }, "tool_calls")

const openaiError = (status: number, headers = {}): P.Answer => ({
  status,
  headers,
  json: { error: { message: "Secret detail of the provider.", type: "error", code: null } }
})

const anthropicError = (status: number, type: string): P.Answer => ({
  status,
  json: { type: "error", error: { type, message: "Secret detail of the provider." } }
})

const done = openai({ content: "Done." })

const anthropicDone: P.Answer = {
  json: {
    content: [{ type: "text", text: "Done." }],
    stop_reason: "end_turn",
    usage: { input_tokens: 1, output_tokens: 1 }
  }
}

const cut: P.Answer = (response) => {
  response.writeHead(200, { "content-type": "application/json", "content-length": "1000" })
  response.write("{\"choices\":[{\"message\":{\"content\":\"Do", () => response.destroy())
}

const stall: P.Answer = () => undefined

/** More than 8 MiB, and never an end. */
const endless: P.Answer = (response) => {
  response.writeHead(200, { "content-type": "application/json" })
  const chunk = " ".repeat(1024 * 1024)
  const write = () => {
    if (!response.destroyed) response.write(chunk, () => setImmediate(write))
  }
  write()
}

interface Ended {
  readonly state: string
  readonly text: string
  readonly asked: ReadonlyArray<P.Asked>
  readonly folders: number
}

/** How a task ends that such a provider decides. */
const taskWith = Effect.fnUntraced(
  function*(provider: "openai" | "anthropic", ...answers: readonly [P.Answer, ...ReadonlyArray<P.Answer>]) {
    const server = yield* P.provider(...answers)
    const options = { baseUrl: server.url, apiKey: null, model: "m" }
    const model = provider === "openai" ? OpenAiModel.layer(options) : AnthropicModel.layer(options)
    const agent = AgentWorker.layer.pipe(
      Layer.provideMerge(Operations.Operations.layer),
      Layer.provideMerge(model),
      Layer.provideMerge(TestDrive)
    )
    return yield* Effect.gen(function*() {
      const owner = yield* newCredential()
      yield* addFile(owner.accountId)
      const sent = yield* send(owner, "make a folder")
      yield* P.asTimePasses(runJobs)
      const task = yield* get(owner, sent)
      const { folders } = yield* drive(owner, "selectCollections", {})
      const ended: Ended = { state: task.state, text: said(task), asked: server.asked, folders: folders.length }
      return ended
    }).pipe(Effect.provide(agent))
  }
)

const toolResult = ({ asked }: Ended): string => JSON.stringify(asked.at(-1)!.body["messages"])

describe("tasks and failing providers", { timeout: 120_000 }, () => {
  it.effect("MODEL-101 calls that come too fast and an overload that passes are not noticed", () =>
    Effect.gen(function*() {
      const limited = yield* taskWith("openai", openaiError(429, { "retry-after": "7" }), done)
      assert.deepStrictEqual([limited.state, limited.text], ["completed", "Done."])
      assert.isAtLeast(limited.asked[1]!.seconds - limited.asked[0]!.seconds, 7)
      const overloaded = yield* taskWith(
        "anthropic",
        anthropicError(529, "overloaded_error"),
        anthropicError(529, "overloaded_error"),
        anthropicDone
      )
      assert.deepStrictEqual([overloaded.state, overloaded.text], ["completed", "Done."])
    }))

  it.effect.each(
    [
      { how: "429 for ever", provider: "openai", answer: openaiError(429), calls: 3, says: /does not accept calls/ },
      {
        how: "429 for an hour",
        provider: "openai",
        answer: openaiError(429, { "retry-after": "3600" }),
        calls: 1,
        says: /does not accept calls/
      },
      {
        how: "529 for ever",
        provider: "anthropic",
        answer: anthropicError(529, "overloaded_error"),
        calls: 3,
        says: /does not accept calls/
      },
      { how: "a fault", provider: "openai", answer: openaiError(500), calls: 3, says: /could not be reached/ },
      { how: "a wrong key", provider: "openai", answer: openaiError(401), calls: 1, says: /refused the key/ },
      {
        how: "no such model",
        provider: "openai",
        answer: openaiError(404),
        calls: 1,
        says: /was not found at its address/
      },
      { how: "an answer that is cut", provider: "openai", answer: cut, calls: 3, says: /could not be read/ },
      { how: "more than 8 MiB", provider: "openai", answer: endless, calls: 3, says: /could not be read/ },
      { how: "silence", provider: "openai", answer: stall, calls: 1, says: /did not answer in time/ }
    ] as const
  )(
    "MODEL-102 a task ends with a sentence that says why: $how",
    ({ answer, calls, provider, says }) =>
      Effect.gen(function*() {
        const ended = yield* taskWith(provider, answer)
        assert.strictEqual(ended.state, "failed")
        assert.match(ended.text, says)
        assert.notInclude(ended.text, "Secret")
        assert.lengthOf(ended.asked, calls)
        assert.strictEqual(ended.folders, 0)
      })
  )

  it.effect("MODEL-103 calls that are not JSON, or of tools that are not there, go back to the model with the reason", () =>
    Effect.gen(function*() {
      const malformed = yield* taskWith("openai", calling("create_folder", "{\"path\":"), done)
      assert.deepStrictEqual([malformed.state, malformed.text, malformed.folders], ["completed", "Done.", 0])
      assert.include(toolResult(malformed), "invalid")
      const unknown = yield* taskWith("openai", calling("format_disk", "{}"), done)
      assert.deepStrictEqual([unknown.state, unknown.text], ["completed", "Done."])
      assert.include(toolResult(unknown), "There is no tool named")
      const right = yield* taskWith("openai", calling("create_folder", "{\"path\":\"/A\"}"), done)
      assert.strictEqual(right.folders, 1)
    }))

  it.effect("MODEL-104 a refusal is what the task says", () =>
    Effect.gen(function*() {
      const { state, text } = yield* taskWith("openai", openai({ refusal: "I can't help with that." }))
      assert.deepStrictEqual([state, text], ["completed", "I can't help with that."])
    }))
})
