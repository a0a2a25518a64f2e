/** The agent's tasks, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"
import tasks0042 from "./0042_tasks.ts"
import { TasksApi } from "./TasksApi.ts"
import { TasksHandlers } from "./TasksHandlers.ts"
import { TasksLayer } from "./TasksLayer.ts"
import { webhookJob } from "./Webhooks.ts"

const tables = [
  "agent_tasks",
  "agent_messages",
  "agent_entries",
  "agent_calls",
  "agent_webhooks",
  "agent_deliveries"
] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const TasksFeature = {
  name: "tasks",
  layer: TasksLayer,
  api: [TasksApi],
  handlers: TasksHandlers,
  tables,
  migrations: { "0042_tasks": tasks0042 },
  jobs: [webhookJob]
} as const satisfies Feature
