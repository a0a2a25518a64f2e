/** The tools of the agent: the drive's operations that are annotated as tools, and a few of its own. There is no second list. */
import type { JsonSchema, Schema } from "effect"
import { Effect } from "effect"
import type { Toolkit } from "effect/ai"
import { Tool } from "effect/ai"
import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import type { Limits, Permission } from "../accounts/CurrentAccount.ts"
import { Api } from "../http/Api.ts"
import * as Operation from "../http/Operation.ts"
import type { OperationId } from "../http/Operations.ts"
import * as Payload from "../http/Payload.ts"
import * as FieldIssue from "../shared/FieldIssue.ts"
import { waitTool } from "../tasks/TaskRuns.ts"
import { waitKinds } from "../waits/Wait.ts"

interface Offered {
  readonly name: string
  readonly description: string
  /** One of these is needed. */
  readonly permissions: ReadonlyArray<Permission>
}

/** An operation of the drive. */
export interface DriveTool extends Offered {
  readonly operation: OperationId
  readonly effect: Operation.Operation["effect"]
  readonly isRepeatable: boolean
  readonly needsConsent: Operation.Operation["needsConsent"]
  /** The body that a route takes: an array of files is a tool's `fileIds`. */
  readonly bodyOf: (args: unknown) => unknown
  /** What is said of a route's body, a field of it or a sentence, said of the tool's arguments. */
  readonly ofArguments: (said: string) => string
  readonly parameters: () => JsonSchema.JsonSchema
  /** What the operation answers; null where that is `{}`. */
  readonly answer: () => JsonSchema.JsonSchema | null
}

/** A tool that the agent has besides. */
export interface OwnTool extends Offered {
  readonly own: "wait" | "endWait" | "savePart" | "importPart"
  readonly parameters: () => JsonSchema.JsonSchema
}

export type AgentTool = DriveTool | OwnTool

const isArray = (schema: JsonSchema.JsonSchema) => schema["type"] === "array"

const toDriveTool = (endpoint: HttpApiEndpoint.Top): ReadonlyArray<DriveTool> => {
  const { effect, isRepeatable, needsConsent, permissions, tool } = Operation.of(endpoint)
  if (tool === null) return []
  const { body } = Payload.bodyOf(endpoint)
  let schema: JsonSchema.JsonSchema | undefined
  const schemaOf = () => schema ??= body === undefined ? noParameters : Tool.getJsonSchemaFromSchema(body)
  const takesList = body !== undefined && Payload.takesList(body)
  const [success] = endpoint.success
  return [{
    name: endpoint.path.slice(1).replaceAll("-", "_"),
    description: tool,
    permissions,
    operation: endpoint.identifier as OperationId,
    effect,
    isRepeatable,
    needsConsent,
    bodyOf: (args) => takesList ? filesOf(args) : args,
    ofArguments: (said) => takesList ? ofFileIds(said) : said.replace(/^The body must be/, "The arguments must be"),
    parameters: () => {
      const parameters = schemaOf()
      return isArray(parameters) ? listParameters(parameters) : parameters
    },
    answer: () => success === undefined ? null : Tool.getJsonSchemaFromSchema(success as Schema.Top)
  }]
}

const noParameters: JsonSchema.JsonSchema = { type: "object", properties: {}, additionalProperties: false }

/** A list of files as a route takes it, from the ids that a tool takes. */
const filesOf = (args: unknown): unknown => {
  const ids = typeof args === "object" && args !== null && "fileIds" in args ? args.fileIds : args
  return Array.isArray(ids) ? ids.map((id: unknown) => typeof id === "object" && id !== null ? id : { id }) : ids
}

