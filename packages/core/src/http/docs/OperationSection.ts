/** One operation on the page: what it does, its request and answer, who may call it, and examples. */
import type { OperationItem } from "../OpenApiDocument.ts"
import { anchorOfStatus } from "./Errors.ts"
import { fields, parameters, type Schema } from "./Fields.ts"
import { escape, prose, type Target } from "./Html.ts"

export interface ListedOperation {
  readonly method: string
  /** The path, with the service's mount and without the origin: the page calls the host that it came from. */
  readonly path: string
  readonly item: OperationItem
}

/** What all operations may answer. The section of errors lists it, so each operation does not repeat it. */
const commonStatuses = new Set(["400", "401", "403", "429", "500", "503"])

const effects = {
  reads: "Changes nothing.",
  changes: "Changes the drive.",
  deletes: "Deletes what no other call can restore."
} as const

/** The title of an operation: `selectUserFiles` is `Select user files`. */
export const titleOf = (operationId: string): string => {
  const words = operationId.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return (words[0]!.toUpperCase() + words.slice(1)).replace(/\bapi\b/, "API").replace(
    /\burls?\b/g,
    (url) => url.replace("url", "URL")
  )
}

/** What a call authenticates with: a session, an API token (to exchange it), a session that may be left out, or nothing but a link. */
const authorizationOf = ({ security }: OperationItem): "token" | "session" | "optional" | "link" =>
  security.length === 0 ?
    "link" :
    security.some((one) => "apiToken" in one) ?
    "token" :
    security.some((one) => Object.keys(one).length === 0)
    ? "optional"
    : "session"

const authorizations = {
  token: "Needs an API token.",
  session: "Needs a session.",
  optional: "A session may be left out.",
  link: "Needs no session: the link's id is the key."
} as const

const about = (item: OperationItem): string => {
  const { effect, isRepeatable, permissions } = item["x-operation"]!
  const asked = permissions.map((one) => `<code>${escape(one)}</code>`).join(" or ")
  return [
    effects[effect],
    effect !== "reads" && (isRepeatable ? "Safe to repeat." : "Not safe to repeat."),
    authorizations[authorizationOf(item)],
    asked !== "" && `A limited token needs the permission ${asked}.`
  ].filter((sentence) => sentence !== false).join(" ")
}

interface Content {
  readonly type: string
  readonly schema: Schema
  readonly example: unknown
}

const contentOf = (body: OperationItem["requestBody"] | OperationItem["responses"][string]): Content | undefined => {
  const [found] = Object.entries(body?.content ?? {})
  return found === undefined
    ? undefined
    : { type: found[0], schema: found[1].schema as Schema, example: found[1].example }
}

const text = (example: unknown): string => typeof example === "string" ? example : JSON.stringify(example, null, 2)

const example = (title: string, kind: string, value: unknown): string =>
  value === undefined
    ? ""
    : `<figure><figcaption>${title}</figcaption><pre class="${kind}" tabindex="0">${escape(text(value))}</pre></figure>`

const ownErrors = (responses: OperationItem["responses"]): string => {
  const statuses = Object.keys(responses).filter((status) => Number(status) >= 400)
  const own = statuses.filter((status) => !commonStatuses.has(status))
  const links = own.map((status) => `<a href="#${anchorOfStatus(status)}">${status}</a>`)
  return `<p class="errors">Errors: <a href="#errors">those of every call</a>${
    links.map((link) => `, ${link}`).join("")
  }.</p>`
}

export const section = ({ item, method, path }: ListedOperation, target: Target): string => {
  const id = escape(item.operationId)
  const request = contentOf(item.requestBody)
  const answer = contentOf(item.responses["200"])
  const query = item.parameters.filter((one) => one.in === "query") as unknown as Parameters<typeof parameters>[0]
  const sent = query.map((one) => (one as { readonly example?: unknown }).example ?? "").map(String)
  const slash = path.lastIndexOf("/")
  const { effect } = item["x-operation"]!
  const part = (title: string, body: string) => `<h4>${title}</h4>${body}`
  return `<article id="${id}" aria-labelledby="${id}-title" data-method="${method}" data-path="${
    escape(path)
  }" data-auth="${authorizationOf(item)}" data-effect="${effect}"${
    query.length === 0
      ? ""
      : ` data-query="${escape(JSON.stringify(Object.fromEntries(query.map(({ name }, at) => [name, sent[at]]))))}"`
  }>
<header><h3 id="${id}-title"><a href="#${id}">${escape(titleOf(item.operationId))}</a></h3>
<p class="route"><b class="method">${method}</b> <code>${escape(path.slice(0, slash))}<wbr><b>${
    escape(path.slice(slash))
  }</b></code> <span class="effect ${effect}">${effect}</span></p></header>
<div class="told">
${prose(String(item.description), target)}
<p class="note">${about(item)}</p>
${query.length === 0 ? "" : part("In the URL", parameters(query))}
${
    request === undefined
      ? query.length === 0 ? part("Request", "<p class=\"type\">no body</p>") : ""
      : part(
        item.requestBody!.required ? "Request" : "Request, which may be left out",
        fields(request.schema, "request")
      )
  }
${answer === undefined ? "" : part("Answer", fields(answer.schema, "answer"))}
${ownErrors(item.responses)}
</div>
<div class="shown">
${example("Request", "request", request?.example)}
${example(answer?.type === "text/event-stream" ? "Answer, as it goes on" : "Answer", "answer", answer?.example)}
</div>
</article>`
}
