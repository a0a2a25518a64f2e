/** Which file requests there are, and what people have sent to them. */
import type { FileRecord, RequestItem } from "../drive/Records.ts"
import { requestLink, requests, theRequest } from "../drive/Requests.ts"
import { anyFile } from "../files/FileQuery.ts"
import { findFiles } from "../files/findFiles.ts"
import { mention, mentionFiles } from "../Focus.ts"
import { plainName } from "../grammar/Spelling.ts"
import type { Plan, PlanReply } from "../Plan.ts"
import { type PlanContext, say } from "../PlanContext.ts"
import { bytes, counted, enumerate, lastDay, pageUrl, quoted } from "../Speech.ts"
import type { Intent } from "./Intent.ts"
import { listed } from "./Listing.ts"

const stateOf = (it: PlanContext, { drops, expireTime, open, receivedBytes, title }: RequestItem): string => {
  const files = drops.reduce((sum, drop) => sum + drop.files.length, 0)
  const end = open && expireTime !== null
    ? say(it, `, until ${lastDay(it, expireTime)}`, `, bis ${lastDay(it, expireTime)}`)
    : ""
  return `${title}: ${open ? say(it, "open", "offen") : say(it, "closed", "geschlossen")}${end}, ${
    counted(it, files, ["file", "files"], ["Datei", "Dateien"])
  } (${bytes(it, receivedBytes)})`
}

/** What came in at a request, and the files as what "them" means from now on. */
function* arrived(it: PlanContext, request: RequestItem): Plan<PlanReply> {
  const names = request.drops.flatMap(({ files }) => files.map(({ id }) => id))
  const lines = request.drops.map(({ files, note, senderName }) =>
    `- ${senderName}: ${files.length === 0 ? "–" : enumerate(it, files.map(({ fileName }) => fileName))}${
      note === null ? "" : ` (${quoted(note)})`
    }`
  )
  if (names.length > 0) {
    const ids = new Set(names)
    const { files } = yield* findFiles(it, { ...anyFile, folder: request.folder.path, said: request.title })
    const sent: ReadonlyArray<FileRecord> = files.filter(({ id }) => ids.has(id))
    if (sent.length > 0) mentionFiles(it.focus, sent)
  }
  return {
    text: lines.length === 0
      ? say(
        it,
        `Nobody has sent anything to ${quoted(request.title)} yet.`,
        `An ${quoted(request.title)} hat noch niemand etwas geschickt.`
      )
      : `${stateOf(it, request)}\n${lines.join("\n")}`,
    links: [requestLink(it, request)]
  }
}

/** Whether somebody has sent anything yet. */
function* arrivedFrom(it: PlanContext, request: RequestItem, who: string): Plan<PlanReply> {
  const drops = request.drops.filter(({ senderName }) => plainName(senderName).split(" ").includes(plainName(who)))
  if (drops.length > 0) return yield* arrived(it, { ...request, drops })
  return {
    text: say(
      it,
      `${who} has not sent anything to ${quoted(request.title)} yet.`,
      `${who} hat noch nichts an ${quoted(request.title)} geschickt.`
    ),
    links: [requestLink(it, request)]
  }
}

/** Questions for what was sent, in front of the request's name. */
const found = `([@find] (what|who|anything|which files|was|wer) [@is|has|have|did] [already|schon|been|people] ${
  "" +
  "(came in|come in|came|arrived|arrive|sent|send in|sent in|uploaded|submitted|received|handed in|turned in|been sent|been uploaded)"
} [files|in|something|anything|so far]|` +
  "@howmany (files|photos|videos|uploads|submissions|dateien|fotos|drops|#delivery|people|leute) [@is|has|have|did|do] [been|people|we|i] " +
  "(came in|come in|arrived|sent|uploaded|submitted|received|get|got|handed in|eingegangen|angekommen|geschickt))"

