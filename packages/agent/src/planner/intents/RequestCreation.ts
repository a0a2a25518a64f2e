/** How a file request is made. */
import { askText } from "../drive/Choosing.ts"
import { targetPath } from "../drive/Collections.ts"
import type { RequestItem } from "../drive/Records.ts"
import { requestLink } from "../drive/Requests.ts"
import { mention } from "../Focus.ts"
import { textOf, tokensOf } from "../grammar/Sentence.ts"
import type { Plan, Said } from "../Plan.ts"
import type { RequestOptions } from "../RequestOptions.ts"
import { call, say, type Situation } from "../Situation.ts"
import { bytes, lastDay, pageUrl, quoted } from "../Speech.ts"
import type { Intent } from "./Intent.ts"

/** The name of a request in "for the photos of the wedding". */
const titleOf = ({ head }: RequestOptions): string => {
  const [first] = tokensOf(head)
  // „Belege 2026“ ein: the quotes say where the name ends.
  if (first?.kind === "quoted") return first.raw
  const text = textOf(head).replace(/[,;]?\s+(?:so|damit)\s.*$/i, "").replace(
    /^(?:for|called|named|titled|für|namens|about|on|to collect|to get)\s+/i,
    ""
  ).replace(/^(?:the|my|our|their|his|her|some|die|den|das|der|ihre|ihren|eure|seine)\s+/i, "").replaceAll(
    /^["“„']|["”“']$/g,
    ""
  ).trim()
  return text === "" ? "" : text[0]!.toUpperCase() + text.slice(1)
}

function* create(it: Situation, options: RequestOptions): Plan<Said> {
  const title = titleOf(options).slice(0, 200) ||
    (yield* askText(it, say(it, "What should the request be called?", "Wie soll die Anfrage heißen?"))).slice(0, 200)
  const { expireTime, maxBytes, message, password } = options
  const folder = options.folder === null ? null : yield* targetPath(it, options.folder)
  const made = yield* call<RequestItem>(it, "create_file_request", {
    title,
    ...(folder === null ? {} : { folder }),
    ...(expireTime === null ? {} : { expireTime }),
    ...(maxBytes === null ? {} : { maxBytes }),
    ...(message === null ? {} : { message }),
    ...(password === null ? {} : { password })
  })
  mention(it.focus, "request", { id: made.id, name: made.title })
  it.focus.folder = made.folder
  const end = made.expireTime === null
    ? ""
    : say(
      it,
      ` It is open until ${lastDay(it, made.expireTime)}.`,
      ` Sie ist offen bis ${lastDay(it, made.expireTime)}.`
    )
  const most = made.maxBytes === null
    ? ""
    : say(it, ` It takes ${bytes(it, made.maxBytes)} at most.`, ` Sie nimmt höchstens ${bytes(it, made.maxBytes)}.`)
  const lock = password === null ? "" : say(it, " It asks for the password.", " Sie fragt nach dem Passwort.")
  return {
    text: say(
      it,
      `Made the file request ${quoted(made.title)}: ${
        pageUrl(it, "requests", made.id)
      }\nFiles land in ${made.folder.path}.${end}${most}${lock}`,
      `Dateianfrage ${quoted(made.title)} erstellt: ${
        pageUrl(it, "requests", made.id)
      }\nDateien landen in ${made.folder.path}.${end}${most}${lock}`
    ),
    links: [requestLink(it, made)]
  }
}

export const creation: Intent = {
  name: "create a request",
  forms: [
    "@create #request <options>",
    "@create #request",
    "@create #request (so that|so|where|for|at which|with which|damit) [my|our|the] (people|clients|guests|students|everyone|others|they|anybody|parents|customers|colleagues|pupils|friends|family|kunden|leute|gaste|schuler|eltern) [(can|could|may|to|konnen)] (upload|send|submit|drop|hand in|turn in|drop off|share) [me] <options>",
    "#request damit [meine|die] (kunden|leute|gaste|schuler|eltern|alle) <options> (hochladen|schicken|abgeben) konnen @create",
    "@create <options> #request",
    "#request <options> @create",
    "#request <options>",
    "@create (place|spot|page|inbox|box|somewhere|site) [(where|for|so|that|which)] [my] (people|clients|guests|students|everyone|others|they|anybody|parents|customers|colleagues|pupils) [(can|could|may|to)] (upload|send|submit|drop|hand in|turn in|drop off) <options>",
    "[my] (people|clients|guests|students|everyone|others|parents|customers|colleagues|pupils|suppliers|applicants) [should|can|could|may|must|have] [be able] [to] (upload|send|submit|hand in|turn in|drop off) [me] <options>",
    "@create #link (where|at which|with which|so|so that|that|through which|for) [people|clients|guests|students|everyone|others|they|anybody] (can|could|may|to) (upload|send|submit|drop|hand in) <options>",
    "@create #link (where|at which|with which|so|so that|that|through which|for) <name:who> (can|could|may|to|should) (upload|send|submit|drop|hand in|turn in|drop off|leave|give) [@me] <options>",
    "#link (where|at which|with which|so|so that|that|through which|for) <name:who> (can|could|may|to|should) (upload|send|submit|drop|hand in|turn in|drop off|leave|give) [@me] <options>",
    "(@create|gib mir|brauche) #link (uber den|mit dem|wo|unter dem|an dem|damit|auf dem) <name:who> <options> (hochladen|schicken|abgeben|einreichen|senden|schicken konnen|hochladen konnen|abgeben konnen|hochladen kann|schicken kann|einreichen konnen)",
    "#link (uber den|mit dem|wo|unter dem|an dem|damit|auf dem) <name:who> <options> (hochladen|schicken|abgeben|einreichen|senden|schicken konnen|hochladen konnen|abgeben konnen|hochladen kann|schicken kann|einreichen konnen)",
    "(ask|invite|let) (people|clients|guests|students|everyone|others|them) [to] (send|upload|submit) [me] <options>",
    "(collect|gather) <options> (with|by|through) #request",
    "(i want to|let me|help me) collect <options> from (people|others|clients|guests|students|everyone)"
  ],
  judge: (slots) => {
    const options = slots.get("options")
    const head = options === undefined ? "" : textOf(options.head)
    return /\b(?:close|open|reopen|delete|closed|it)\b/i.test(head) ? null : 1
  },
  *plan(slots, it) {
    const options = slots.get("options")
    if (options !== undefined) return yield* create(it, options)
    const title = yield* askText(it, say(it, "What should the request be called?", "Wie soll die Anfrage heißen?"))
    const made = yield* call<RequestItem>(it, "create_file_request", { title: title.slice(0, 200) })
    mention(it.focus, "request", { id: made.id, name: made.title })
    return {
      text: say(
        it,
        `Made the file request ${quoted(made.title)}: ${pageUrl(it, "requests", made.id)}`,
        `Dateianfrage ${quoted(made.title)} erstellt: ${pageUrl(it, "requests", made.id)}`
      ),
      links: [requestLink(it, made)]
    }
  }
}
