/**
 * Does the tasks that were given to the agent: asks the brain, carries out the calls it asks for, until it answers in words. Each call of the
 * brain and of a tool is recorded as a step of its own, so another process continues where one was killed.
 *
 * The brain is effect's `LanguageModel`; whichever it is, it is asked in the same way.
 */
import { Cause, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { type AiError, LanguageModel, Prompt, type Tool } from "effect/ai"
import { ApiTokens } from "../accounts/ApiTokens.ts"
import { type Credential, within } from "../accounts/Credential.ts"
import * as DatabaseFault from "../database/DatabaseFault.ts"
import { Events } from "../events/Events.ts"
import { done, type JobOutcome, retry } from "../jobs/Jobs.ts"
import * as Limits from "../limits/Limits.ts"
import type { AccountId, TaskId } from "../shared/Ids.ts"
import { directCall } from "../tasks/PromptParts.ts"
import type { StoredTask, TaskCall } from "../tasks/StoredTask.ts"
import {
  type Answer,
  type Outdated,
  type ReadyRun,
  type TaskRun,
  type ToolResult,
  withAnswer
} from "../tasks/TaskRun.ts"
import { TaskRuns, waitTool } from "../tasks/TaskRuns.ts"
import { taskStepJob, type Wait } from "../waits/Wait.ts"
import { AgentLimits } from "./AgentLimits.ts"
import { Away } from "./Away.ts"
import * as DriveTools from "./DriveTools.ts"
import * as ModelFailure from "./ModelFailure.ts"
import { makeReplies } from "./Replies.ts"
import * as TaskPrompt from "./TaskPrompt.ts"
import { makeToolCalls } from "./ToolCalls.ts"
import { deleted } from "./WaitTargets.ts"

/** The id of a call that a message asks for itself. */
const directId = "direct"

const encode = Schema.encodeSync(Prompt.Prompt)

/** A value of the model's without what no database stores. */
const storable = <A>(value: A): A =>
  JSON.parse(
    JSON.stringify(value, (_, entry: unknown) =>
      typeof entry === "string" ? entry.replaceAll("\u0000", "").toWellFormed() : entry)
  ) as A

/** The announcement of another process may be lost. */
const pollInterval = Duration.seconds(2)

/**
 * While the drive can't be reached, a call is made again after 1, 2, 4 and 8 s. Then its refusal is what the brain is told; where the
 * database is away, so that nothing can be recorded, the task is left to its job, which goes on when it is back.
 */
const awayMax = 4

/** A task is ended after so many faults that nobody foresaw, in a row: each time the model may have been paid for. */
const faultsMax = 3

/** A token that was valid is not asked for again so soon. */
const validMillis = 100

/** The credential of a task, with what the task's messages allow; null when it is no longer valid. */
interface Valid {
  readonly now: (task: StoredTask) => Effect.Effect<Credential | null>
  /** As it was a moment ago at most, for what only reads. */
  readonly lately: (task: StoredTask) => Effect.Effect<Credential | null>
}

/** A task does no more than the tokens of its messages might do. */
const limitedTo = ({ permissions }: StoredTask) => (credential: Credential | null) =>
  credential === null ? null : within(permissions, credential)

const nowMillis = Effect.map(DateTime.now, DateTime.toEpochMillis)

/** What took no longer, and cost nothing, is recorded with what follows. */
const cheapMillis = 250

/**
 * Whether an answer need not be recorded before the next step: all of its calls only read and have been carried out, and asking again after a
 * crash costs nothing but a moment.
 */
const isCheap = ({ calls, tokens }: Answer, tookMillis: number): boolean =>
  tokens === 0 && tookMillis >= 0 && tookMillis <= cheapMillis && calls.every(({ outcome }) => outcome !== undefined)

/** A call that is to be carried out next: not one that waits for something. */
const nextCall = (calls: ReadonlyArray<TaskCall>): TaskCall | undefined =>
  calls.find(({ name, state }) => state === "pending" || state === "asking" && name !== waitTool)

/** Whether the drive could not be reached, which is no fault of the task's. */
const isOfAway = (cause: Cause.Cause<unknown>): boolean =>
  cause.reasons.some((reason) => Cause.isFailReason(reason) && reason.error instanceof Away) ||
  DatabaseFault.ofCause(cause) !== undefined

const make = Effect.gen(function*() {
  const runs = yield* TaskRuns
  const tokens = yield* ApiTokens
  const events = yield* Events
  const model = yield* LanguageModel.LanguageModel
  const bounds = yield* AgentLimits
  const tools = yield* makeToolCalls
  const replyOf = makeReplies(tools)

  /** What ends when the task has ended, or another run of it has begun. What changed before is seen when the answer is recorded. */
  const untilOutdated = (task: StoredTask) =>
    Effect.map(events.nextChange(task.id), (next) =>
      Effect.gen(function*() {
        do yield* Effect.timeoutOption(next, pollInterval)
        while (yield* runs.isCurrent(task))
        return null
      }))

  /** One answer of the brain; null when the run is outdated meanwhile. */
  const ask = Effect.fnUntraced(function*(run: TaskRun, credential: Credential, outdated: Effect.Effect<null>) {
    const prompt = TaskPrompt.promptOf(run, yield* DateTime.now)
    const kit = DriveTools.kitOf(credential.limits, run.wait !== null)
    // Its type asks for what the tools' handlers need, which are never run.
    const generated = model.generateText({
      prompt,
      toolkit: kit,
      disableToolCallResolution: true,
      toolCallValidation: "deferred"
    }) as Effect.Effect<
      LanguageModel.GenerateTextResponse<Record<string, Tool.Any>, "deferred">,
      AiError.AiError
    >
    // A model that is to be asked again after a failure does that itself.
    const asked = Effect.timeout(generated, bounds.modelTime)
    const response = yield* Effect.raceFirst(asked, outdated)
    if (response === null) return null
    const message = encode(Prompt.fromResponseParts(response.content)).content.find(({ role }) => role === "assistant")
    return {
      text: storable(response.text.trim()),
      content: storable((message?.content ?? []) as ReadonlyArray<unknown>),
      calls: response.toolCalls.map(({ id, name, params }) => storable({ callId: id, name, args: params ?? {} })),
      tokens: (response.usage.inputTokens.total ?? 0) + (response.usage.outputTokens.total ?? 0)
    }
  })

  /** Ends a task whose message called a tool itself. */
  const endDirect = Effect.fnUntraced(function*(run: TaskRun, credential: Credential) {
    const { calls, task } = run
    const [{ isFailure, name, result }] = calls as [TaskCall]
    if (isFailure === true) {
      const { error } = result as { readonly error: string }
      return yield* Effect.as(runs.failed(task.accountId, task.id, error), true)
    }
    const said = yield* replyOf(`${name} is done.`, calls, credential)
    const artifacts = said.artifacts!.map((artifact) =>
      artifact.name === "Reply" ? { ...artifact, parts: [...artifact.parts, { data: result }] } : artifact
    )
    return yield* runs.finished(run, { parts: [...said.parts!, { data: result }], artifacts }, 0)
  })

  /**
   * Carries out the first calls of an answer as long as they only read: so they are recorded with it. Should the process end before, the
   * model is asked again.
   */
  const looked = Effect.fnUntraced(function*(answer: Answer, task: StoredTask, valid: Valid, isPatient: boolean) {
    const calls = [...answer.calls]
    for (const [at, call] of calls.entries()) {
      const credential = yield* valid.lately(task)
      const outcome = credential === null ? null : yield* tools.look(credential, call).pipe(
        Effect.catchTag("Away", (away) => isPatient ? Effect.fail(away) : Effect.succeed(away.outcome))
      )
      if (outcome === null) break
      calls[at] = { ...call, outcome }
    }
    return { ...answer, calls }
  })

  /** The next step of a run; returns the run to continue with, or null when there is nothing to do now. */
  const step = Effect.fnUntraced(function*(
    run: TaskRun,
    credential: Credential,
    valid: Valid,
    outdated: Effect.Effect<null>,
    isPatient: boolean
  ) {
    const { calls, entries, task } = run
    const reload = runs.read(run)
    const call = nextCall(calls)
    if (call !== undefined) {
      const outcome = yield* tools.perform(run, credential, call).pipe(
        Effect.catchTag(
          "Away",
          (away): Effect.Effect<ToolResult, Away | Outdated> =>
            isPatient ? Effect.fail(away) : Effect.as(runs.called(task, call, away.outcome), away.outcome)
        )
      )
      return outcome === null ? null : yield* reload
    }
    const last = entries.at(-1)!
    const direct = directCall(entries[0]!.content)
    if (direct !== null && entries.length === 1) {
      return yield* runs.answered(run, {
        content: [{ type: "tool-call", id: directId, name: direct.name, params: direct.args, providerExecuted: false }],
        calls: [{ callId: directId, ...direct }],
        tokens: 0
      })
    }
    if (direct !== null && last.no === 1) return (yield* endDirect(run, credential)) ? null : yield* reload
    const askedMillis = yield* nowMillis
    const answer = yield* ask(run, credential, outdated)
    if (answer === null) return null
    if (answer.calls.length > 0) {
      const whole = yield* looked(answer, task, valid, isPatient)
      const took = (yield* nowMillis) - askedMillis
      return isCheap(whole, took) ? withAnswer(run, whole) : yield* runs.answered(run, whole)
    }
    if (answer.text === "") {
      return yield* Effect.as(runs.failed(task.accountId, task.id, "The model gave no answer."), null)
    }
    const said = yield* replyOf(answer.text, calls, credential)
    return (yield* runs.finished(run, said, answer.tokens)) ? null : yield* reload
  })

  const validFor = ({ accountId, credentialId }: StoredTask): Valid => {
    let known: { readonly credential: Credential | null; readonly millis: number } | undefined
    const ask = (millis: number) =>
      Effect.tap(tokens.find(accountId, credentialId), (credential) =>
        Effect.sync(() => {
          known = { credential, millis }
        }))
    const lately = Effect.flatMap(
      nowMillis,
      (now) =>
        known !== undefined && now - known.millis < validMillis && now >= known.millis
          ? Effect.succeed(known.credential)
          : ask(now)
    )
    return {
      now: (task) => Effect.map(Effect.flatMap(nowMillis, ask), limitedTo(task)),
      lately: (task) => Effect.map(lately, limitedTo(task))
    }
  }

  const notAsked = ({ accountId, id }: StoredTask, error: AiError.AiError | Cause.TimeoutError) =>
    Effect.andThen(
      Effect.logWarning(`The model could not be asked for the task ${id}.`, error),
      runs.failed(accountId, id, ModelFailure.sentenceOf(error))
    )

  const overBounds = ({ steps, tokens: used }: StoredTask, startMillis: number, nowMillis: number): string | null =>
    steps >= bounds.steps
      ? `The task was ended after ${bounds.steps} steps.`
      : bounds.tokens !== null && used >= bounds.tokens
      ? `The task was ended after ${used} tokens.`
      : nowMillis - startMillis > Duration.toMillis(bounds.time)
      ? `The task was ended after ${Duration.format(bounds.time)}.`
      : null

  /** `isPatient`: fails with `Away` while the drive can't be reached. */
  const work = Effect.fnUntraced(function*(begun: TaskRun, isPatient: boolean) {
    const { accountId, id } = begun.task
    const startMillis = yield* nowMillis
    const outdated = yield* untilOutdated(begun.task)
    let run: TaskRun | null = begun
    const valid = validFor(begun.task)
    while (run !== null) {
      const over = overBounds(run.task, startMillis, yield* nowMillis)
      if (over !== null) return yield* runs.failed(accountId, id, over)
      // Asked before each call: a token may be revoked, or lapse, at any moment.
      const credential: Credential | null = yield* nextCall(run.calls) === undefined
        ? valid.lately(run.task)
        : valid.now(run.task)
      if (credential === null) {
        return yield* runs.failed(accountId, id, "The token that began this task is no longer valid.")
      }
      run = yield* step(run, credential, valid, outdated, isPatient)
    }
  }, Effect.scoped)

  /** What a task waits for may have ended otherwise. Returns when to look again; null when the task continues. */
  const look = Effect.fnUntraced(function*(task: StoredTask, wait: Wait) {
    const { accountId, id } = task
    const credential = limitedTo(task)(yield* tokens.find(accountId, task.credentialId))
    if (credential === null) {
      yield* runs.failed(accountId, id, "The token that began this task is no longer valid.")
      return null
    }
    const state = yield* tools.targets.look(credential, wait)
    const now = yield* DateTime.now
    const longest = DateTime.addDuration(wait.sinceTime, Limits.longestWait)
    if (state._tag !== "Open") {
      yield* runs.endWait(accountId, id, state._tag === "Over" ? state.result : deleted(wait, wait.targetName))
      return null
    }
    const untilTime = state.endTime === null ? longest : DateTime.min(longest, state.endTime)
    if (DateTime.isLessThanOrEqualTo(untilTime, now)) {
      yield* runs.endWait(accountId, id, { woken: true, reason: "expired", event: null })
      return null
    }
    if (!DateTime.Equivalence(untilTime, wait.untilTime)) yield* runs.extendWait(accountId, id, untilTime)
    return untilTime
  })

  return Effect.fn("AgentWorker.run")(function*(accountId: AccountId, taskId: TaskId, given?: ReadyRun) {
    let [away, faults] = [0, 0]
    let ready = given
    while (true) {
      const begun = yield* runs.begin(accountId, taskId, ready)
      ready = undefined
      if (begun._tag === "Nothing") return done as JobOutcome
      if (begun._tag === "CheckWait") {
        const time = yield* look(begun.task, begun.wait)
        if (time !== null) return retry(time)
        continue
      }
      const fault = yield* work(begun.run, away < awayMax).pipe(
        Effect.catchTag("Outdated", () => Effect.void),
        Effect.catchTags({
          AiError: (error) => notAsked(begun.run.task, error),
          TimeoutError: (error) => notAsked(begun.run.task, error)
        }),
        Effect.as(null),
        Effect.catchCause((cause) => Cause.hasInterruptsOnly(cause) ? Effect.failCause(cause) : Effect.succeed(cause))
      )
      if (fault === null) return done as JobOutcome
      if (isOfAway(fault)) {
        if (away === awayMax) return yield* Effect.failCause(fault)
        yield* Effect.logInfo(`The task ${taskId} goes on when the drive can be reached again.`, fault)
        yield* Effect.sleep(Duration.seconds(2 ** away))
        away += 1
        continue
      }
      faults += 1
      yield* Effect.logError(`A fault in the task ${taskId}`, fault)
      if (faults === faultsMax) {
        yield* runs.failed(accountId, taskId, "A fault of the drive's ended this task. Its log says which.")
        return done as JobOutcome
      }
      yield* Effect.sleep(Duration.seconds(faults))
    }
  })
})

/** Handles the steps of tasks in this process. Asks for a `LanguageModel`, the drive's services and its operations. */
export const layer = Layer.effectDiscard(
  Effect.flatMap(
    make,
    (run) =>
      taskStepJob.handle(({ accountId, taskId }, { ready }) => run(accountId, taskId, ready as ReadyRun | undefined))
  )
)
