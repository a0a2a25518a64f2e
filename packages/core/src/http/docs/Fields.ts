/** The fields of a request or answer as nested lists: name, type, limits, unit, and whether the field is required. */
import { escape } from "./Html.ts"
import { unitOf } from "./Units.ts"

/** The part of JSON Schema that the document uses. */
export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly const?: unknown
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: Schema | boolean
  readonly required?: ReadonlyArray<string>
  readonly minimum?: number
  readonly exclusiveMinimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** In a request the required fields are marked, in an answer the optional ones. */
export type Place = "request" | "answer"

interface Described {
  readonly label: string
  readonly limits: ReadonlyArray<string>
  readonly nested: string
}

const scalar = (label: string, limits: ReadonlyArray<string> = []): Described => ({ label, limits, nested: "" })

const formatted = new Intl.NumberFormat("en-US")

const range = (low: number | undefined, high: number | undefined, of: string): ReadonlyArray<string> => {
  const [from, to] = [low, high].map((bound) => bound === undefined ? undefined : formatted.format(bound))
  if (from !== undefined && to !== undefined) return [`${from} to ${to}${of}`]
  if (to !== undefined) return [`at most ${to}${of}`]
  return from !== undefined ? [`at least ${from}${of}`] : []
}

/** The anchor of a schema that several operations use. */
export const anchorOf = (name: string): string => `record-${name}`

const names: Readonly<Record<string, string>> = { "date-time": "time (ISO 8601)", uuid: "UUID" }

const values = (all: ReadonlyArray<unknown>): string =>
  all.map((value) => `<code>${escape(JSON.stringify(value))}</code>`).join(" or ")

const alternatives = (all: ReadonlyArray<Schema>, place: Place, field: string): Described => {
  const notNull = all.filter(({ type }) => type !== "null")
  const orNull = notNull.length < all.length ? " or <code>null</code>" : ""
  const each = notNull.map((one) => describe(one, place, field))
  if (each.every(({ nested }) => nested === "") || each.length === 1) {
    return {
      label: each.map(({ label }) => label).join(" or ") + orNull,
      limits: each.flatMap(({ limits }) => limits),
      nested: each.map(({ nested }) => nested).join("")
    }
  }
  const items = each.map(({ label, nested }) => `<li>${label}${nested}</li>`).join("")
  return { label: `one of ${each.length}${orNull}`, limits: [], nested: `<ul class="either">${items}</ul>` }
}

const describe = (schema: Schema, place: Place, field: string): Described => {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split("/").at(-1)!
    return scalar(`<a href="#${escape(anchorOf(name))}">${escape(name)}</a>`)
  }
  if ("const" in schema) return scalar(values([schema.const]))
  if (schema.enum !== undefined) return scalar(values(schema.enum))
  const either = schema.anyOf ?? schema.oneOf
  if (either !== undefined) return alternatives(either, place, field)
  if (schema.allOf !== undefined && schema.type === undefined) return describe(schema.allOf[0] ?? {}, place, field)
  switch (schema.type) {
    case "array": {
      const { label, limits, nested } = describe(schema.items ?? {}, place, field)
      return {
        label: `list of ${label}`,
        limits: [...range(schema.minItems, schema.maxItems, " items"), ...limits],
        nested
      }
    }
    case "object": {
      if (schema.properties !== undefined) return { ...scalar("object"), nested: list(schema, place) }
      const inner = typeof schema.additionalProperties === "object" ? schema.additionalProperties : {}
      const { label, nested } = describe(inner, place, field)
      return { label: `object of ${label} by name`, limits: [], nested }
    }
    case "integer":
    case "number": {
      const unit = unitOf(field)
      const bounds = range(schema.minimum, schema.maximum, "")
      const above = schema.exclusiveMinimum === undefined ? [] : [`above ${formatted.format(schema.exclusiveMinimum)}`]
      return scalar(schema.type, [...unit === undefined ? [] : [`in ${unit}`], ...bounds, ...above])
    }
    case "string":
      return scalar(
        escape(names[schema.format ?? ""] ?? "string"),
        range(schema.minLength, schema.maxLength, " characters")
      )
    default:
      return scalar(escape(schema.type ?? "any value"))
  }
}

const line = (name: string, mark: string, { label, limits, nested }: Described): string =>
  `<li><code class="name">${escape(name)}</code> <span class="type">${label}${
    limits.map((limit) => `, ${escape(limit)}`).join("")
  }</span>${mark === "" ? "" : ` <em>${mark}</em>`}${nested}</li>`

const list = ({ properties = {}, required = [] }: Schema, place: Place): string =>
  `<ul>${
    Object.entries(properties).map(([name, inner]) => {
      const isRequired = required.includes(name)
      const mark = place === "request" ? (isRequired ? "required" : "") : (isRequired ? "" : "may be absent")
      return line(name, mark, describe(inner, place, name))
    }).join("")
  }</ul>`

/** A whole body: its fields, or its type when it has no fields. */
export const fields = (schema: Schema, place: Place): string => {
  const { label, limits, nested } = describe(schema, place, "")
  const about = label === "object" ? "" : `<p class="type">${[label, ...limits.map(escape)].join(", ")}</p>`
  return `<div class="fields">${about}${nested}</div>`
}

/** Parameters of a URL, shown like the fields of a body. */
export const parameters = (
  all: ReadonlyArray<{ readonly name: string; readonly required: boolean; readonly schema: Schema }>
): string =>
  `<div class="fields"><ul>${
    all.map(({ name, required, schema }) => line(name, required ? "required" : "", describe(schema, "request", name)))
      .join("")
  }</ul></div>`
