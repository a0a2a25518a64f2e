/**
 * The methods of MCP for a credential. A result is the text of a JSON object: long lists of tools are not parsed and written again.
 *
 * Contract: "MCP and OAuth".
 */
import {
  apiVersion,
  callerOf,
  type Credential,
  type CurrentAccount,
  DriveTools,
  Limits,
  Operations
} from "@filedrive/core"
import { Effect } from "effect"
import * as FileResources from "./FileResources.ts"
import type { Call } from "./Message.ts"
import * as Prompts from "./Prompts.ts"
import * as Revision from "./Revision.ts"
import { internal, invalidParams, resourceNotFound, type RpcError, unknownMethod } from "./RpcError.ts"
import * as ToolList from "./ToolList.ts"
import * as ToolResult from "./ToolResult.ts"

type Failure = { readonly _tag: "RpcError"; readonly error: RpcError } | {
  readonly _tag: "Scope"
  readonly tool: string
  readonly permissions: ReadonlyArray<CurrentAccount.Permission>
}

type Run = Effect.Effect<string, Failure, Operations.Operations>

/** What a call is made with. */
export interface Context {
  readonly credential: Credential
  readonly name: string
  /** Whether it is an app's, by OAuth, which can ask its person for more. */
  readonly isApp: boolean
  /** Is told what a call of an operation has begun; null where nobody follows it. */
  readonly onBegun: ((operation: Operations.OperationId, answer: unknown) => void) | null
}

const fail = (error: RpcError) => Effect.fail<Failure>({ _tag: "RpcError", error })

const instructions =
  "A file drive: files in folders, with tags, playlists, galleries, trash, public links, file requests and reviews. Use search_files first " +
  "to get the ids of files. Folders are paths like /Papers/2026. Ask before you delete or publish something."

const serverInfo = (name: string) => ({ name, title: name, version: apiVersion })

const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {}, logging: {} }

const private_ = { ttlMs: 0, cacheScope: "private" }

/** What may be kept by its client. */
const cached: ReadonlySet<string> = new Set([
  "server/discover",
  "tools/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "prompts/list"
])

/** The fields that results of the stateless revision have besides. */
const withMetadata = (method: string, name: string, result: string): string => {
  const fields = {
    resultType: "complete",
    ...cached.has(method) && private_,
    _meta: { [Revision.metadata.server]: serverInfo(name) }
  }
  const own = JSON.stringify(fields).slice(1, -1)
  return result === "{}" ? `{${own}}` : `{${own},${result.slice(1)}`
}

/** A parameter that must be text. What is no text may not even be made into one. */
const textOf = ({ params }: Call, name: string): Effect.Effect<string, Failure> => {
  const value = params[name]
  return typeof value === "string" ? Effect.succeed(value) : fail(invalidParams(`${name} must be text.`))
}

const callTool = Effect.fnUntraced(function*(call: Call, { credential, onBegun }: Context) {
  const name = yield* textOf(call, "name")
  const { arguments: given = {} } = call.params
  const tool = ToolList.get(name)
  if (tool === undefined) return yield* fail(invalidParams(`Unknown tool: ${JSON.stringify(name.slice(0, 100))}`))
  if (!ToolList.isAllowed(tool, credential.limits)) {
    return yield* Effect.fail<Failure>({ _tag: "Scope", tool: tool.name, permissions: tool.permissions })
  }
  const unknown = DriveTools.unknownArgument(tool, given)
  if (unknown !== null) return ToolResult.ofFailure(unknown.error)
  const operations = yield* Operations.Operations
  return yield* operations.runNamed(
    tool.operation,
    tool.bodyOf(given),
    callerOf(credential),
    Limits.wholeListMaxCount.ofTool
  ).pipe(
    Effect.tap((answer) => Effect.sync(() => onBegun?.(tool.operation, answer))),
    Effect.match({
      onSuccess: (answer) => ToolResult.ofAnswer(tool, answer),
      onFailure: ({ error }) => ToolResult.ofFailure(tool.ofArguments(error))
    })
  )
})

