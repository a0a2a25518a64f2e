/** The tools of MCP: the drive's operations that are offered as tools, with schemas and hints. There is no second list. */
import { type CurrentAccount, DriveTools, type Operation } from "@filedrive/core"
import type { JsonSchema } from "effect"

type Json = Readonly<Record<string, unknown>>

/** Schemas say of every id and number what their type says already; without it a list is a third shorter. */
const slim = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(slim)
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).filter(([key, one]) =>
    !(key === "pattern" && (value as Json)["format"] === "uuid") &&
    !(key === "minimum" && one === Number.MIN_SAFE_INTEGER) && !(key === "maximum" && one === Number.MAX_SAFE_INTEGER)
  )
  return Object.fromEntries(entries.map(([key, one]) => [key, slim(one)]))
}

const definition = "#/$defs/"

/** A schema whose root is an object itself: MCP takes no reference there. A list is the field `files` of one. */
const ofObject = (schema: JsonSchema.JsonSchema): Json => {
  const { $defs = {}, $ref, ...rest } = schema as Json & { readonly $defs?: Json; readonly $ref?: string }
  const root = $ref?.startsWith(definition) === true ? $defs[$ref.slice(definition.length)] as Json : rest
  const defs = Object.keys($defs).length === 0 ? {} : { $defs }
  return root["type"] === "array"
    ? { type: "object", properties: { files: root }, required: ["files"], ...defs }
    : { ...root, type: "object", ...defs }
}

/** Whether a call reaches other servers, or people who are not the drive's. */
const isOpenWorld = (needs: Operation.Operation["needsConsent"]): boolean =>
  (typeof needs === "string" ? needs : needs?.kind) === "fetch"

const titleOf = (name: string): string => {
  const words = name.replaceAll("_", " ")
  return words[0]!.toUpperCase() + words.slice(1)
}

const describe = (tool: DriveTools.DriveTool) => {
  const answer = tool.answer()
  return {
    name: tool.name,
    title: titleOf(tool.name),
    description: tool.description,
    inputSchema: slim({ ...tool.parameters(), type: "object" }),
    outputSchema: answer === null ? { type: "object" } : slim(ofObject(answer)),
    annotations: {
      title: titleOf(tool.name),
      readOnlyHint: tool.effect === "reads",
      destructiveHint: tool.effect === "deletes",
      idempotentHint: tool.isRepeatable,
      openWorldHint: isOpenWorld(tool.needsConsent)
    }
  }
}

const byName: ReadonlyMap<string, DriveTools.DriveTool> = new Map(
  DriveTools.driveTools.map((tool) => [tool.name, tool])
)

/** Whether there is such a tool, for whoever may call it. */
export const get = (name: string): DriveTools.DriveTool | undefined => byName.get(name)

export const isAllowed = (tool: DriveTools.DriveTool, limits: CurrentAccount.Limits): boolean =>
  DriveTools.isAllowed(tool, limits)

/** Each tool as JSON, made when it is listed for the first time. */
const texts = new Map<string, string>()

const textOf = (tool: DriveTools.DriveTool): string => {
  const known = texts.get(tool.name)
  if (known !== undefined) return known
  const text = JSON.stringify(describe(tool))
  texts.set(tool.name, text)
  return text
}

/** The tools that a credential with these limits may call, as the JSON of a list. */
export const listed = (limits: CurrentAccount.Limits): string =>
  `[${DriveTools.driveTools.filter((tool) => isAllowed(tool, limits)).map(textOf).join()}]`
