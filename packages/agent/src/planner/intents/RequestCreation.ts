/** How a file request is made. */
import { askText } from "../drive/Choosing.ts"
import { targetPath } from "../drive/Collections.ts"
import type { RequestItem } from "../drive/Records.ts"
import { requestLink } from "../drive/Requests.ts"
import { mention } from "../Focus.ts"
import { textOf, tokensOf } from "../grammar/Sentence.ts"
import type { Plan, PlanReply } from "../Plan.ts"
import { call, type PlanContext, say } from "../PlanContext.ts"
import type { RequestOptions } from "../RequestOptions.ts"
import { bytes, lastDay, pageUrl, quoted } from "../Speech.ts"
import type { Intent } from "./Intent.ts"
import { particulars } from "./Particulars.ts"

/** The name of a request in "for the photos of the wedding". */
/** Words of those who send. */
const fromPeople =
  /\b(?:from|von)\s+(?:my|our|the|all|people|everyone|everybody|his|her|meinen|den|allen|unseren|the)\b/i

const titleOf = ({ head }: RequestOptions): string => {
  const [first] = tokensOf(head)
  // „Belege 2026“ ein: the quotes say where the name ends.
  if (first?.kind === "quoted") return first.raw
  const text = textOf(head).replace(/[,;]?\s+(?:so|damit)\s.*$/i, "").replace(
    /^(?:me|us|mir|uns)\s+/i,
    ""
  ).replace(
    /^(?:for|called|named|titled|für|namens|about|on|to collect|to get)\s+/i,
    ""
  ).replace(/^(?:the|my|our|their|his|her|some|die|den|das|der|ihre|ihren|eure|seine)\s+/i, "").replaceAll(
    /^["“„']|["”“']$/g,
    ""
  ).trim()
  return text === "" ? "" : text[0]!.toUpperCase() + text.slice(1)
}

function* create(it: PlanContext, asked: RequestOptions): Plan<PlanReply> {
  const more = particulars(it, "request")
  const options = {
    head: asked.head,
    folder: more.folder ?? asked.folder,
    expireTime: more.expireTime ?? asked.expireTime,
    maxBytes: more.maxBytes ?? asked.maxBytes,
    message: more.message ?? asked.message,
    password: more.password ?? asked.password
  }
  const title = (more.title ?? titleOf(asked)).slice(0, 200) ||
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
    "(@create|mach|offne|open|eroffne|start) (a|an|eine|another) [new|neue] #request <options>",
    "@create #request (so that|so|where|for|at which|with which|damit) [my|our|the] (people|clients|guests|students|everyone|others|they|anybody|parents|customers|colleagues|pupils|friends|family|kunden|leute|gaste|schuler|eltern) [(can|could|may|to|konnen)] (upload|send|submit|drop|hand in|turn in|drop off|share) [me] <options>",
    "#request damit [meine|die] (kunden|leute|gaste|schuler|eltern|alle) <options> (hochladen|schicken|abgeben) konnen @create",
    "@create <options> #request",
    "#request <options> @create",
    "#request <options>",
    "@create (place|spot|page|inbox|box|somewhere|site) [(where|for|so|that|which)] [my] (people|clients|guests|students|everyone|others|they|anybody|parents|customers|colleagues|pupils) [(can|could|may|to)] (upload|send|submit|drop|hand in|turn in|drop off) <options>",
    "[my] (people|clients|guests|students|everyone|others|parents|customers|colleagues|pupils|suppliers|applicants) [should|can|could|may|must|have] [be able] [to] (upload|send|submit|hand in|turn in|drop off) [me] <options>",
    "@create #link (where|at which|with which|so|so that|that|through which|for) [people|clients|guests|students|everyone|others|they|anybody] (can|could|may|to) (upload|send|submit|drop|hand in) <options>",
    "@create #link (where|at which|with which|so|so that|that|through which|for) <name:who> (can|could|may|to|should) (upload|send|submit|drop|hand in|turn in|drop off|leave|give) [@me] <options>",
    "@create #link (where|at which|with which|through which) <name:who> (upload|send|submit|drop|hand in|turn in|drop off|leave|give) [@me] <options>",
    "#link (where|at which|with which|so|so that|that|through which|for) <name:who> (can|could|may|to|should) (upload|send|submit|drop|hand in|turn in|drop off|leave|give) [@me] <options>",
    "(@create|gib mir|brauche) #link (uber den|mit dem|wo|unter dem|an dem|damit|auf dem) <name:who> <options> (hochladen|schicken|abgeben|einreichen|senden|schicken konnen|hochladen konnen|abgeben konnen|hochladen kann|schicken kann|einreichen konnen)",
    "#link (uber den|mit dem|wo|unter dem|an dem|damit|auf dem) <name:who> <options> (hochladen|schicken|abgeben|einreichen|senden|schicken konnen|hochladen konnen|abgeben konnen|hochladen kann|schicken kann|einreichen konnen)",
    "(ask|invite|let) (people|clients|guests|students|everyone|others|them) [to] (send|upload|submit) [me] <options>",
    "(collect|gather) <options> (with|by|through) #request",
    "(collect|gather|sammel|sammle|einsammeln) <options> from (people|others|clients|guests|students|everyone)",
    "(ask|bitte|fordere) (people|clients|guests|students|everyone|others|them|parents|customers|colleagues|leute|kunden|gaste|schuler|eltern|alle) (for|um) <options>",
    "@create (seite|stelle|ort|webseite|moglichkeit|platz) [,] (auf der|wo|an der|bei der|uber die|mit der|damit|an die) [mir] [meine|die|unsere] (leute|kunden|gaste|schuler|eltern|alle|kollegen|andere|man|jeder) [mir] <options> (hochladen|schicken|abgeben|einreichen|senden|hochladen konnen|schicken konnen|abgeben konnen|einreichen konnen|kann|hochladen kann|schicken kann|abgeben kann)",
    "@create (place|spot|page|inbox|box|somewhere|site|website|form) (where|for|so|that|which|on which|at which|through which|so that) <name:who> (can|could|may|to|should|are able to|is able to) (upload|send|submit|drop|hand in|turn in|drop off|share|leave|give) [@me] <options>"
  ],
  judge: (slots) => {
    const options = slots.get("options")
    const head = options === undefined ? "" : textOf(options.head)
    if (
      /\b(?:close|open|reopen|delete|closed|it|again|take|accept|wieder|nochmal|zu|auf|annehmen|until|extend|end)$|\b(?:close|reopen|delete|closed|it)\b|^(?:again|wieder)/i
        .test(head)
    ) {
      return null
    }
    return 1
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

/** "gather the photos in /A" is no request: it says from whom. */
export const collecting: Intent = {
  name: "collect by a request",
  forms: [
    "(collect|gather|collecting|sammel|sammle|einsammeln|get) <options>",
    "<options> (sammeln|einsammeln)",
    "(ask|bitte) <name:who> (for|um) <options>"
  ],
  judge: (slots) => {
    const head = textOf(slots.get("options")!.head)
    return slots.get("name", "who") === undefined
      ? fromPeople.test(head) ? 1.5 : null
      : /\b(?:photos?|files?|homework|documents?|fotos|dateien|unterlagen)\b/i.test(head)
      ? 0.5
      : null
  },
  plan: (slots, it) => create(it, slots.get("options")!)
}
