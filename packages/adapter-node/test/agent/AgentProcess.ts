/**
 * A process that gives the agent tasks and does them, until it is killed:
 * `node AgentProcess.ts <postgres url | directory> <schema> <storage directory> <accounts>`. Each task makes five playlists, whose making is not
 * repeatable, one call each. Prints `sent` once all tasks were taken, and `done` with how often each playlist is there once all have ended.
 */
import {
  AccountsAdmin,
  AgentWorker,
  ApiTokens,
  ApiTokenText,
  CurrentCredential,
  Database,
  DatabaseSchema,
  Ids,
  JobsWorker,
  LeaseLifetime,
  migrate,
  Operations,
  type Task,
  Tasks
} from "@filedrive/core"
import { Duration, Effect, Layer, Schedule, Stream } from "effect"
import { LanguageModel } from "effect/ai"
import * as Pglite from "../../src/database/Pglite.ts"
import * as Postgres from "../../src/database/Postgres.ts"
import { printLine } from "../printLine.ts"
import { driveOn } from "../WorkerDrive.ts"

const [where, schema, root, accountCount] = process.argv.slice(2) as [string, string, string, string]

const perAccount = 6
const playlists = 5

/** One playlist after the other. */
const Brain = Layer.effect(
  LanguageModel.LanguageModel,
  LanguageModel.make({
    generateText: ({ prompt }) =>
      Effect.sync(() => {
        const from = prompt.content.findLastIndex(({ role }) => role === "user")
        const [{ text }] = prompt.content[from]!.content as unknown as readonly [{ readonly text: string }]
        const made = prompt.content.slice(from).filter(({ role }) => role === "tool").length
        if (made === playlists) return [{ type: "text", text: "Done." }]
        const params = { title: `${text} ${made}` }
        return [{ type: "tool-call", id: `c${made}`, name: "create_playlist", params, providerExecuted: false }]
      }),
    streamText: () => Stream.empty
  })
)

const database = where.startsWith("postgres") ? Postgres.layer({ url: where }) : Pglite.layer({ directory: where })

const Drive = Layer.mergeAll(AgentWorker.layer, JobsWorker.layer).pipe(
  Layer.provideMerge(Operations.Operations.layer),
  Layer.provideMerge(Brain),
  Layer.provideMerge(AccountsAdmin.layer),
  Layer.provideMerge(driveOn(root)),
  Layer.provideMerge(Layer.effectDiscard(migrate)),
  Layer.provideMerge(Database.layer),
  Layer.provideMerge(database),
  Layer.provide(
    Layer.mergeAll(Layer.succeed(DatabaseSchema, schema), Layer.succeed(LeaseLifetime, Duration.seconds(3)))
  )
)

const ids = Array.from(
  { length: Number(accountCount) },
  (_, at) => Ids.AccountId.make(`01999a10-0000-7000-8000-${String(at).padStart(12, "0")}`)
)

/** The same after each start: what was taken before is known by its message. */
const send = Effect.fnUntraced(function*(accountId: Ids.AccountId) {
  const tokens = yield* ApiTokens
  const tasks = yield* Tasks
  const text = ApiTokenText.make(`fdt_of-the-test-of-killed-processes-${accountId}`)
  yield* AccountsAdmin.use((admin) => admin.create({ id: accountId, plan: "pro", quotaBytes: null } as never))
  yield* tokens.register(accountId, text, {
    name: "test" as never,
    limits: { permissions: null, folderId: null },
    expireTime: null
  })
  const credential = yield* tokens.resolve(text)
  for (let at = 0; at < perAccount; at++) {
    const message: Task.NewMessage = { messageId: `m${at}`, parts: [{ text: `Task ${at}` }] }
    // Those that are followed begin in the transaction that takes them.
    const sent = at % 2 === 0
      ? Effect.scoped(Effect.asVoid(tasks.sendFollowed(message)))
      : Effect.asVoid(tasks.send(message))
    yield* Effect.provideService(sent, CurrentCredential, credential)
  }
})

const counts = Database.use(({ sql, tables: t }) =>
  sql<{ readonly open: number; readonly completed: number; readonly made: number; readonly titles: number }>`
    SELECT (SELECT count(*)::int FROM ${t.agent_tasks} WHERE phase NOT IN ('completed', 'failed', 'canceled')) AS open,
      (SELECT count(*)::int FROM ${t.agent_tasks} WHERE phase = 'completed') AS completed,
      (SELECT count(*)::int FROM ${t.lists}) AS made,
      (SELECT count(DISTINCT (account_id, title))::int FROM ${t.lists}) AS titles
  `
).pipe(Effect.map((rows) => rows[0]!))

const work = Effect.gen(function*() {
  printLine("up")
  yield* Effect.forEach(ids, send, { concurrency: 4, discard: true })
  printLine("sent")
  const end = yield* Effect.repeat(counts, { until: ({ open }) => open === 0, schedule: Schedule.spaced("50 millis") })
  printLine(`done ${JSON.stringify(end)}`)
  return yield* Effect.never
})

await Effect.runPromise(Effect.provide(work, Drive))
