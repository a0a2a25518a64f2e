/** Where tasks report their changes, and how these get there. Spec: "Task push notifications". Contract: "The agent". */
import { Context, DateTime, Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import * as Job from "../jobs/Job.ts"
import { done, retry } from "../jobs/Jobs.ts"
import * as Limits from "../limits/Limits.ts"
import { SecretBox } from "../ports/SecretBox.ts"
import { WebhookSender } from "../ports/WebhookSender.ts"
import { InvalidField } from "../shared/DriveError.ts"
import { AccountId, type ApiTokenId, type TaskId, WebhookId } from "../shared/Ids.ts"
import * as Delivery from "./Delivery.ts"
import { type StoredTask, viewOf } from "./StoredTask.ts"
import type { StoredWebhook } from "./StoredWebhook.ts"
import type { NewWebhook, Webhook } from "./Task.ts"
import * as TaskJson from "./TaskJson.ts"
import { WebhooksRepo } from "./WebhooksRepo.ts"

/** Each webhook is a job of its own, so that a slow one delays no other. */
export const webhookJob = Job.define("agent.webhook", {
  description: "Reports changes of a task to a webhook.",
  when: "when a task changes, and 2 and 10 s after failed attempts",
  key: Job.key({ accountId: AccountId, id: WebhookId }),
  concurrency: 256,
  concurrencyOfAccount: 64
})

export class Webhooks extends Context.Service<Webhooks, {
  /** Refuses what is wrong with a webhook as it stands. `prefix` comes before the fields that are named. */
  readonly check: (webhook: NewWebhook, prefix: string) => Effect.Effect<void, InvalidField>
  /** Adds or replaces a webhook of a task. Only inside `AccountTransaction.run`. */
  readonly set: (
    accountId: AccountId,
    taskId: TaskId,
    webhook: NewWebhook,
    prefix: string
  ) => Effect.Effect<{ readonly webhook: Webhook; readonly count: number }, InvalidField>
  readonly list: (accountId: AccountId, taskId: TaskId) => Effect.Effect<ReadonlyArray<Webhook>>
  /** Whether there was one. Only inside `AccountTransaction.run`. */
  readonly remove: (accountId: AccountId, taskId: TaskId, name: string) => Effect.Effect<boolean>
  /** The task has changed. Only inside `AccountTransaction.run`. */
  readonly report: (task: StoredTask) => Effect.Effect<void>
  /** Removes those of all tasks of a credential (null: of every one): nothing is delivered to them any more. */
  readonly removeAll: (accountId: AccountId, credentialId: ApiTokenId | null) => Effect.Effect<void>
}>()("@filedrive/core/tasks/Webhooks") {
  static readonly layerNoDeps = Layer.effect(
    Webhooks,
    Effect.gen(function*() {
      const repo = yield* WebhooksRepo
      const box = yield* SecretBox
      const sender = yield* WebhookSender
      const random = yield* SecureRandom.SecureRandom
      const jobs = yield* webhookJob.queue

      const check: Webhooks["Service"]["check"] = Effect.fnUntraced(
        function*({ authentication, id, token, url }, prefix) {
          const refuse = (field: string, because: string) =>
            new InvalidField({ code: "invalid_field", field: prefix + field, because })
          if (url.length > maxUrlLength) return yield* refuse("url", `must have at most ${maxUrlLength} characters`)
          yield* Effect.mapError(sender.check(url), ({ because }) => refuse("url", because))
          if (id !== undefined && !isName(id)) return yield* refuse("id", "must have 1 to 256 printable characters")
          if (token !== undefined && !isHeader(token)) return yield* refuse("token", headerFlaw)
          if (authentication === undefined) return
          if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/.test(authentication.scheme)) {
            return yield* refuse(
              "authentication.scheme",
              "must be the name of an HTTP authentication scheme, like Bearer"
            )
          }
          const { credentials } = authentication
          if (credentials !== undefined && !isHeader(credentials)) {
            return yield* refuse("authentication.credentials", headerFlaw)
          }
        }
      )

      const sealed = (id: WebhookId, taskId: TaskId, name: string, secret: string | undefined) =>
        secret === undefined || secret === ""
          ? Effect.succeed(null)
          : box.seal(Redacted.make(secret), placeOf({ id, taskId }, name))

      const opened = (webhook: StoredWebhook, name: string, text: string | null) =>
        text === null ? Effect.succeed(null) : Effect.map(box.open(text, placeOf(webhook, name)), Redacted.value)

      const set: Webhooks["Service"]["set"] = Effect.fn("Webhooks.set")(function*(accountId, taskId, given, prefix) {
        const id = WebhookId.make(yield* random.uuidV7())
        const name = given.id ?? id
        yield* repo.remove(accountId, taskId, name)
        const others = yield* repo.list(accountId, taskId)
        if (others.length >= Limits.webhooksPerTask) {
          return yield* new InvalidField({
            code: "invalid_field",
            field: prefix + "id",
            because:
              `must be that of a webhook of this task, which has ${Limits.webhooksPerTask} already, the most it may have`
          })
        }
        const webhook: StoredWebhook = {
          id,
          taskId,
          name,
          url: given.url,
          token: yield* sealed(id, taskId, "token", given.token),
          scheme: given.authentication?.scheme ?? null,
          credentials: yield* sealed(id, taskId, "credentials", given.authentication?.credentials)
        }
        yield* repo.insert(accountId, webhook)
        return { webhook: shown(webhook), count: others.length + 1 }
      })

      const report: Webhooks["Service"]["report"] = Effect.fn("Webhooks.report")(function*(task) {
        if (task.webhooks === 0) return
        for (const id of yield* repo.note(task, yield* DateTime.now)) {
          yield* jobs.enqueue({ accountId: task.accountId, id })
        }
      })

      const headersOf = Effect.fnUntraced(function*(webhook: StoredWebhook) {
        const token = yield* opened(webhook, "token", webhook.token)
        const credentials = yield* opened(webhook, "credentials", webhook.credentials)
        return {
          ...token !== null && { "X-A2A-Notification-Token": token },
          ...webhook.scheme !== null && {
            Authorization: credentials === null ? webhook.scheme : `${webhook.scheme} ${credentials}`
          }
        }
      })

      const attempt = Effect.fnUntraced(function*(webhook: StoredWebhook, task: unknown) {
        const body = JSON.stringify({ task: TaskJson.taskOf(viewOf(revived(task), []), { historyLength: 0 }) })
        yield* sender.send({ url: webhook.url, headers: yield* headersOf(webhook), body })
      })

      const deliver = Effect.fn("Webhooks.deliver")(function*(accountId: AccountId, id: WebhookId) {
        while (true) {
          const webhook = yield* repo.find(accountId, id)
          if (webhook === null) return done
          const next = Delivery.next(yield* repo.pending(accountId, id), yield* DateTime.now)
          if (next._tag === "Nothing") return done
          if (next._tag === "Later") return retry(next.time)
          const { attempts, no, task } = next.delivery
          // Before it is sent: should the process end meanwhile, an older change must not be sent after it.
          yield* repo.forgetOlder(accountId, id, no)
          const failure = yield* attempt(webhook, task).pipe(
            Effect.as(null),
            Effect.catch((error) => Effect.succeed(error))
          )
          if (failure === null) {
            yield* repo.forget(accountId, id, no)
            continue
          }
          // A secret that can't be opened would be sent by no later attempt either.
          const time = failure._tag === "SecretNotOpened"
            ? null
            : Delivery.retryTime({ attempts }, yield* DateTime.now)
          yield* failure._tag === "SecretNotOpened"
            ? Effect.logWarning(
              `A webhook of the task ${webhook.taskId} was not called, because its secrets can't be opened: ${failure.message}`
            )
            : Effect.logInfo(`A webhook of the task ${webhook.taskId} was not reached: ${failure.message}`)
          yield* time === null
            ? repo.forget(accountId, id, no)
            : repo.failed(accountId, id, { no, attempts: attempts + 1, dueTime: DateTime.toDateUtc(time) })
        }
      })

      yield* webhookJob.handle(({ accountId, id }) => deliver(accountId, id))

      return Webhooks.of({
        check,
        set,
        list: (accountId, taskId) => Effect.map(repo.list(accountId, taskId), (all) => all.map(shown)),
        remove: repo.remove,
        removeAll: repo.removeAll,
        report
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(WebhooksRepo.layer))
}

const maxUrlLength = 2_048

const headerFlaw = "must have 1 to 4,096 printable ASCII characters"
const isHeader = (text: string) => /^[\x21-\x7e](?:[\x20-\x7e]{0,4094}[\x21-\x7e])?$/.test(text)
const isName = (text: string) => /^[^\p{Cc}\p{Cs}]{1,256}$/u.test(text)

/** Which row and column a sealed secret is of. */
const placeOf = ({ id, taskId }: Pick<StoredWebhook, "id" | "taskId">, name: string) => `${taskId}/${id}/${name}`

const shown = ({ name, scheme, taskId, url }: StoredWebhook): Webhook => ({
  taskId,
  id: name,
  url,
  authentication: scheme === null ? null : { scheme }
})

/** JSON has dates as text. */
const dateOf = (date: Date): Date => DateTime.toDateUtc(DateTime.makeUnsafe(date))

/** A task that was kept as JSON. */
const revived = (task: unknown): StoredTask => {
  const { insertTime, queueTime, statusTime, ...others } = task as StoredTask
  return {
    ...others,
    insertTime: dateOf(insertTime),
    queueTime: dateOf(queueTime),
    statusTime: dateOf(statusTime)
  }
}
