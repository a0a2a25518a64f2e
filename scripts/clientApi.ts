/**
 * Writes the client's types and its table of operations, both made of the OpenAPI document, into `packages/client/src/generated`:
 *
 *   node --conditions=@filedrive/source scripts/clientApi.ts
 *
 * `openapi-typescript` asks for the programming interface of TypeScript 5, which version 7 does not have.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { argv } from "node:process"
import { defaults } from "../packages/core/src/http/HttpConfig.ts"
import * as OpenApiDocument from "../packages/core/src/http/OpenApiDocument.ts"
import { root } from "./workspace.ts"

interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: Schema | false
  readonly items?: Schema
  readonly anyOf?: ReadonlyArray<Schema>
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
}

interface ApiOperation {
  readonly id: string
  readonly path: string
  readonly method: string
  readonly description: string
  readonly isPublic: boolean
  readonly isRepeatable: boolean
  readonly request: Schema | undefined
  readonly mayOmitRequest: boolean
  readonly answer: Schema
  readonly pages: { readonly items: string; readonly next: string; readonly parameter: string } | undefined
}

const document = OpenApiDocument.make(defaults)
const schemas = (document.components as { readonly schemas: Readonly<Record<string, Schema>> }).schemas

const resolved = (schema: Schema): Schema => schema.$ref === undefined ? schema : schemas[nameOf(schema.$ref)]!

const nameOf = (reference: string): string => reference.split("/").at(-1)!

/** The parts of a schema that are not null. */
const parts = (schema: Schema): ReadonlyArray<Schema> =>
  (schema.anyOf ?? [schema]).filter(({ type }) => type !== "null").map(resolved)

/** An answer with the cursor or offset of the next page, which the request takes back. */
const pagesOf = (request: Schema | undefined, answer: Schema): ApiOperation["pages"] => {
  const { properties: answered = {} } = resolved(answer)
  const accepted = request === undefined ? {} : parts(request)[0]?.properties ?? {}
  const next = ["nextCursor", "nextOffset"].find((name) => name in answered)
  const parameter = ["cursor", "offset", "since"].find((name) => name in accepted)
  const lists = Object.keys(answered).filter((name) => answered[name]!.type === "array")
  const items = lists.find((name) => answered[name]!.items!.type !== "string")
  return next === undefined || parameter === undefined || items === undefined ? undefined : { items, next, parameter }
}

const operations: ReadonlyArray<ApiOperation> = Object.entries(document.paths)
  .flatMap(([path, item]) =>
    Object.entries(item as unknown as Record<string, OpenApiDocument.OperationItem>).map(
      ([method, stated]): ApiOperation => {
        const request = stated.requestBody?.content["application/json"]?.schema as Schema | undefined
        const answer = Object.values(stated.responses["200"]!.content)[0]!.schema as Schema
        return {
          id: stated.operationId,
          path,
          method,
          description: stated.description ?? "",
          isPublic: stated.security.length === 0,
          isRepeatable: stated["x-operation"]!.isRepeatable,
          request: request?.anyOf === undefined
            ? request
            : { anyOf: request.anyOf.filter(({ type }) => type !== "null") },
          mayOmitRequest: request === undefined || stated.requestBody!.required === false,
          answer,
          pages: pagesOf(request, answer)
        }
      }
    )
  )
  // Streams and the exchange of a token are the client's own code.
  .filter(({ id, method }) => method === "post" && id !== "exchangeToken")
  .toSorted((one, other) => one.id < other.id ? -1 : 1)

const property = (name: string): string => /^[a-zA-Z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)

/** A schema as a type. */
const typeOf = (schema: Schema): string => {
  if (schema.$ref !== undefined) return nameOf(schema.$ref)
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(" | ")
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ")
  switch (schema.type) {
    case "array":
      return `ReadonlyArray<${typeOf(schema.items ?? {})}>`
    case "object":
      return objectOf(schema)
    case "integer":
    case "number":
      return "number"
    case "string":
    case "boolean":
    case "null":
      return schema.type
    case undefined:
      return "unknown"
    default:
      throw new Error(`There is no type for the schema type ${schema.type}.`)
  }
}

const objectOf = ({ additionalProperties, properties = {}, required = [] }: Schema): string => {
  const fields = Object.entries(properties).map(([name, inner]) =>
    `readonly ${property(name)}${required.includes(name) ? "" : "?"}: ${typeOf(inner)}`
  )
  if (fields.length === 0) {
    return `Readonly<Record<string, ${additionalProperties ? typeOf(additionalProperties) : "unknown"}>>`
  }
  return `{ ${fields.join("; ")} }`
}

/** A text as a comment of at most 120 columns. */
const comment = (text: string, indent: string): string => {
  const lines = [""]
  for (const word of text.replaceAll("*/", "* /").split(/\s+/)) {
    const line = lines.at(-1)!
    if (line !== "" && indent.length + 4 + line.length + word.length > 118) lines.push(word)
    else lines[lines.length - 1] = line === "" ? word : `${line} ${word}`
  }
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}\n`).join("")}${indent} */\n`
}