const readResource = Effect.fnUntraced(function*(call: Call, { credential }: Context) {
  const uri = yield* textOf(call, "uri")
  const missing = resourceNotFound(uri, call.isStateless)
  const found = yield* Effect.catch(
    FileResources.read(uri, callerOf(credential)),
    (failure) =>
      failure.code === "not_found" || failure.code === "token_limit"
        ? fail(missing)
        : fail(internal(failure.error, { uri: uri.slice(0, 500), code: failure.code }))
  )
  return found === null ? yield* fail(missing) : JSON.stringify(found)
})

const listResources = Effect.fnUntraced(function*({ params }: Call, { credential }: Context) {
  const { permissions } = credential.limits
  if (permissions !== null && !permissions.includes("read")) return `{"resources":[]}`
  const page = yield* Effect.catch(
    FileResources.list(params["cursor"], callerOf(credential)),
    (failure) => fail(internal(failure.error, { code: failure.code }))
  )
  return page === null ? yield* wrongCursor : JSON.stringify(page)
})

const wrongCursor = fail(invalidParams("The cursor is not one of this server's."))

/** A list in one page, of which nobody has a cursor. */
const inOnePage = ({ params }: Call, list: () => string): Run =>
  params["cursor"] === undefined ? Effect.sync(list) : wrongCursor

const result = (value: object) => Effect.succeed(JSON.stringify(value))

const getPrompt = (call: Call) =>
  Effect.flatMap(textOf(call, "name"), (name) => {
    const prompt = Prompts.get(name, call.params["arguments"])
    return typeof prompt === "string" ? fail(invalidParams(prompt)) : result(prompt)
  })

/** Nothing is logged to clients, at any level. */
const setLevel = (call: Call) =>
  Effect.flatMap(
    textOf(call, "level"),
    (level) => levels.has(level) ? result({}) : fail(invalidParams(`level must be one of ${[...levels].join(", ")}.`))
  )

const levels: ReadonlySet<string> = new Set([
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency"
])

const run = (call: Call, context: Context): Run => {
  switch (call.method) {
    case "tools/list":
      return inOnePage(call, () => `{"tools":${ToolList.listed(context.credential.limits)}}`)
    case "tools/call":
      return callTool(call, context)
    case "resources/list":
      return listResources(call, context)
    case "resources/templates/list":
      return inOnePage(call, () => JSON.stringify({ resourceTemplates: [FileResources.template] }))
    case "resources/read":
      return readResource(call, context)
    case "prompts/list":
      return inOnePage(call, () => JSON.stringify({ prompts: Prompts.listed }))
    case "prompts/get":
      return getPrompt(call)
    case "completion/complete":
      return result({ completion: { values: [], total: 0, hasMore: false } })
    default:
      return call.isStateless ? statelessOnly(call, context) : negotiatedOnly(call, context)
  }
}

const statelessOnly = ({ method }: Call, _context: Context): Run =>
  method === "server/discover"
    ? result({ supportedVersions: Revision.supported, capabilities, instructions })
    : fail(unknownMethod(method, 404))

const negotiatedOnly = (call: Call, { name }: Context): Run => {
  switch (call.method) {
    case "initialize":
      return result({
        protocolVersion: Revision.chosen(call.params["protocolVersion"]),
        capabilities,
        serverInfo: serverInfo(name),
        instructions
      })
    case "ping":
      return result({})
    case "logging/setLevel":
      return setLevel(call)
    default:
      return fail(unknownMethod(call.method, 200))
  }
}

/** Carries out a call. Returns its result as JSON. */
export const answer = (call: Call, context: Context): Run =>
  call.isStateless
    ? Effect.map(run(call, context), (text) => withMetadata(call.method, context.name, text))
    : run(call, context)
