/** Tasks of a drive in memory whose brain does what a test's script says. */
import { assert } from "@effect/vitest"
import { Context, Effect, Layer, Redacted, Stream } from "effect"
import { AiError, LanguageModel, type Prompt, type Response } from "effect/ai"
import { TestClock } from "effect/testing"
import { ApiTokens } from "../src/accounts/ApiTokens.ts"
import { type Credential, CurrentCredential } from "../src/accounts/Credential.ts"
import { type Limits, unlimited } from "../src/accounts/CurrentAccount.ts"
import * as AgentWorker from "../src/agent/AgentWorker.ts"
import { Operations } from "../src/http/Operations.ts"
import { JobsWorker } from "../src/jobs/JobsWorker.ts"
import type { AccountId } from "../src/shared/Ids.ts"
import type { NewMessage, NewPart, TaskView } from "../src/tasks/Task.ts"
import { Tasks } from "../src/tasks/Tasks.ts"
import { as, TestAccounts } from "./TestAccounts.ts"
import { TestDrive } from "./TestDrive.ts"

/** What a brain answers: words, or calls of tools. */
export type Answer = string | ReadonlyArray<{ readonly name: string; readonly args: unknown }>

/** What the brain is asked: the last user's text, and results of the calls since. */
export interface Asked {
  readonly text: string
  readonly results: ReadonlyArray<{ readonly name: string; readonly isFailure: boolean; readonly result: any }>
  readonly prompt: Prompt.Prompt
  readonly tools: ReadonlyArray<string>
}

export type Script = (asked: Asked) => Effect.Effect<Answer, AiError.AiError>

const textOf = ({ content }: Prompt.Message): string =>
  typeof content === "string"
    ? content
    : content.flatMap((part: any) => part.type === "text" ? [part.text] : []).join("\n")

const askedOf = (prompt: Prompt.Prompt, tools: ReadonlyArray<string>): Asked => {
  const from = prompt.content.findLastIndex(({ role }) => role === "user")
  return {
    text: textOf(prompt.content[from]!),
    results: prompt.content.slice(from).flatMap((message) =>
      message.role === "tool"
        ? (message.content as ReadonlyArray<any>).map(({ isFailure, name, result }) => ({ name, isFailure, result }))
        : []
    ),
    prompt,
    tools
  }
}

export class Brain extends Context.Service<Brain, {
  /** What a task whose text begins with `text` does. */
  readonly when: (text: string, script: Script) => Effect.Effect<void>
  readonly asked: Effect.Effect<ReadonlyArray<Asked>>
  /** How many tokens each answer costs from now on; 15 at first. */
  readonly costs: (tokens: number) => Effect.Effect<void>
}>()("@filedrive/core/test/TasksTest/Brain") {
  static readonly layer: Layer.Layer<LanguageModel.LanguageModel | Brain> = Layer.effectContext(Effect.gen(function*() {
    const scripts = new Map<string, Script>()
    const asked: Array<Asked> = []
    let calls = 0
    let cost = 15
    const model = yield* LanguageModel.make({
      generateText: ({ prompt, tools }) =>
        Effect.gen(function*() {
          const one = askedOf(prompt, tools.map(({ name }) => name))
          asked.push(one)
          const script = [...scripts].find(([text]) => one.text.startsWith(text))?.[1]
          const answer = script === undefined ? "I don't understand." : yield* script(one)
          const content: Array<Response.PartEncoded> = typeof answer === "string"
            ? [{ type: "text", text: answer }]
            : answer.map(({ args, name }) => ({
              type: "tool-call",
              id: `call-${++calls}`,
              name,
              params: args,
              providerExecuted: false
            }))
          return [...content, {
            type: "finish",
            reason: typeof answer === "string" ? "stop" : "tool-calls",
            usage: {
              inputTokens: { uncached: cost, total: cost, cacheRead: 0, cacheWrite: 0 },
              outputTokens: { total: 0, text: 0, reasoning: 0 }
            },
            response: undefined
          } as Response.PartEncoded]
        }),
      streamText: () => Stream.empty
    })
    return Context.make(LanguageModel.LanguageModel, model).pipe(
      Context.add(
        Brain,
        Brain.of({
          when: (text, script) => Effect.sync(() => void scripts.set(text, script)),
          asked: Effect.sync(() => [...asked]),
          costs: (tokens) =>
            Effect.sync(() => {
              cost = tokens
            })
        })
      )
    )
  }))
}

