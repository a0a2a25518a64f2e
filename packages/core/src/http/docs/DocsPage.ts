/**
 * The OpenAPI document as a page for people: operations by feature with their fields and examples, each of which can be tried, errors
 * and records described once. All of it can be read without JavaScript. The page loads one style and one script, both of the drive, and its
 * Content-Security-Policy forbids everything else, so that no text on it can become code.
 *
 * `DriveHttp` loads it when the page is first requested. It imports nothing that other modules load too, or a bundler would make
 * more chunks.
 */
import { HttpServerResponse } from "effect/http"
import type { ErrorStatus } from "../ApiError.ts"
import type { Document, OperationItem } from "../OpenApiDocument.ts"
import { script, style } from "./Assets.ts"
import * as Errors from "./Errors.ts"
import { anchorOf, fields, type Schema } from "./Fields.ts"
import { escape, inline, type Target } from "./Html.ts"
import { type ListedOperation, section, titleOf } from "./OperationSection.ts"

interface Group {
  readonly name: string
  readonly anchor: string
  readonly description: string
  readonly operations: ReadonlyArray<ListedOperation>
}

/** The path where a service is mounted: its address without the origin. */
const mountOf = (url: string): string => url.replace(/^[a-z]+:\/\/[^/]+/, "")

const groupsOf = (document: Document): ReadonlyArray<Group> => {
  const [server] = (document as unknown as { readonly servers: ReadonlyArray<{ readonly url: string }> }).servers
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as unknown as Readonly<Record<string, OperationItem>>).map(([method, item]) => ({
      method: method.toUpperCase(),
      path: mountOf((item.servers?.[0] ?? server!).url) + path,
      item
    }))
  )
  return document.tags.map(({ description, name }) => ({
    name,
    anchor: `group-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-")}`,
    description: description ?? "",
    operations: operations.filter(({ item }) => item.tags.includes(name))
  })).filter((group) => group.operations.length > 0)
}

/** What names in a text link to: routes to their operations, error codes and statuses to their descriptions. */
const targets = (groups: ReadonlyArray<Group>): Target => {
  const routes = new Map(
    groups.flatMap(({ operations }) =>
      operations.map(({ item, path }) => [path.slice(path.lastIndexOf("/")), item.operationId] as const)
    )
  )
  return (name) => routes.get(name) ?? Errors.anchorOfCode(name)
}

const navigation = (groups: ReadonlyArray<Group>): string =>
  `<nav aria-label="Operations"><details open id="contents"><summary>Operations</summary>
<p class="filter" hidden><label for="filter">Find an operation</label><input id="filter" type="search" autocomplete="off" spellcheck="false"
placeholder="upload, token, share …"><span id="found" role="status"></span></p>
<ul><li><a href="#start">Start</a></li><li><a href="#errors">Errors</a></li><li><a href="#records">Records</a></li></ul>
${
    groups.map(({ anchor, name, operations }) =>
      `<h2><a href="#${anchor}">${escape(name)}</a></h2><ul>${
        operations.map(({ item: { operationId } }) =>
          `<li><a href="#${escape(operationId)}">${escape(titleOf(operationId))}</a></li>`
        ).join("")
      }</ul>`
    ).join("\n")
  }</details></nav>`

