/**
 * Carries out the calls of tools that a brain asks for, each once, whenever the process is killed.
 *
 * A call that only reads, or that leaves the drive as one call does however often it is sent, is recorded after it: should the record be lost, it
 * is sent again. Every other call is carried out in the transaction that records it. One has to wait for storage and undoes itself when it is
 * sent twice (`toggle_file_access`): what it is to reach is recorded before.
 */
import { DateTime, Effect, Option, Result, Schema } from "effect"
import { callerOf, type Credential } from "../accounts/Credential.ts"
import { Files } from "../files/Files.ts"
import { Operations } from "../http/Operations.ts"
import * as Limits from "../limits/Limits.ts"
import { Folders } from "../organize/Folders.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import { FileId } from "../shared/Ids.ts"
import { foldCase } from "../shared/Text.ts"
import type { StoredTask, TaskCall } from "../tasks/StoredTask.ts"
import type { TaskRun, ToolResult } from "../tasks/TaskRun.ts"
import { TaskRuns } from "../tasks/TaskRuns.ts"
import type { NewWait } from "../waits/Wait.ts"
import { Away, isAway } from "./Away.ts"
import * as CompactResult from "./CompactResult.ts"
import * as Consent from "./Consent.ts"
import * as DriveTools from "./DriveTools.ts"
import { makeWaitTargets, notThere, targetOf } from "./WaitTargets.ts"

const failure = (error: string, code: string): ToolResult => ({ isFailure: true, result: { error, code } })

const outOfReach = failure("This token may not reach outside its folder.", "token_limit")

const unknownArgument = (tool: DriveTools.AgentTool, args: unknown): ToolResult | null => {
  const unknown = DriveTools.unknownArgument(tool, args)
  return unknown === null ? null : { isFailure: true, result: { ...unknown, code: "unknown_field" } }
}

interface MessagePart {
  readonly kind: "raw" | "url" | "data"
  readonly index: number
  readonly name: string
  readonly fileId?: string | null
  readonly because?: string | null
}

/** The parts of the user's messages that are files or links; of the newest message first. */
const partsOf = ({ entries }: TaskRun): ReadonlyArray<MessagePart> =>
  entries.filter(({ role }) => role === "user").toReversed().flatMap(({ content }) =>
    (content as ReadonlyArray<{ readonly options?: { readonly filedrive?: { readonly part?: MessagePart } } }>)
      .flatMap(({ options }) => options?.filedrive?.part ?? [])
  )

