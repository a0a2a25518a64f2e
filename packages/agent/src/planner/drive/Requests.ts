/** File requests by the names that people use for them. */
import type { Link } from "../Decision.ts"
import { mention } from "../Focus.ts"
import { plainName } from "../grammar/Spelling.ts"
import { type Plan, Stopped } from "../Plan.ts"
import { call, type PlanContext, say } from "../PlanContext.ts"
import { pageUrl, quoted } from "../Speech.ts"
import { choose } from "./Choosing.ts"
import { containing, named } from "./Collections.ts"
import type { RequestItem } from "./Records.ts"

/** The page of a request, as answers link to it. */
export const requestLink = (it: PlanContext, { id, title }: Pick<RequestItem, "id" | "title">): Link => ({
  kind: "request",
  id,
  name: title,
  url: pageUrl(it, "requests", id)
})

export function* requests(it: PlanContext): Plan<ReadonlyArray<RequestItem>> {
  it.known.requests ??=
    (yield* call<{ readonly requests: ReadonlyArray<RequestItem> }>(it, "select_file_requests")).requests
  return it.known.requests
}

const mentionRequest = (it: PlanContext, request: RequestItem): RequestItem => {
  mention(it.focus, "request", { id: request.id, name: request.title })
  return request
}

/** The request that is meant: by name, by a sender, the one mentioned, the only open one, or the only one. */
export function* theRequest(it: PlanContext, said: string | null): Plan<RequestItem> {
  const all = yield* requests(it)
  if (all.length === 0) {
    throw new Stopped({ text: say(it, "There are no file requests.", "Es gibt keine Dateianfragen.") })
  }
  if (said === null || /^(?:it|that|this|them|sie|es)$/i.test(said)) {
    const mentioned = all.find(({ id }) => id === it.focus.request?.id)
    if (mentioned !== undefined) return mentionRequest(it, mentioned)
    const open = all.filter((request) => request.open)
    const [only] = open.length === 1 ? open : all.length === 1 ? all : []
    if (only !== undefined) return mentionRequest(it, only)
    return mentionRequest(
      it,
      yield* choose(
        it,
        open.length > 0 ? open : all,
        say(it, "Which request do you mean?", "Welche Anfrage meinst du?"),
        ({ title }) => title
      )
    )
  }
  const exact = all.filter(({ id }) => id === said)
  const called = exact.length > 0 ? exact : named(all, said, ({ title }) => title)
  const loose = called.length > 0 ? called : containing(all, said, ({ title }) => title)
  const found = loose.length > 0
    ? loose
    : all.filter(({ drops }) => drops.some(({ senderName }) => plainName(senderName).includes(plainName(said))))
  if (found.length === 1) return mentionRequest(it, found[0]!)
  if (found.length === 0) {
    throw new Stopped({
      text: say(
        it,
        `There is no request ${quoted(said)}. There ${all.length === 1 ? "is" : "are"}: ${
          all.map(({ title }) => title).join(", ")
        }.`,
        `Es gibt keine Anfrage ${quoted(said)}. Es gibt: ${all.map(({ title }) => title).join(", ")}.`
      )
    })
  }
  return mentionRequest(
    it,
    yield* choose(it, found, say(it, "Which request do you mean?", "Welche Anfrage meinst du?"), ({ title }) => title)
  )
}
