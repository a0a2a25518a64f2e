/**
 * The methods of A2A and what each takes. Fields that are not named here are ignored.
 *
 * Spec: "Agent interface". Which fields A2A has besides the specification's: `tenant` (ignored), `metadata` of a call and of a
 * cancellation (ignored), `acceptedOutputModes` (ignored: every reply is text), `extensions` and `referenceTaskIds` (ignored).
 */
import { type FieldIssue, Given } from "@filedrive/core"
import { Result, Schema } from "effect"
import { Key, Message, Metadata, TaskState } from "./Message.ts"
import { invalidParams, methodNotFound, type ProtocolError, unsupported } from "./ProtocolError.ts"
import { normalize } from "./ProtoJson.ts"

const optional = Schema.optionalKey

const TaskId = Schema.String

/** How many of the last messages are wanted; 0: none. */
const HistoryLength = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 - 1 }))

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/i

const Time = Schema.String.check(
  Schema.makeFilter((text) =>
    isoTime.test(text) && !Number.isNaN(Date.parse(text))
      ? undefined
      : "must be an ISO 8601 time like 2026-09-28T12:00:00.000Z"
  )
)

/** Printable characters of ASCII, as they may stand in a header. */
const HeaderText = Schema.String.check(
  Schema.isBetweenLength(1, 2_000),
  Schema.makeFilter((text) =>
    /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) ? undefined : "must be printable ASCII characters"
  )
)

/** A scheme of HTTP authentication, like `Bearer`. */
const Scheme = Schema.String.check(
  Schema.makeFilter((text) =>
    /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(text) ? undefined : "must be a scheme of HTTP authentication, like Bearer"
  )
)

const webhook = {
  id: optional(Key),
  url: Schema.String.check(Schema.isBetweenLength(1, 2_000)),
  token: optional(HeaderText),
  authentication: optional(Schema.Struct({ scheme: Scheme, credentials: optional(HeaderText) }))
}

/** A webhook that is given with a message. */
export const NewWebhook = Schema.Struct(webhook)
export type NewWebhook = typeof NewWebhook.Type

const params = {
  SendMessage: Schema.Struct({
    message: Message,
    configuration: optional(Schema.Struct({
      returnImmediately: optional(Schema.Boolean),
      historyLength: optional(HistoryLength),
      acceptedOutputModes: optional(Schema.Array(Schema.String)),
      taskPushNotificationConfig: optional(NewWebhook)
    })),
    metadata: optional(Metadata)
  }),
  GetTask: Schema.Struct({ id: TaskId, historyLength: optional(HistoryLength) }),
  ListTasks: Schema.Struct({
    contextId: optional(Key),
    status: optional(TaskState),
    statusTimestampAfter: optional(Time),
    pageSize: optional(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100 }))),
    pageToken: optional(Schema.String),
    historyLength: optional(HistoryLength),
    includeArtifacts: optional(Schema.Boolean)
  }),
  CancelTask: Schema.Struct({ id: TaskId }),
  CreateTaskPushNotificationConfig: Schema.Struct({ taskId: TaskId, ...webhook }),
  GetTaskPushNotificationConfig: Schema.Struct({ taskId: TaskId, id: Key }),
  ListTaskPushNotificationConfigs: Schema.Struct({ taskId: TaskId }),
  DeleteTaskPushNotificationConfig: Schema.Struct({ taskId: TaskId, id: Key })
}

export type Method = keyof typeof params
export type ParamsOf<M extends Method> = (typeof params)[M]["Type"]

/** A method with its parameters as they were checked. */
export type Call = { [M in Method]: { readonly method: M; readonly params: ParamsOf<M> } }[Method]

/** What A2A says of an agent without streams and without a second card. */
const unsupportedMethods: Readonly<Record<string, string>> = {
  SendStreamingMessage: "This agent does not stream; send the message by SendMessage, and use GetTask or a webhook.",
  SubscribeToTask: "This agent does not stream; use GetTask or a webhook.",
  GetExtendedAgentCard: "This agent has no extended agent card."
}

const read = Object.fromEntries(
  Object.entries(params).map(([method, schema]) => [method, Given.reader(schema as Schema.Codec<unknown>)])
) as Readonly<Record<Method, (given: unknown) => Result.Result<unknown, FieldIssue.FieldIssue>>>

const isMethod = (method: string): method is Method => Object.hasOwn(params, method)

/** Clients of drafts before 1.0 put a webhook into a field of its own. */
const flatWebhook = (given: unknown): unknown => {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given
  const { config, pushNotificationConfig, ...rest } = given as Readonly<Record<string, unknown>>
  const nested = config ?? pushNotificationConfig
  return typeof nested === "object" && nested !== null ? { ...nested, ...rest } : rest
}

/** An unspecified state means that tasks of all states are wanted. */
const specifiedState = (given: unknown): unknown => {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given
  const { status, ...rest } = given as Readonly<Record<string, unknown>>
  return status === undefined || status === "TASK_STATE_UNSPECIFIED" ? rest : given
}

const adapted: { readonly [M in Method]?: (given: unknown) => unknown } = {
  CreateTaskPushNotificationConfig: flatWebhook,
  ListTasks: specifiedState
}

/** The call that a request asks for. Fails for a method that is unknown or not supported, then for the first wrong parameter. */
export const call = (method: string, given: unknown): Result.Result<Call, ProtocolError> => {
  const refusal = Object.hasOwn(unsupportedMethods, method) ? unsupportedMethods[method] : undefined
  if (refusal !== undefined) return Result.fail(unsupported(refusal))
  if (!isMethod(method)) return Result.fail(methodNotFound(method))
  const normal = normalize(given)
  if (typeof normal !== "object" || normal === null || Array.isArray(normal)) {
    return Result.fail(invalidParams("", "must be an object"))
  }
  const checked = Result.flatMap(read[method](adapted[method]?.(normal) ?? normal), Given.storable)
  return Result.match(checked, {
    onFailure: ({ because, field }) => Result.fail(invalidParams(field, because)),
    onSuccess: (params) => Result.succeed({ method, params } as Call)
  })
}