const start = (groups: ReadonlyArray<Group>, appId: string, target: Target): string => {
  const all = groups.flatMap(({ operations }) => operations)
  const path = (operationId: string) => all.find(({ item }) => item.operationId === operationId)?.path ?? ""
  const curl = `curl -X POST "$HOST${path("exchangeToken")}" \\
  -H "Authorization: Bearer $API_TOKEN"

curl -X POST "$HOST${path("searchFiles")}" \\
  -H "Authorization: Bearer $SESSION" \\
  -H "X-Service-App: ${appId}" \\
  -H "Content-Type: application/json" \\
  -d '{"text": "tram"}'`
  return `<section id="start" aria-labelledby="start-title"><h2 id="start-title">Start</h2>
<div class="told"><p class="lead">${
    inline(
      "Exchange an API token for a session at `/exchange-token`, then call with the session's token. An app that connected by OAuth calls with " +
        "its access token itself, without an exchange.",
      target
    )
  }</p>
<p>Every operation takes a POST with a JSON body and answers JSON; only the live feed is a GET. Fields that are not known are ignored. Times are
ISO 8601 in UTC, sizes are bytes, ids are UUIDs. What can go wrong is told <a href="#errors">once for all</a>. The
<a href="openapi.json">OpenAPI document</a> says all of this to programs.</p>
<form id="session" hidden><h3>Try it here</h3>
<p>The token is exchanged for a session, and this page keeps the session in memory only: reloading forgets it. Calls change your real drive.</p>
<p><label for="token">API token</label><input id="token" type="password" autocomplete="off" spellcheck="false" required></p>
<p><label for="app">X-Service-App</label><input id="app" value="${
    escape(appId)
  }" autocomplete="off" spellcheck="false"></p>
<p class="actions"><button>Open a session</button> <button type="button" id="forget" hidden>Forget it</button></p>
<p id="state" role="status"></p></form></div>
<div class="shown"><figure><figcaption>Shell</figcaption><pre tabindex="0">${
    escape(curl)
  }</pre></figure></div></section>`
}

const records = (document: Document): string => {
  const all = Object.entries(document.components.schemas as Readonly<Record<string, Schema>>)
    .filter(([name]) => !name.startsWith("ApiError")).toSorted(([a], [b]) => a < b ? -1 : 1)
  return `<section id="records" aria-labelledby="records-title"><h2 id="records-title">Records</h2>
<p>What several operations take or answer.</p>
${
    all.map(([name, schema]) =>
      `<div class="record" id="${escape(anchorOf(name))}"><h3>${escape(name)}</h3>${fields(schema, "answer")}</div>`
    ).join("\n")
  }</section>`
}

const appIdOf = (groups: ReadonlyArray<Group>): string => {
  const headers = groups.flatMap(({ operations }) => operations.flatMap(({ item }) => item.parameters))
  const header = headers.find(({ name }) => name === "X-Service-App")
  return String((header?.["schema"] as { readonly const?: unknown } | undefined)?.const ?? "")
}

/** The whole page. Every text of the document is escaped. */
export const page = (document: Document, errors: ReadonlyArray<ErrorStatus>): string => {
  const groups = groupsOf(document)
  const target = targets(groups)
  const { title, version } = document.info
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>${escape(title)} API</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="docs/page.css?v=${style.version}"><script src="docs/page.js?v=${script.version}" defer></script></head><body>
<a class="skip" href="#main">Skip to the operations</a>
<header class="top"><h1><a href="#main">${escape(title)}</a> <small>API ${
    escape(version)
  }</small></h1><a href="#session" id="signed" hidden>No session</a></header>
${navigation(groups)}
<main id="main">
${start(groups, appIdOf(groups), target)}
${
    groups.map(({ anchor, description, name, operations }) =>
      `<section class="group" id="${anchor}" aria-labelledby="${anchor}-title"><h2 id="${anchor}-title">${
        escape(name)
      }</h2>
<p>${inline(description, target)}</p>
${operations.map((one) => section(one, target)).join("\n")}</section>`
    ).join("\n")
  }
${Errors.section(errors, target)}
${records(document)}
</main></body></html>`
}

/** Allows only the drive's own style and script and calls to the same host; forbids frames and evaluated code. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

const ofPage = {
  "cache-control": "no-cache",
  "content-security-policy": policy,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

/** The link contains a hash of the content, so browsers may keep the file. */
const ofAsset = { "cache-control": "public, max-age=31536000, immutable", "x-content-type-options": "nosniff" }

/** The page, its style and its script, by their paths below the service's path. */
export const answers = (document: Document, errors: ReadonlyArray<ErrorStatus>) => {
  const text = (body: string, contentType: string, headers: Readonly<Record<string, string>>) =>
    HttpServerResponse.text(body, { contentType: `${contentType}; charset=utf-8`, headers })
  return {
    "/docs": text(page(document, errors), "text/html", ofPage),
    "/docs/page.css": text(style.text, "text/css", ofAsset),
    "/docs/page.js": text(script.text, "text/javascript", ofAsset)
  }
}
