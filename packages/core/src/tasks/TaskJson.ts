/**
 * Tasks as A2A 1.0 has them, which is also what webhooks are sent. A part that was sent as bytes is a file of the drive by now, so it is shown as data that names the file.
 *
 * Spec: "Agent interface"; "Other resources", Task.
 */
import { DateTime } from "effect"
import type * as Task from "./Task.ts"

/** The states of tasks by the protocol's names. */
export const states = {
  submitted: "TASK_STATE_SUBMITTED",
  working: "TASK_STATE_WORKING",
  completed: "TASK_STATE_COMPLETED",
  failed: "TASK_STATE_FAILED",
  canceled: "TASK_STATE_CANCELED"
} as const satisfies Record<Task.TaskState, string>

const whole = <A>(name: string, value: A | null | undefined) =>
  value === null || value === undefined ? {} : { [name]: value }

const partOf = (part: Task.Part) => {
  const { filename, mediaType, metadata } = part
  const details = { ...whole("filename", filename), ...whole("mediaType", mediaType), ...whole("metadata", metadata) }
  if ("raw" in part) {
    const { because, fileId, fileName, mimeType, sizeBytes } = part.raw
    const data = { fileId, fileName, mimeType, sizeBytes, ...whole("because", because) }
    return { data, filename: fileName, mediaType: mimeType, ...whole("metadata", metadata) }
  }
  if ("text" in part) return { text: part.text, ...details }
  return "url" in part ? { url: part.url, ...details } : { data: part.data, ...details }
}

const messageOf = ({ contextId, messageId, metadata, parts, role, taskId }: Task.TaskMessage) => ({
  messageId,
  contextId,
  taskId,
  role: role === "user" ? "ROLE_USER" : "ROLE_AGENT",
  parts: parts.map(partOf),
  ...whole("metadata", metadata)
})

const artifactOf = ({ artifactId, description, name, parts }: Task.Artifact) => ({
  artifactId,
  name,
  ...whole("description", description),
  parts: parts.map(partOf)
})

export interface ShownParts {
  /** How many messages were asked for: with 0 the task has no `history`. */
  readonly historyLength?: number | undefined
  /** Whether the task has `artifacts`. Default true. */
  readonly artifacts?: boolean
}

/** A task as methods answer it, and as webhooks send it: those without `history`. */
export const taskOf = (task: Task.TaskView, { artifacts = true, historyLength }: ShownParts = {}) => ({
  id: task.id,
  contextId: task.contextId,
  status: {
    state: states[task.state],
    ...whole("message", task.statusMessage === null ? null : messageOf(task.statusMessage)),
    timestamp: DateTime.formatIso(task.statusTime)
  },
  ...artifacts && { artifacts: task.artifacts.map(artifactOf) },
  ...historyLength !== 0 && { history: task.history.map(messageOf) },
  ...whole("metadata", task.metadata)
})

/** A webhook without its secrets. */
export const webhookOf = ({ authentication, id, taskId, url }: Task.Webhook) => ({
  taskId,
  id,
  url,
  ...whole("authentication", authentication === null ? null : { scheme: authentication.scheme })
})