/** `[2].id` of a list of files is `fileIds[2]`. */
const ofFileIds = (said: string): string =>
  said.replace(/^The body\b|^(?=\[\d)/, "fileIds").replace(/^(fileIds\[\d+\])\.id\b/, "$1")

const listParameters = ({ maxItems, minItems }: JsonSchema.JsonSchema): JsonSchema.JsonSchema => ({
  type: "object",
  properties: {
    fileIds: {
      type: "array",
      items: { type: "string", format: "uuid" },
      ...minItems !== undefined && { minItems },
      ...maxItems !== undefined && { maxItems }
    }
  },
  required: ["fileIds"]
})

/** Every operation of the drive that is offered as a tool. */
export const driveTools: ReadonlyArray<DriveTool> = Object.values(
  (Api as unknown as HttpApi.Top).groups as Record<string, HttpApiGroup.Top>
)
  .flatMap((group) => Object.values(group.endpoints))
  .flatMap(toDriveTool)

const part = { type: "integer", minimum: 0, description: "The number of the part of the message." }
const folder = { type: "string", description: "A path like /Papers/2026; it is made when it is missing." }

const ownTools: ReadonlyArray<OwnTool> = [
  {
    name: waitTool,
    own: "wait",
    permissions: ["read"],
    description:
      "Waits until something happens on the drive, for up to 30 days, and then continues: files arrive at a file request (request_files), " +
      "a note is left on a review (review_note), somebody else opens a file (file_opened), files land in a folder or inside it (folder_files, " +
      "with the path in `folder`), the generation of an image (image), an import or an archive ends. `id` is that of the request, review, " +
      "file, image, import or archive; request_files without it means any request. `text` says in one sentence, for people, what is waited for. Call it alone, and only when the user asked to " +
      "be told or to go on when something happens.",
    parameters: () => ({
      type: "object",
      properties: {
        kind: { type: "string", enum: [...waitKinds] },
        id: {
          type: "string",
          description: "The id of what is waited for; none for folder_files, or for files at any request."
        },
        folder: { type: "string", description: "For folder_files: a path like /Inbox; / is the whole drive." },
        text: { type: "string" }
      },
      required: ["kind", "text"]
    })
  },
  {
    name: "end_wait",
    own: "endWait",
    permissions: ["read"],
    description: "Ends the wait of this task, because the user's new message asks for that.",
    parameters: () => noParameters
  },
  {
    name: "save_part",
    own: "savePart",
    permissions: ["add"],
    description:
      "Returns the file that came with the user's message as part `index`, and moves it to `folder` when that is given.",
    parameters: () => ({ type: "object", properties: { index: part, folder }, required: ["index"] })
  },
  {
    name: "import_part",
    own: "importPart",
    permissions: ["add"],
    description:
      "Imports the file behind the link that came with the user's message as part `index`. Returns the import's id at once; call wait_for with " +
      "the kind import to know when it is done.",
    parameters: () => ({ type: "object", properties: { index: part, folder }, required: ["index"] })
  }
]

const byName: ReadonlyMap<string, AgentTool> = new Map([...driveTools, ...ownTools].map((tool) => [tool.name, tool]))

/** The tool that has this name and that these limits allow; why not, as a sentence, otherwise. */
export const find = (name: string, limits: Limits): AgentTool | string => {
  const tool = byName.get(name)
  if (tool === undefined) return `There is no tool named ${JSON.stringify(name.slice(0, 100))}.`
  return isAllowed(tool, limits) ? tool : `This token may not ${tool.permissions.join(" or ")}.`
}

/**
 * The first argument that a tool does not know, and the sentence that names it with the known ones; null when it knows all. Tools whose arguments are
 * the body of their route as it is may leave that to the route.
 */
export const unknownArgument = (
  tool: AgentTool,
  args: unknown
): { readonly field: string; readonly error: string } | null => {
  const { properties } = tool.parameters()
  if (properties === undefined || typeof args !== "object" || args === null || Array.isArray(args)) return null
  const known = Object.keys(properties as object)
  const field = Object.keys(args).find((name) => !known.includes(name))
  return field === undefined
    ? null
    : { field, error: FieldIssue.sentence({ field, because: FieldIssue.unknownBecause(known) }) }
}

/** The consent that calls of the tool with this name may need; null for none. */
export const consentKind = (name: string): Operation.ConsentKind | null => {
  const tool = byName.get(name)
  const needs = tool === undefined || "own" in tool ? undefined : tool.needsConsent
  return needs === undefined ? null : typeof needs === "string" ? needs : needs.kind
}

export const isAllowed = ({ permissions }: Offered, limits: Limits): boolean =>
  limits.permissions === null || permissions.some((permission) => limits.permissions!.includes(permission))

export type Kit = Toolkit.WithHandler<Record<string, Tool.Any>>

const kits = new Map<string, Kit>()

/** The tools that a brain is offered. The same for the same limits, so that what is made of it can be kept. */
export const kitOf = ({ permissions }: Limits, waits: boolean): Kit => {
  const key = `${permissions?.join() ?? "*"} ${waits}`
  const known = kits.get(key)
  if (known !== undefined) return known
  const tools = [...byName.values()].filter((tool) =>
    isAllowed(tool, { permissions, folderId: null }) && (waits || !("own" in tool && tool.own === "endWait"))
  )
  const made = Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      Tool.dynamic(tool.name, { description: tool.description, parameters: tool.parameters() }) as Tool.Any
    ])
  )
  // Calls are carried out step by step, by the agent.
  const kit = {
    tools: made,
    handle: () => Effect.die(new Error("Tools are not called by the model."))
  } as unknown as Kit
  kits.set(key, kit)
  return kit
}
