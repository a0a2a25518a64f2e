/**
 * Tasks in memory, for tests of the protocol alone: what the drive does with them is tested with the drive. A message "hold" is worked on
 * until it is cancelled, every other one is answered with its own words.
 */
import { CurrentCredential, DriveError, type Ids, type Task, Task as Tasks_, Tasks } from "@filedrive/core"
import { DateTime, Duration, Effect, Layer } from "effect"

interface Kept {
  view: Task.TaskView
  readonly owner: string
  readonly webhooks: Map<string, Task.Webhook>
}

const keptPart = (part: Task.NewPart): Task.Part =>
  "raw" in part
    ? {
      ...part,
      raw: {
        fileId: "0199a000-0000-7000-8000-00000000000f" as Ids.FileId,
        fileName: part.filename ?? "file",
        mimeType: part.mediaType ?? "application/octet-stream",
        sizeBytes: part.raw.length,
        because: null
      }
    }
    : part

const wordsOf = (parts: ReadonlyArray<Task.Part>): string =>
  parts.map((part) =>
    "text" in part
      ? part.text
      : "url" in part
      ? part.url
      : "raw" in part
      ? `${part.raw.fileName} ${part.raw.sizeBytes}`
      : JSON.stringify(part.data)
  ).join(" ")

export const layer = Layer.sync(Tasks, () => {
  const all = new Map<string, Kept>()
  let count = 0
  const idOf = (kind: number) => `0199a000-0000-7000-800${kind}-${String(++count).padStart(12, "0")}`

  const find = Effect.fnUntraced(function*(id: string) {
    const { id: owner } = yield* CurrentCredential
    const kept = all.get(id)
    if (kept === undefined || kept.owner !== owner) return yield* new Tasks_.TaskNotFound({ resource: "task", id })
    return kept
  })

  const shown = ({ view }: Kept, { historyLength }: { readonly historyLength?: number | undefined } = {}) => ({
    ...view,
    history: historyLength === undefined ? view.history : view.history.slice(view.history.length - historyLength)
  })

  const status = (view: Task.TaskView, state: Task.TaskState, text: string, time: DateTime.Utc): Task.TaskView => ({
    ...view,
    state,
    statusTime: time,
    statusMessage: {
      messageId: idOf(1),
      role: "agent",
      parts: [{ text }],
      contextId: view.contextId,
      taskId: view.id,
      metadata: null,
      time
    }
  })

  const setWebhook = Effect.fnUntraced(function*(kept: Kept, { authentication, id = idOf(2), url }: Task.NewWebhook) {
    if (!url.startsWith("https://")) {
      return yield* new DriveError.InvalidField({
        code: "invalid_field",
        field: "url",
        because: "must be an https address"
      })
    }
    const webhook: Task.Webhook = {
      taskId: kept.view.id,
      id,
      url,
      authentication: authentication === undefined ? null : { scheme: authentication.scheme }
    }
    kept.webhooks.set(id, webhook)
    return webhook
  })

  const tasks: Tasks["Service"] = Tasks.of({
    sendFollowed: (message, options) =>
      Effect.map(tasks.send(message, options), (taken) => ({
        taken,
        settled: (timeout) => tasks.untilSettled(taken.id, timeout, options)
      })),
    send: Effect.fnUntraced(function*(message, options) {
      const { id: owner } = yield* CurrentCredential
      const time = yield* DateTime.now
      if (message.parts.some((part) => "text" in part && part.text === "fault")) {
        return yield* Effect.die(new Error("secret cause"))
      }
      if (message.parts.some((part) => "text" in part && part.text === "away")) {
        return yield* new DriveError.Unavailable({ code: "unavailable", cause: "secret cause" })
      }
      const joined = message.taskId === undefined ? undefined : yield* find(message.taskId)
      if (joined !== undefined && joined.view.state !== "working") {
        return yield* new Tasks_.TaskEnded({ id: joined.view.id, state: joined.view.state })
      }
      const id = joined?.view.id ?? idOf(0) as Ids.TaskId
      const contextId = message.contextId ?? joined?.view.contextId ?? idOf(3)
      const parts = message.parts.map(keptPart)
      const said: Task.TaskMessage = {
        messageId: message.messageId,
        role: "user",
        parts,
        contextId,
        taskId: id,
        metadata: message.metadata ?? null,
        time
      }
      const text = wordsOf(parts)
      const taken: Task.TaskView = {
        id,
        contextId,
        state: "submitted",
        statusTime: time,
        statusMessage: null,
        history: [...joined?.view.history ?? [], said],
        artifacts: [],
        metadata: message.metadata ?? null,
        waits: false
      }
      const view = text === "hold" || joined !== undefined ? status(taken, "working", "Working on it.", time) : {
        ...status(taken, "completed", `You said: ${text}`, time),
        artifacts: [{ artifactId: "reply", name: "Reply", description: null, parts: [{ text: `You said: ${text}` }] }]
      }
      const kept: Kept = { view, owner, webhooks: joined?.webhooks ?? new Map() }
      if (options?.webhook !== undefined) {
        yield* Effect.mapError(
          setWebhook(kept, options.webhook),
          ({ because, code }) =>
            new DriveError.InvalidField({ code, field: "configuration.taskPushNotificationConfig.url", because })
        )
      }
      all.set(id, kept)
      return shown(kept, options)
    }),
    get: (id, options) => Effect.map(find(id), (kept) => shown(kept, options)),
    list: Effect.fnUntraced(function*({ contextId, pageSize = 50, pageToken, state, statusTimeAfter, ...options }) {
      const { id: owner } = yield* CurrentCredential
      if (pageToken !== undefined && !/^\d+$/.test(pageToken)) {
        return yield* new DriveError.InvalidField({
          code: "invalid_field",
          field: "pageToken",
          because: "is not valid"
        })
      }
      const start = Number(pageToken ?? 0)
      const fitting = [...all.values()].toReversed().filter((kept) =>
        kept.owner === owner && (contextId === undefined || kept.view.contextId === contextId) &&
        (state === undefined || kept.view.state === state) &&
        (statusTimeAfter === undefined || DateTime.isGreaterThanOrEqualTo(kept.view.statusTime, statusTimeAfter))
      )
      const end = start + pageSize
      return {
        tasks: fitting.slice(start, end).map((kept) => shown(kept, options)),
        nextPageToken: end < fitting.length ? String(end) : "",
        pageSize,
        totalSize: fitting.length
      }
    }),
    cancel: Effect.fnUntraced(function*(id) {
      const kept = yield* find(id)
      if (kept.view.state !== "working") return yield* new Tasks_.TaskEnded({ id, state: kept.view.state })
      kept.view = status(kept.view, "canceled", "Canceled.", yield* DateTime.now)
      return shown(kept)
    }),
    untilSettled: (id, timeout, options) =>
      Effect.flatMap(find(id), (kept) =>
        kept.view.state === "working"
          ? Effect.delay(Effect.sync(() => shown(kept, options)), Duration.fromInputUnsafe(timeout))
          : Effect.succeed(shown(kept, options))),
    setWebhook: (taskId, webhook) => Effect.flatMap(find(taskId), (kept) => setWebhook(kept, webhook)),
    getWebhook: (taskId, id) =>
      Effect.flatMap(find(taskId), ({ webhooks }) => {
        const webhook = webhooks.get(id)
        return webhook === undefined
          ? Effect.fail(new Tasks_.TaskNotFound({ resource: "webhook", id }))
          : Effect.succeed(webhook)
      }),
    listWebhooks: (taskId) => Effect.map(find(taskId), ({ webhooks }) => [...webhooks.values()]),
    deleteWebhook: (taskId, id) => Effect.map(find(taskId), ({ webhooks }) => void webhooks.delete(id))
  })
  return tasks
})
