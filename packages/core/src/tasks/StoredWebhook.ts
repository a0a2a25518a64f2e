/** Webhooks of tasks as the database has them. */
import type { TaskId, WebhookId } from "../shared/Ids.ts"

export interface StoredWebhook {
  readonly id: WebhookId
  readonly taskId: TaskId
  /** The caller's id of it. */
  readonly name: string
  readonly url: string
  /** Sealed; null without one. */
  readonly token: string | null
  readonly scheme: string | null
  /** Sealed. */
  readonly credentials: string | null
}

/** A change of a task that is to be delivered. */
export interface PendingReport {
  readonly no: number
  readonly task: unknown
  readonly attempts: number
  readonly dueTime: Date
}