export const makeToolCalls = Effect.gen(function*() {
  const operations = yield* Operations
  const runs = yield* TaskRuns
  const files = yield* Files
  const folders = yield* Folders
  const targets = yield* makeWaitTargets

  const run = (
    credential: Credential,
    operation: string,
    body: unknown,
    args: unknown,
    ofArguments = (said: string) => said
  ): Effect.Effect<ToolResult, Away> =>
    operations.runNamed(operation, body, callerOf(credential)).pipe(
      Effect.matchEffect({
        onSuccess: (answer) =>
          Effect.succeed<ToolResult>({ isFailure: false, result: CompactResult.compact(answer, args) }),
        onFailure: ({ code, error, field }: any) => {
          const outcome: ToolResult = {
            isFailure: true,
            result: {
              error: ofArguments(error),
              code,
              ...field !== undefined && { field: ofArguments(field) }
            }
          }
          return isAway({ code }) ? Effect.fail(new Away({ outcome })) : Effect.succeed(outcome)
        }
      })
    )

  const runTool = (credential: Credential, tool: DriveTools.DriveTool, args: unknown) =>
    run(credential, tool.operation, tool.bodyOf(args), args, tool.ofArguments)

  /** The files of these ids that the credential reaches. */
  const reached = Effect.fnUntraced(function*({ accountId, limits }: Credential, ids: ReadonlyArray<FileId>) {
    const own = yield* files.own(accountId, limits, ids)
    const found = yield* Effect.forEach(own, (id) => files.find(accountId, id))
    return found.flatMap(Option.toArray)
  })

  /** The file whose access a call inverts; null when there is none. */
  const toggled = Effect.fnUntraced(function*(credential: Credential, args: unknown) {
    const { id } = Object(args) as Readonly<Record<string, unknown>>
    return isFileId(id) ? (yield* reached(credential, [id]))[0] ?? null : null
  })

  /** The names of the files that a call is about, of many the first. */
  const namesOf = Effect.fnUntraced(function*(credential: Credential, args: unknown) {
    const { fileId, fileIds, id } = Object(args) as Readonly<Record<string, unknown>>
    const ids = [id, fileId, fileIds].flat().filter(isFileId).slice(0, namedFiles)
    return (yield* reached(credential, ids)).map(({ fileName }) => fileName)
  })

  const toggle = Effect.fnUntraced(
    function*(task: StoredTask, call: TaskCall, credential: Credential, work: Effect.Effect<ToolResult, Away>) {
      const file = yield* toggled(credential, call.args)
      const before = call.before as { readonly isPublic: boolean } | null
      if (file !== null && call.state === "asking" && before !== null && before.isPublic !== file.isPublic) {
        const { fileName, id, isPublic } = file
        return { isFailure: false, result: { id, fileName, isPublic } } satisfies ToolResult
      }
      if (call.state === "pending") {
        yield* runs.asking(task, call, file === null ? null : { isPublic: file.isPublic })
      }
      return yield* work
    }
  )

  const carryOut = Effect.fnUntraced(
    function*(task: StoredTask, credential: Credential, call: TaskCall, tool: DriveTools.DriveTool) {
      const work = runTool(credential, tool, call.args)
      const isToggle = tool.operation === "toggleFileAccess"
      if (tool.effect !== "reads" && !tool.isRepeatable && !isToggle) return yield* runs.carryOut(task, call, work)
      if (tool.effect !== "reads" && !isToggle && call.state === "pending") yield* runs.asking(task, call, null)
      const outcome = yield* isToggle ? toggle(task, call, credential, work) : work
      yield* runs.called(task, call, outcome)
      return outcome
    }
  )

  /** The outcome of a call that only reads, which is not recorded; null for every other call. Fails with `Away`. */
  const look = Effect.fnUntraced(
    function*(
      credential: Credential,
      { args, name }: Pick<TaskCall, "name" | "args">
    ): Effect.fn.Return<ToolResult | null, Away> {
      const tool = DriveTools.find(name, credential.limits)
      if (typeof tool === "string" || "own" in tool || tool.effect !== "reads") return null
      return unknownArgument(tool, args) ?? (yield* runTool(credential, tool, args))
    }
  )

  /** Whether what comes to a folder can come to that which a credential is limited to. */
  const isInReach = Effect.fnUntraced(function*({ accountId, limits }: Credential, path: FolderPath.Path | null) {
    const folder = path === null || limits.folderId === null
      ? null
      : Option.getOrNull(yield* folders.find(accountId, limits.folderId))
    const [wanted, top] = [FolderPath.folded(path ?? undefined), folder === null ? null : foldCase(folder.path)]
    return wanted === null || top === null || FolderPath.isInside(wanted, top) || FolderPath.isInside(top, wanted)
  })

  const wait = Effect.fnUntraced(function*(task: StoredTask, credential: Credential, call: TaskCall) {
    const target = targetOf(call.args)
    if (Result.isFailure(target)) {
      yield* runs.called(task, call, target.failure)
      return target.failure
    }
    const { text, ...wanted } = target.success
    if (!(yield* isInReach(credential, wanted.folderPath))) {
      yield* runs.called(task, call, outOfReach)
      return outOfReach
    }
    const longest = DateTime.addDuration(yield* DateTime.now, Limits.longestWait)
    return yield* runs.wait(
      task,
      call,
      Effect.map(
        targets.look(credential, wanted),
        (state): { readonly wait: NewWait } | { readonly outcome: ToolResult } => {
          if (state._tag === "Missing") return { outcome: notThere(wanted) }
          if (state._tag === "Over") return { outcome: { isFailure: false, result: state.result } }
          return {
            wait: {
              ...wanted,
              taskId: task.id,
              targetName: state.name,
              withinFolder: credential.limits.folderId,
              text,
              untilTime: state.endTime === null ? longest : DateTime.min(longest, state.endTime)
            }
          }
        }
      )
    )
  })

  const part = Effect.fnUntraced(
    function*(run_: TaskRun, credential: Credential, call: TaskCall, own: "savePart" | "importPart") {
      const { task } = run_
      const { folder, index } = (call.args ?? {}) as { readonly index?: unknown; readonly folder?: unknown }
      const kind = own === "savePart" ? "raw" : "url"
      const found = partsOf(run_).find((one) => one.kind === kind && one.index === index)
      const to = folder === undefined || folder === null ? {} : { folder }
      if (found === undefined) {
        const outcome = failure(
          `The message has no ${kind === "raw" ? "file" : "link"} as part ${String(index)}.`,
          "not_found"
        )
        yield* runs.called(task, call, outcome)
        return outcome
      }
      if (kind === "url") {
        return yield* runs.carryOut(task, call, run(credential, "importFromUrl", { url: found.name, ...to }, {}))
      }
      const saved: ToolResult = found.fileId === null
        ? failure(found.because ?? "The file was not saved.", "not_saved")
        : { isFailure: false, result: { id: found.fileId, fileName: found.name } }
      if (saved.isFailure || !("folder" in to)) {
        yield* runs.called(task, call, saved)
        return saved
      }
      return yield* runs.carryOut(
        task,
        call,
        Effect.map(
          run(credential, "moveFiles", { fileIds: [found.fileId], ...to }, {}),
          (moved) =>
            moved.isFailure ? moved : { isFailure: false, result: { id: found.fileId, fileName: found.name, folder } }
        )
      )
    }
  )

  /**
   * Carries out one call and records it. Null when the task waits from now on. Fails when the run is outdated, and with `Away`: then it is
   * to be called again with the call as it is recorded by then.
   */
  const perform = Effect.fn("ToolCalls.perform")(function*(run_: TaskRun, credential: Credential, call: TaskCall) {
    const { task } = run_
    const tool = DriveTools.find(call.name, credential.limits)
    if (typeof tool === "string") {
      const outcome = failure(tool, "no_such_tool")
      yield* runs.called(task, call, outcome)
      return outcome
    }
    const unknown = unknownArgument(tool, call.args)
    if (unknown !== null) {
      yield* runs.called(task, call, unknown)
      return unknown
    }
    const needs = "own" in tool ? undefined : tool.needsConsent
    const names = call.state === "pending" && Consent.asksForFiles(run_, call.args, needs)
      ? yield* namesOf(credential, call.args)
      : []
    const refused = call.state === "pending"
      ? Consent.refusalOf(run_, call, needs, DriveTools.consentKind, names)
      : null
    if (refused !== null) {
      const outcome: ToolResult = { isFailure: true, result: Consent.resultOf(refused) }
      yield* runs.called(task, call, outcome)
      return outcome
    }
    if (!("own" in tool)) return yield* carryOut(task, credential, call, tool)
    if (tool.own === "wait") return yield* wait(task, credential, call)
    if (tool.own !== "endWait") return yield* part(run_, credential, call, tool.own)
    yield* runs.endWait(task.accountId, task.id, { woken: false, reason: "ended", event: null })
    const outcome: ToolResult = { isFailure: false, result: { ended: true } }
    yield* runs.called(task, call, outcome)
    return outcome
  })

  return { look, perform, run, targets }
})

export type ToolCalls = Effect.Success<typeof makeToolCalls>

/** Of a call about more files than this the first are looked at. */
const namedFiles = 100

const isFileId = Schema.is(FileId)
