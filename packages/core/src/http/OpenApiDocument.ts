/**
 * The OpenAPI 3.1 document of the whole HTTP interface, from its declarations.
 *
 * Spec: "Versioning".
 */
import { SchemaAST } from "effect"
import { HttpServerResponse } from "effect/http"
import { type HttpApi, type HttpApiEndpoint, type HttpApiGroup, OpenApi } from "effect/http-api"
import { ExchangeApi } from "../accounts/ExchangeApi.ts"
import { isMisplaced } from "../shared/Misplaced.ts"
import { guards } from "./Answers.ts"
import { Api } from "./Api.ts"
import type { HttpConfig } from "./HttpConfig.ts"
import * as Operation from "./Operation.ts"
import * as Payload from "./Payload.ts"
import { isPublic } from "./PublicLink.ts"
import { AppHeader, OptionalSession } from "./Session.ts"

export interface Body {
  readonly content: Readonly<
    Record<string, { example?: unknown; readonly schema: { readonly properties?: Record<string, unknown> } }>
  >
}

/** The parts of an operation in the document that the drive itself reads. */
export interface OperationItem {
  operationId: string
  readonly description?: string
  readonly tags: ReadonlyArray<string>
  readonly parameters: Array<{ readonly name: string; readonly in: string; [field: string]: unknown }>
  security: Array<Record<string, ReadonlyArray<string>>>
  readonly requestBody?: Body & { required: boolean }
  readonly responses: Record<string, Body & { readonly description?: string }>
  servers?: ReadonlyArray<{ readonly url: string }>
  /** The properties that OpenAPI can't express, under the names of {@link Operation.Operation}. */
  "x-operation"?: Omit<Operation.Operation, "example">
}

export type Document = ReturnType<typeof OpenApi.fromApi>

export const make = (config: HttpConfig): Document => {
  const files = document(Api as unknown as HttpApi.Top, config)
  const auth = document(ExchangeApi as unknown as HttpApi.Top, config)
  const authServers = [{ url: `${config.origin ?? ""}${config.authPath}` }]
  for (const item of Object.values(auth.paths)) (item.post as unknown as OperationItem).servers = authServers
  return tidy({
    ...files,
    servers: [{ url: `${config.origin ?? ""}${config.basePath}` }],
    tags: [...auth.tags, ...files.tags],
    paths: { ...auth.paths, ...files.paths },
    components: {
      schemas: { ...auth.components.schemas, ...files.components.schemas },
      securitySchemes: {
        bearer: {
          type: "http",
          scheme: "bearer",
          description: "A session token, from /exchange-token, or the access token of an app that connected by OAuth."
        },
        apiToken: { type: "http", scheme: "bearer", description: "An API token." }
      }
    }
  }) as Document
}

/**
 * The document as its readers expect it: the schemas' inner names and bounds
 * that are only JavaScript's are left out, and unknown fields, which are ignored, are not forbidden.
 */
const tidy = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(tidy)
  if (typeof value === "string") return value.replace(/^(#\/components\/schemas\/ApiError\d+)Encoded$/, "$1")
  if (typeof value !== "object" || value === null) return value
  const schema = value as Readonly<Record<string, unknown>>
  if (Array.isArray(schema["anyOf"]) && schema["anyOf"].length === 1) return tidy(schema["anyOf"][0])
  const entries = Object.entries(schema).filter(([key, inner]) =>
    !(key === "additionalProperties" && inner === false) &&
    !(key === "minimum" && inner === Number.MIN_SAFE_INTEGER) &&
    !(key === "maximum" && inner === Number.MAX_SAFE_INTEGER)
  )
  if (schema["type"] === "integer") entries.push(["format", "int64"])
  return Object.fromEntries(
    // An example is a value and no schema: it stays as it is.
    entries.map((
      [key, inner]
    ) => [key.replace(/^(ApiError\d+)Encoded$/, "$1"), key === "example" ? inner : tidy(inner)])
  )
}

const document = (api: HttpApi.Top, config: HttpConfig): Document => {
  const spec = OpenApi.fromApi(api)
  for (const group of Object.values(api.groups as Record<string, HttpApiGroup.Top>)) {
    for (const endpoint of Object.values(group.endpoints)) {
      const item = spec.paths[endpoint.path] as unknown as Readonly<Record<string, OperationItem>>
      refine(item[endpoint.method.toLowerCase()]!, endpoint, config)
    }
  }
  return spec
}

/** The descriptions of refusals, which elsewhere speak of the caller's account, for people at a public link. */
const refusedAtLink = {
  403:
    "The link needs its password or the access token of its opening, takes nothing any more, or does not allow this.",
  404: "No such link, delivery, note or file, or the password is wrong."
}

/** What the declaration cannot say by itself. */
const refine = (operation: OperationItem, endpoint: HttpApiEndpoint.Top, config: HttpConfig): void => {
  operation.operationId = endpoint.identifier
  const middlewares = endpoint.middlewares as ReadonlySet<unknown>
  if (isPublic(endpoint)) {
    operation.security = []
    for (const [status, description] of Object.entries(refusedAtLink)) {
      const response = operation.responses[status]
      if (response !== undefined) operation.responses[status] = { ...response, description }
    }
    operation.parameters.push({
      name: "X-Link-Access",
      in: "header",
      required: false,
      description: "For a link with a password: the access token that opening the link answered.",
      schema: { type: "string" }
    })
  } else if (middlewares.has(AppHeader)) {
    operation.parameters.push({
      name: "X-Service-App",
      in: "header",
      required: config.checkAppHeader,
      description: "The id of the app this drive belongs to.",
      schema: { type: "string", const: config.appId }
    })
  }
  if (middlewares.has(OptionalSession)) operation.security = [{ bearer: [] }, {}]
  const { body, optional } = Payload.bodyOf(endpoint)
  if (operation.requestBody !== undefined && optional) operation.requestBody.required = false
  const { example, ...stated } = Operation.of(endpoint)
  operation["x-operation"] = stated
  for (const answer of contents(operation.responses["200"])) answer.example = example.answer
  for (const request of contents(operation.requestBody)) {
    request.example = example.request
    if (body !== undefined && SchemaAST.isObjects(body.ast)) {
      const refused = body.ast.propertySignatures.filter(({ type }) => isMisplaced(type))
      for (const { name } of refused) delete request.schema.properties?.[String(name)]
    }
  }
  const sent = endpoint.query === undefined ? {} : example.request as Readonly<Record<string, unknown>>
  for (const parameter of operation.parameters) {
    if (parameter.in === "query" && parameter.name in sent) parameter["example"] = sent[parameter.name]
  }
}

/** A body in each of its content types; nothing where there is none. */
const contents = (body: Body | undefined) => Object.values(body?.content ?? {})

export const answer = (document: Document): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.jsonUnsafe(document, { headers: { "cache-control": "no-cache", ...guards } })
