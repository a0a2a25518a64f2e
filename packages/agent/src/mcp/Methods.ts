/**
 * The methods of MCP for a credential. A result is the text of a JSON object: long lists of tools are not parsed and written again.
 *
 * Contract: "MCP and OAuth".
 */
import { apiVersion, callerOf, type Credential, type CurrentAccount, Operations } from "@filedrive/core"
import { Effect } from "effect"
import * as FileResources from "./FileResources.ts"
import type { Call } from "./Message.ts"
import * as Progress from "./Progress.ts"
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
  /** Tells the client how far a call is; null where it didn't ask, or can't be told. */
  readonly report: ((progress: Progress.Progress) => Effect.Effect<void>) | null
  /** When this ends the client is told no more of how far a call is, and gets its result. */
  readonly until: Effect.Effect<void>
}

/** Files of one list: a client could not use more, and they would all be in memory. */
const listMax = 5_000

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

const callTool = Effect.fnUntraced(function*({ params }: Call, { credential, report, until }: Context) {
  const { arguments: given = {}, name } = params
  const tool = typeof name === "string" ? ToolList.get(name) : undefined
  if (tool === undefined) {
    return yield* fail(invalidParams(`Unknown tool: ${JSON.stringify(String(name).slice(0, 100))}`))
  }
  if (!ToolList.isAllowed(tool, credential.limits)) {
    return yield* Effect.fail<Failure>({ _tag: "Scope", tool: tool.name, permissions: tool.permissions })
  }
  const operations = yield* Operations.Operations
  const caller = callerOf(credential)
  const result = yield* operations.runNamed(tool.operation, tool.bodyOf(given), caller, listMax).pipe(
    Effect.tap((answer) =>
      report === null || !Progress.isLong(tool.operation)
        ? Effect.void
        // What is under way goes on, whether or not it can be followed.
        : Effect.ignore(Effect.raceFirst(Progress.follow(tool.operation, answer, caller, report), until))
    ),
    Effect.match({
      onSuccess: (answer) => ToolResult.ofAnswer(tool.operation, answer),
      onFailure: ({ error }) => ToolResult.ofFailure(error)
    })
  )
  return JSON.stringify(result)
})

const readResource = Effect.fnUntraced(function*({ isStateless, params }: Call, { credential }: Context) {
  const uri = String(params["uri"])
  const missing = resourceNotFound(uri, isStateless)
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
  return page === null ? yield* fail(invalidParams("The cursor is not one of this server's.")) : JSON.stringify(page)
})

const result = (value: object) => Effect.succeed(JSON.stringify(value))

const getPrompt = ({ params }: Call) => {
  const prompt = Prompts.get(params["name"], params["arguments"])
  return typeof prompt === "string" ? fail(invalidParams(prompt)) : result(prompt)
}

const run = (call: Call, context: Context): Run => {
  switch (call.method) {
    case "tools/list":
      return Effect.sync(() => `{"tools":${ToolList.listed(context.credential.limits)}}`)
    case "tools/call":
      return callTool(call, context)
    case "resources/list":
      return listResources(call, context)
    case "resources/templates/list":
      return result({ resourceTemplates: [FileResources.template] })
    case "resources/read":
      return readResource(call, context)
    case "prompts/list":
      return result({ prompts: Prompts.listed })
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

const negotiatedOnly = ({ method, params }: Call, { name }: Context): Run => {
  switch (method) {
    case "initialize":
      return result({
        protocolVersion: Revision.chosen(params["protocolVersion"]),
        capabilities,
        serverInfo: serverInfo(name),
        instructions
      })
    case "ping":
    case "logging/setLevel":
      return result({})
    default:
      return fail(unknownMethod(method, 200))
  }
}

/** Carries out a call. Returns its result as JSON. */
export const answer = (call: Call, context: Context): Run =>
  call.isStateless
    ? Effect.map(run(call, context), (text) => withMetadata(call.method, context.name, text))
    : run(call, context)