/** What tasks are done by, over a drive below HTTP. */
export const agentOn = <A, E, R>(drive: Layer.Layer<A, E, R>) =>
  AgentWorker.layer.pipe(
    Layer.provideMerge(Operations.layer),
    Layer.provideMerge(Brain.layer),
    Layer.provideMerge(drive)
  )

export const TestAgent = agentOn(TestDrive)

export const unavailable = new AiError.AiError({
  module: "Test",
  method: "generateText",
  reason: new AiError.RateLimitError({})
})

/** A user with a token for the agent. */
export const credentialOf = Effect.fnUntraced(
  function*(accountId: AccountId, limits: Limits = unlimited, name = "test") {
    const tokens = yield* ApiTokens
    const { text } = yield* tokens.create({ name: name as any, limits, expireTime: null }).pipe(as(accountId))
    return yield* tokens.resolve(text)
  }
)

export const newCredential = Effect.fnUntraced(function*(limits: Limits = unlimited) {
  return yield* credentialOf(yield* TestAccounts.use((users) => users.add()), limits)
})

export const by = (credential: Credential) => Effect.provideService(CurrentCredential, credential)

let messages = 0

export const message = (part: string | NewPart, fields: Partial<NewMessage> = {}): NewMessage => ({
  messageId: `m-${++messages}`,
  parts: [typeof part === "string" ? { text: part } : part],
  ...fields
})

export const send = (credential: Credential, part: string | NewPart | NewMessage, fields: Partial<NewMessage> = {}) =>
  Tasks.use((tasks) => tasks.send(typeof part === "object" && "messageId" in part ? part : message(part, fields))).pipe(
    by(credential)
  )

export const get = (credential: Credential, { id }: Pick<TaskView, "id">) =>
  Tasks.use((tasks) => tasks.get(id)).pipe(by(credential))

/** Runs what is due until nothing is. */
export const runJobs = JobsWorker.use((worker) => Effect.repeat(worker.runDue, { while: (count) => count > 0 }))

/** Sends, works, and returns the task as it is then. */
export const doTask = Effect.fnUntraced(
  function*(credential: Credential, part: string | NewPart, fields: Partial<NewMessage> = {}) {
    const task = yield* send(credential, part, fields)
    yield* runJobs
    return yield* get(credential, task)
  }
)

/** What the agent says of a task. */
export const said = (task: TaskView): string =>
  task.statusMessage?.parts.flatMap((part) => "text" in part ? [part.text] : []).join("\n") ?? ""

export const call = (name: string, args: unknown = {}) => Effect.succeed([{ name, args }])

/** A script that makes calls one after the other, and says at the end what came of the last. */
export const steps =
  (...calls: ReadonlyArray<{ readonly name: string; readonly args: unknown }>): Script => ({ results }) =>
    Effect.succeed(
      results.length < calls.length
        ? [calls[results.length]!]
        : `Done: ${JSON.stringify(results.at(-1)?.result ?? null)}`
    )

/** Like an operation's answer. */
export const drive = (credential: Credential, operation: string, body: unknown) =>
  Operations.use((operations) =>
    operations.runNamed(operation, body, { id: credential.accountId, tokenId: null, limits: unlimited })
  ) as Effect.Effect<any, any, Operations>

export const assertState = (task: TaskView, state: TaskView["state"]) =>
  assert.strictEqual(task.state, state, said(task))

export const secondsLater = (count: number) => TestClock.adjust(`${count} seconds`)

export { Redacted }
