/** The readable form of the OpenAPI document: one page without scripts or resources of other sites. */
import { HttpServerResponse } from "effect/http"
import type { Document } from "./OpenApiDocument.ts"

type Json = { readonly [key: string]: unknown }

const escape = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;" })[character]!)

/** A description: what stands between backticks is code. */
const prose = (text: string): string => escape(text).replace(/`([^`]+)`/g, "<code>$1</code>")

/** A schema as people who write code read it: `{ id: string, parts: integer[] }`. */
const typeText = (schema: Json, document: Json, indent = ""): string => {
  const sub = (inner: unknown, deeper = indent) => typeText(inner as Json, document, deeper)
  if (typeof schema["$ref"] === "string") {
    const name = schema["$ref"].split("/").at(-1)!
    return name.startsWith("ApiError") ? "ApiError" : sub(((document["components"] as Json)["schemas"] as Json)[name])
  }
  if ("const" in schema) return JSON.stringify(schema["const"])
  if (Array.isArray(schema["enum"])) return schema["enum"].map((value) => JSON.stringify(value)).join(" | ")
  for (const key of ["anyOf", "oneOf"] as const) {
    if (Array.isArray(schema[key])) return schema[key].map((inner) => sub(inner)).join(" | ")
  }
  if (schema["type"] === "array") return `Array<${sub(schema["items"] ?? {})}>`
  if (schema["type"] === "object" && "properties" in schema) {
    const required = new Set((schema["required"] ?? []) as ReadonlyArray<string>)
    const deeper = `${indent}  `
    const lines = Object.entries(schema["properties"] as Json).map(([name, inner]) =>
      `${deeper}${name}${required.has(name) ? "" : "?"}: ${sub(inner, deeper)}`
    )
    return lines.length === 0 ? "{}" : `{\n${lines.join("\n")}\n${indent}}`
  }
  if (Array.isArray(schema["allOf"]) && schema["type"] === undefined) return sub(schema["allOf"][0])
  const format = schema["format"]
  return String(schema["type"] ?? "any") + (typeof format === "string" ? ` (${format})` : "")
}

const bodySchema = (content: unknown): Json | undefined =>
  (((content as Json | undefined)?.["application/json"] as Json | undefined)?.["schema"]) as Json | undefined

const block = (title: string, schema: Json | undefined, document: Json): string =>
  schema === undefined ? "" : `<h4>${title}</h4><pre>${escape(typeText(schema, document))}</pre>`

const exampleBlock = (title: string, content: unknown): string => {
  const media = Object.values((content ?? {}) as Readonly<Record<string, Json>>)[0]
  if (media === undefined || !("example" in media)) return ""
  const { example } = media
  return `<details><summary>${title}</summary><pre>${
    escape(typeof example === "string" ? example : JSON.stringify(example, null, 2))
  }</pre></details>`
}

const effects: Readonly<Record<string, string>> = {
  reads: "Changes nothing.",
  changes: "Changes the drive.",
  deletes: "Deletes what no other call brings back."
}

/** The properties of an operation that OpenAPI can't express, as sentences. */
const rules = ({ effect, isRepeatable, permissions }: Json): string => {
  const asked = permissions as ReadonlyArray<string>
  return [
    asked.length > 0 &&
    `A limited token needs the permission ${asked.map((one) => `<code>${one}</code>`).join(" or ")}.`,
    effects[String(effect)],
    effect !== "reads" && (isRepeatable === true ? "Safe to repeat." : "Not safe to repeat.")
  ].filter((sentence) => sentence !== false).join(" ")
}

/** The parameters of a route that takes them in its URL. */
const query = (op: Json): string => {
  const names = (op["parameters"] as ReadonlyArray<Json>).filter((one) => one["in"] === "query").map(({ name }) => name)
  return names.length === 0 ? "" : `<p>In the URL: ${escape(names.join(", "))}</p>`
}

const operation = (method: string, path: string, op: Json, document: Json): string => {
  const servers = (op["servers"] ?? document["servers"]) as ReadonlyArray<{ readonly url: string }>
  const responses = Object.entries(op["responses"] as Record<string, Json>)
  const errors = responses.filter(([status]) => Number(status) >= 400)
  const success = responses.find(([status]) => status === "200")?.[1]
  const request = (op["requestBody"] as Json | undefined)?.["content"]
  const security = (op["security"] as ReadonlyArray<Json>).map((one) => Object.keys(one)[0] ?? "none").join(" or ")
  return `<section id="${escape(String(op["operationId"]))}">
<h3><b>${method.toUpperCase()}</b> ${escape(`${servers[0]!.url}${path}`)}</h3>
<p>${prose(String(op["description"]))}</p>
<p>Authorization: ${escape(security)}. ${rules(op["x-operation"] as Json)}</p>
${query(op)}
${block("Request", bodySchema(request), document)}
${exampleBlock("Example", request)}
${block("Answer", bodySchema(success?.["content"]), document)}
${exampleBlock("Example", success?.["content"])}
<h4>Errors</h4>
<ul>${
    errors.map(([status, { description }]) => `<li><b>${status}</b> ${prose(String(description))}</li>`).join("")
  }</ul>
</section>`
}

const css = `body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:0 auto;padding:1rem;color:#1b1b1f}
h3{font:600 1.05rem/1.4 ui-monospace,monospace;border-top:1px solid #ccc;padding-top:1.5rem}
pre{background:#f4f4f6;padding:.75rem;overflow:auto;border-radius:6px}nav a{display:inline-block;margin-right:1rem}
h4{margin:.75rem 0 .25rem}@media(prefers-color-scheme:dark){body{background:#16161a;color:#e6e6ea}pre{background:#222}a{color:#9bf}}`

const page = (document: Document): string => {
  const json = document as unknown as Json
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as unknown as Readonly<Record<string, Json>>).map(([method, op]) => ({ method, path, op }))
  )
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${escape(document.info.title)} API</title><style>${css}</style></head><body>
<h1>${escape(document.info.title)} API <small>${escape(document.info.version)}</small></h1>
<p>Every route but the live feed takes a POST with a JSON body and answers JSON. The <a href="openapi.json">OpenAPI document</a> says all of it to programs.
An error answers <code>{ error, code, field?, retryable }</code>.</p>
<nav>${operations.map(({ op, path }) => `<a href="#${op["operationId"]}">${escape(path)}</a>`).join("")}</nav>
${operations.map(({ method, op, path }) => operation(method, path, op, json)).join("\n")}
</body></html>`
}

export const answer = (document: Document): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(page(document), {
    contentType: "text/html; charset=utf-8",
    headers: {
      "cache-control": "no-cache",
      "content-security-policy":
        "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "x-content-type-options": "nosniff"
    }
  })