export const arrivals: ReadonlyArray<Intent> = [
  {
    name: "list requests",
    forms: [
      "@find [@all|open|closed|offene|offenen] #request",
      "(what|which|welche) [open|closed] #request (do|have|are|habe|gibt|sind) (i|there|we|ich|es|open|still open|offen) [have|open]",
      "(what|which|welche) #request (are|sind) (open|still open|offen|closed)",
      "@howmany #request (do i have|are there|are open|gibt es|habe ich)",
      "(what|which|welche) #request @is [currently|still|noch] @unresolved",
      ...listed("#request")
    ],
    judge: () => 0.5,
    *plan(_, it) {
      const all = yield* requests(it)
      if (all.length === 0) return { text: say(it, "There are no file requests.", "Es gibt keine Dateianfragen.") }
      const [only] = all
      if (all.length === 1) mention(it.focus, "request", { id: only!.id, name: only!.title })
      return {
        text: all.map((one) => `- ${stateOf(it, one)}: ${pageUrl(it, "requests", one.id)}`).join("\n"),
        links: all.map((one) => requestLink(it, one))
      }
    }
  },
  {
    name: "what arrived at a request",
    forms: [
      "@find #delivery (to|at|for|of|an|bei) #request <name>",
      "@find #request [@called|for] <name>",
      "@find <name> #request",
      "(who|what|which files|wer|was|welche dateien) (sent|uploaded|arrived|came|submitted|came in|has arrived|has sent|was sent|did people send|did they send|has been sent|hat geschickt|ist angekommen|kam|hat|wurde) [files|in|something|anything|already|schon] (to|at|for|through|an|bei|fur|through) #request [@called|for] <name> [geschickt|hochgeladen|angekommen]",
      "(who|what|which files|wer|was|welche dateien) (sent|uploaded|arrived|came|submitted|came in|has arrived|has sent|was sent|did people send|did they send|has been sent) [files|in|something|already] (to|at|for|through) <name> #request",
      "(who|what) (sent|uploaded|arrived|came in|did people send|has sent|submitted) [files|something|already] (to|at|for) (it|the request|that request)",
      "(has|have|did) (anyone|anybody|someone|people|any files) (sent|send|upload|uploaded|arrived|arrive|submit|submitted) [anything|files|something] (to|at|for) #request <name>",
      "(has|have|did) (anyone|anybody|someone|people|any files) (sent|send|upload|uploaded|arrived|arrive|submit|submitted) [anything|files|something] (to|at|for) <name> #request",
      "(has|have|did) (anyone|anybody|someone|people) (sent|send|upload|uploaded|submit|submitted) [anything|files|something] [(to|at|for) <name>]",
      "(files|dateien) (from|of|sent to|in|aus|von|der) #request <name>",
      "@find (files|dateien) (from|of|sent to|in|aus|von|der) #request <name>",
      "@find (files|dateien) (from|of|sent to|in) <name> #request",
      `${found} (to|for|at|on|through|into|via|in|fur|bei|an|von) [#request] [@called] <name> [#request] [geschickt|hochgeladen|angekommen|eingegangen|so far|bisher]`,
      "(was|wer) (kam|ist) (bei|fur|an) [#request] <name> (an|rein|angekommen|eingegangen)",
      "(anything|something|news|etwas|was|schon was) [@new|in|neues] (for|at|on|from|fur|bei|von) #request <name>",
      "(anything|something|news|etwas) [@new|in|neues] (for|at|on|from|fur|bei|von) <name> #request",
      "(has|have|did) <people:who> (sent|send|upload|uploaded|submit|submitted|hand in|handed in|deliver|delivered|turn in|turned in) [in] [<text:what>]",
      "hat <people:who> [schon|bereits] [<text:what>] (geschickt|hochgeladen|abgegeben|gesendet|geliefert)",
      "(status|state) of #request <name>",
      "(give|get|show|send) [me] #link (to|for|of) #request <name>",
      "(give|get|show|send) [me] #link (to|for|of) <name> #request"
    ],
    judge: (slots) => {
      const who = slots.get("people", "who")
      const isMe = who?.some((name) => /^(?:i|we|you|it|he|she|they|ich|wir|du|my|the)$/i.test(name)) ?? false
      return isMe || /\bto me\b|\bdid\b/.test(slots.get("name") ?? "") ? null : who === undefined ? 0.9 : 0
    },
    *plan(slots, it) {
      const who = slots.get("people", "who")?.[0]
      // "has Mia sent her pictures to Homework yet?"
      const what = plainName(slots.get("text") ?? slots.get("text", "what") ?? "")
      const titled = slots.get("name") === undefined && what !== ""
        ? (yield* requests(it)).find(({ title }) => what.includes(plainName(title)))
        : undefined
      const request = yield* theRequest(it, slots.get("name") ?? titled?.id ?? null)
      if (who !== undefined) return yield* arrivedFrom(it, request, who)
      const said = yield* arrived(it, request)
      return { ...said, text: `${said.text}\n${pageUrl(it, "requests", request.id)}` }
    }
  },
  {
    name: "who has sent something",
    forms: [
      "(who|wer|who all|wer alles) [has|have|hat|haben] [already|schon] [@me] [@something] @send [@me|in] [@something] (to|at|for|through|an|bei|fur|zu|in) [#request] [@called] <name>",
      "(who|wer|wer alles) (has|have|hat|haben) [already|schon] [@me|mir|uns] [@something] (to|at|for|an|bei|fur|zu|in) [#request] [@called] <name> [@something] @send",
      "(has|have|did|hat|haben) [already|schon] @someone [already|schon] [@me|mir|uns] [@something] (fur|zu|bei|an|in|zur|zum) [#request] [@called] <name> [@something] @send",
      "(has|have|did) @someone [already] @send [@me|in] [@something] [already|in] (to|at|for|through) [#request] [@called] <name>",
      "(has|have|did) @someone [already] @send [@me|in] [@something] [already|in] (to|at|for|through) <name> #request",
      "(did|has|have|hat|haben) [already|schon] @something (arrive|come in|come|arrived|angekommen|eingegangen|gekommen) (for|at|to|fur|bei|zu|an) [#request] [@called] <name>",
      "(ist|sind) [schon] @something (fur|bei|zu|an) [#request] [@called] <name> (angekommen|eingegangen|gekommen|da)",
      "(who|wer) [has|have|hat|haben] @send (what|was) (to|for|at|an|bei|fur|zu|in) [#request] [@called] <name>",
      "(who|wer) (has|have|hat|haben) (to|for|an|bei|fur|zu|in) [#request] [@called] <name> (what|was) @send",
      "@howmany (people|persons|senders|guests|clients|students|leute|personen|gaste) (have|has|haben|hat) [already|schon] [@something] @send [in] [@something] (to|for|at|fur|bei|zu|an) [#request] [@called] <name> [@send]",
      "@howmany (people|leute|personen) (haben|hat) (fur|bei|zu|an) [#request] [@called] <name> [schon] [@something] @send",
      "(what|was) [has|have|hat|ist] (been|so far|bisher|schon) [been] (@send|come in|arrived|eingegangen|angekommen) (for|to|at|fur|bei|zu|an) [#request] [@called] <name>",
      "(anything|something|news|etwas|was|schon was|schon etwas) (for|to|at|in|from|fur|bei|von) #request [@called] <name>",
      "(what|was) (has|have|hat|wurde|ist|did) [@someone] [@me] [@send] [in] (for|to|at|fur|bei|zu|an) [#request] [@called] <name> [@send|angekommen|eingegangen|gekommen|come in|arrived]",
      "@howmany [files|people|deliveries|dateien|leute|abgaben] (have|has|haben|hat|wurden|sind) [@someone] [@send|come in|arrived] (for|to|at|fur|bei|zu|an) [#request] [@called] <name> [@send|angekommen|eingegangen|gekommen]"
    ],
    judge: (slots) => /^(?:me|us|it|them|mir|uns|mich|my drive)$/i.test(slots.get("name")!) ? -2 : 1.4,
    *plan(slots, it) {
      return yield* arrived(it, yield* theRequest(it, slots.get("name")!))
    }
  }
]
