/** Does what a request asks for, one thing after the other, and tells what came of it. */
import type { Link } from "./Decision.ts"
import { helpText } from "./intents/helpText.ts"
import { announce, isDone } from "./intents/Particulars.ts"
import { saveParts } from "./intents/Parts.ts"
import { NotPermitted, type Plan, type PlanReply, Stopped, ToolFailed } from "./Plan.ts"
import { type PlanContext, say } from "./PlanContext.ts"
import type { Clause } from "./readClauses.ts"
import type { Request } from "./Request.ts"
import { quoted } from "./Speech.ts"

/** The permission that a tool needs; null where that is unknown. */
export type PermissionOf = (tool: string) => string | null

/** How a request ended in the middle, as a sentence. */
const reasonOf = (it: PlanContext, fault: unknown, permissionOf: PermissionOf): PlanReply => {
  if (fault instanceof Stopped) return fault.said
  if (fault instanceof ToolFailed) {
    return { text: say(it, `That did not work: ${fault.failure.error}`, `Das ging nicht: ${fault.failure.error}`) }
  }
  if (fault instanceof NotPermitted) {
    const permission = permissionOf(fault.tool)
    return {
      text: permission === null
        ? say(
          it,
          `This connection may not do that (${fault.tool}).`,
          `Diese Verbindung darf das nicht (${fault.tool}).`
        )
        : say(
          it,
          `This connection may not do that: it lacks the permission “${permission}”.`,
          `Diese Verbindung darf das nicht: Ihr fehlt die Berechtigung „${permission}“.`
        )
    }
  }
  throw fault
}

const skipped = (it: PlanContext, clauses: ReadonlyArray<Clause>): string => {
  const left = clauses.filter(({ kind }) => kind !== "remark").map(({ text }) => quoted(text)).join(", ")
  return left === "" ? "" : say(it, `I did not go on with: ${left}.`, `Nicht mehr gemacht habe ich: ${left}.`)
}

const joined = (all: ReadonlyArray<PlanReply>): PlanReply => ({
  text: all.map(({ text }) => text).filter((text) => text !== "").join("\n"),
  links: uniqueLinks(all.flatMap(({ links }) => links ?? []))
})

const uniqueLinks = (links: ReadonlyArray<Link>): ReadonlyArray<Link> => [
  ...new Map(links.map((link) => [`${link.kind} ${link.id}`, link])).values()
]

/** All of a request. What was done before a failure stays, and is told. */
export function* runRequest(it: PlanContext, request: Request, permissionOf: PermissionOf): Plan<PlanReply> {
  const done: Array<PlanReply> = []
  try {
    const saved = yield* saveParts(it)
    if (saved !== null) done.push(saved)
  } catch (fault) {
    done.push(reasonOf(it, fault, permissionOf))
  }
  if (request.unknown.length > 0 || request.clauses.length === 0) {
    if (done.length > 0 && request.clauses.length === 0 && request.unknown.length === 0) return joined(done)
    return joined([...done, helpText(it, request.unknown)])
  }
  it.focus.remarks = []
  for (const [at, clause] of request.clauses.entries()) {
    const { kind, parsed } = clause
    if (isDone(it, clause)) continue
    try {
      announce(it, request.clauses.slice(at + 1))
      const said = yield* parsed.intent.plan(parsed.slots, it)
      done.push(said)
      if (kind === "if" && said.text !== "") return joined(done)
    } catch (fault) {
      done.push(reasonOf(it, fault, permissionOf), { text: skipped(it, request.clauses.slice(at + 1)) })
      return joined(done)
    }
  }
  return joined([...done, ...(request.left.length === 0 ? [] : [{ text: notUnderstood(it, request.left) }])])
}

const notUnderstood = (it: PlanContext, left: ReadonlyArray<string>): string => {
  const words = left.map((text) => quoted(text)).join(", ")
  return say(
    it,
    `I did not understand ${words} and left that out.`,
    `${words} habe ich nicht verstanden und weggelassen.`
  )
}