const made =
  "Made by `node --conditions=@filedrive/source scripts/clientApi.ts` of the OpenAPI document: don't edit it."

/** The names that operations use, and those that these use. */
const used = (): ReadonlyArray<string> => {
  const names = new Set<string>()
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return
    const { $ref } = value as Schema
    if ($ref !== undefined && !names.has(nameOf($ref))) {
      names.add(nameOf($ref))
      visit(schemas[nameOf($ref)])
    }
    Object.values(value).forEach(visit)
  }
  for (const { answer, request } of operations) visit([request, answer])
  return [...names].toSorted()
}

const shapes = (): string =>
  used().map((name) =>
    schemas[name]!.properties === undefined
      ? `export type ${name} = ${typeOf(schemas[name]!)}\n`
      : `export interface ${name} ${objectOf(schemas[name]!)}\n`
  ).join("\n")

const json = (which: ReadonlyArray<ApiOperation>, name: string, about: string): string =>
  `/** ${about} */\nexport interface ${name} {\n${
    which.map(({ answer, id, request }) =>
      `  ${id}: { readonly request: ${request === undefined ? "undefined" : typeOf(request)}; readonly answer: ${
        typeOf(answer)
      } }\n`
    ).join("")
  }}\n`

const calls = (which: ReadonlyArray<ApiOperation>, name: string, options: string, json: string, about: string) =>
  `/** ${about} */\nexport interface ${name} {\n${
    which.map(({ description, id, mayOmitRequest }) =>
      `${comment(description, "  ")}  readonly ${id}: (request${
        mayOmitRequest ? "?" : ""
      }: ${json}["${id}"]["request"], options?: ${options}) => Promise<${json}["${id}"]["answer"]>\n`
    ).join("\n")
  }}\n`

const paged = (): string =>
  `/** Operations that answer in pages: what an item is. */\nexport interface PagedItems {\n${
    operations.filter(({ pages }) => pages !== undefined).map(({ id, isPublic, pages }) =>
      `  ${id}: ${isPublic ? "Public" : "Drive"}Json["${id}"]["answer"]["${pages!.items}"][number]\n`
    ).join("")
  }}\n`

const userOperations = operations.filter(({ isPublic }) => !isPublic)
const publicOperations = operations.filter(({ isPublic }) => isPublic)

/** The source of the types' module. */
export const typesModule = (): string =>
  [
    `/** The operations of a drive and their JSON. ${made} */\nimport type { CallOptions, PublicCallOptions } from "../Options.ts"\n`,
    shapes(),
    json(userOperations, "DriveJson", "What the operations of a user take and answer, by their ids."),
    json(publicOperations, "PublicJson", "The same of operations that need no account but a link."),
    paged(),
    calls(
      userOperations,
      "DriveCalls",
      "CallOptions",
      "DriveJson",
      "Every operation that is answered with JSON, by its id. A client has them, and `drive.as(userId)` in a host's own code."
    ),
    calls(
      publicOperations,
      "PublicCalls",
      "PublicCallOptions",
      "PublicJson",
      "Every operation that people without an account call through a link. `drive.public` of a host has them too."
    )
  ].join("\n")

const kebab = (id: string): string => id.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** An operation as the table has it: `!` must not be repeated, `~` needs no account, `:items,parameter` has pages. */
const row = ({ id, isPublic, isRepeatable, pages, path }: ApiOperation): string => {
  if (pages !== undefined && pages.next !== (pages.parameter === "offset" ? "nextOffset" : "nextCursor")) {
    throw new Error(`${id} answers the next page as ${pages.next}.`)
  }
  if (path !== `/${kebab(id)}`) throw new Error(`The route of ${id} is ${path}.`)
  return `${id}${isRepeatable ? "" : "!"}${isPublic ? "~" : ""}${
    pages === undefined ? "" : `:${pages.items},${pages.parameter}`
  }`
}

/** Rows by the verbs that they begin with, which makes the table a tenth smaller. */
const grouped = (): string => {
  const groups = new Map<string, Array<string>>()
  for (const one of operations.map(row)) {
    const [, verb, rest] = /^([a-z]+)(.*)$/.exec(one)! as unknown as [string, string, string]
    groups.set(verb, [...groups.get(verb) ?? [], rest])
  }
  return [...groups].map(([verb, rests]) => [verb, ...rests].join(" ")).join(";")
}

/** The source of the table's module. */
export const tableModule = (): string =>
  `/**
 * Every operation, by the verb that its id begins with. Its route is its id with \`-\` before small letters; \`!\` must not be repeated, \`~\`
 * needs no account, \`:items,parameter\` has pages. ${made}
 */
export const table =
  "${grouped()}"
`

export const generated = join(root, "packages/client/src/generated")

if (argv[1] === import.meta.filename) {
  writeFileSync(join(generated, "table.ts"), tableModule())
  writeFileSync(join(generated, "DriveCalls.ts"), typesModule())
}
