/** What one person has sent to a request: shown, and moved, tagged, shared, zipped or put in trash. */
import type { FileRecord, RequestItem } from "../drive/Records.ts"
import { requestLink, theRequest } from "../drive/Requests.ts"
import { isCalled } from "../drive/SenderNames.ts"
import { anyFile } from "../files/FileQuery.ts"
import { findFiles } from "../files/findFiles.ts"
import { mentionFiles } from "../Focus.ts"
import { type Plan, Stopped } from "../Plan.ts"
import { type PlanContext, say } from "../PlanContext.ts"
import type { Slots } from "../Slots.ts"
import { enumerate, quoted } from "../Speech.ts"
import { pack } from "./Archives.ts"
import { move } from "./Folders.ts"
import type { Intent } from "./Intent.ts"
import { filesListed, listing } from "./Listing.ts"
import { share } from "./Sharing.ts"
import { tag } from "./Tagging.ts"
import { trash } from "./Trash.ts"

/** The files, which "them" means from now on. */
function* filesOf(it: PlanContext, slots: Slots): Plan<
  { readonly request: RequestItem; readonly files: ReadonlyArray<FileRecord>; readonly who: string }
> {
  const who = enumerate(it, slots.get("people", "who")!)
  const request = yield* theRequest(it, slots.get("name") ?? null)
  const drops = request.drops.filter(({ senderName }) =>
    slots.get("people", "who")!.some((one) => isCalled(senderName, one))
  )
  const ids = new Set(drops.flatMap(({ files }) => files.map(({ id }) => id)))
  if (ids.size === 0) {
    throw new Stopped({
      text: say(
        it,
        `${who} has not sent anything to ${quoted(request.title)} yet.`,
        `${who} hat noch nichts an ${quoted(request.title)} geschickt.`
      ),
      links: [requestLink(it, request)]
    })
  }
  const { files } = yield* findFiles(it, { ...anyFile, folder: request.folder.path, said: request.title })
  // What was moved since is found by its id.
  const here = files.filter(({ id }) => ids.has(id))
  const all = here.length === ids.size
    ? here
    : (yield* findFiles(it, { ...anyFile, number: "many", said: request.title })).files.filter(({ id }) => ids.has(id))
  mentionFiles(it.focus, all)
  return { request, files: all, who }
}

const what =
  "(files|file|photos|photo|pictures|images|videos|documents|stuff|things|everything|anything|pdfs|what|whatever|uploads|dateien|datei|fotos|bilder|videos|sachen|alles|dokumente|unterlagen|was)"
const sent =
  "(sent|send|sending|uploaded|upload|submitted|submit|handed in|hand in|delivered|deliver|turned in|turn in|dropped|dropped off|sent in|send in|provided|contributed)"
const geschickt =
  "(geschickt|hochgeladen|abgegeben|eingereicht|gesendet|geliefert|reingeschickt|eingeschickt|geschickt hat|hochgeladen hat|abgegeben hat|eingereicht hat|gesendet hat|geliefert hat|geschickt haben|hochgeladen haben|abgegeben haben)"
const to = "(to|for|at|in|through|via)"
const an = "(bei|fur|an|zu|in|zur|zum)"

/** "the files that Grace sent to the request Receipts", between other words of a form. */
const sentForms = (before: string, behind: string): ReadonlyArray<string> => [
  `${before} [@all] ${what} [that|which] [has|have] <people:who> [has|have] ${sent} [me|us|in] ${to} #request [@called] <name> ${behind}`,
  `${before} [@all] ${what} [that|which] [has|have] <people:who> [has|have] ${sent} [me|us|in] ${to} <name> [#request] ${behind}`,
  `${before} <people:who> ${what} (from|for|in|at|of|to) #request [@called] <name> ${behind}`,
  `${before} [@all] ${what} (from|by|of|von) <people:who> (for|in|at|to|bei|fur|in|zu|an|aus) #request [@called] <name> ${behind}`,
  `${before} [@all] ${what} die <people:who> ${an} [#request] [@called] <name> ${geschickt} ${behind}`,
  `${before} [@all] ${what} <people:who> ${an} [#request] [@called] <name> ${geschickt} ${behind}`
]

const isNobody = (slots: Slots): boolean =>
  slots.get("people", "who")!.some((name) =>
    /^(?:i|we|you|they|people|somebody|someone|anybody|anyone|ich|wir|du|jemand|leute|me|others|who|the|my|die|that|which)\b/i
      .test(name)
  )

const judge = (slots: Slots): number | null =>
  isNobody(slots) || /^(?:me|us|mir|uns)$|\b(?:and|und)\b/i.test(slots.get("name") ?? "") ? null : 2.5

const them = { ...anyFile, refer: "them", number: "many", said: "them" } as const

export const senders: ReadonlyArray<Intent> = [
  {
    name: "what somebody has sent",
    forms: [
      `(what|which|was|welche) [files|file|photos|documents|videos|dateien|datei|fotos|dokumente] (did|has|have|does) <people:who> [already] ${sent} [me|us|in] ${to} #request [@called] <name>`,
      `(what|which|was|welche) [files|file|photos|documents|videos] (did|has|have|does) <people:who> [already] ${sent} [me|us|in] ${to} <name> [#request]`,
      `(what|which|was|welche) [dateien|datei|fotos|dokumente|sachen] (hat|haben) <people:who> [schon|bereits|alles] ${an} [#request] [@called] <name> [schon|alles] ${geschickt}`,
      `@howmany ${what} (did|has|have) <people:who> ${sent} ${to} [#request] <name>`,
      `@howmany ${what} (hat|haben) <people:who> ${an} [#request] [@called] <name> ${geschickt}`,
      ...sentForms("@find", ""),
      // "take the files that Grace sent …" says what "them" means in what follows.
      ...sentForms("(take|grab|use|nimm|nehmt|get|collect)", "")
    ],
    judge,
    *plan(slots, it) {
      const { files, request, who } = yield* filesOf(it, slots)
      return {
        text: `${
          say(it, `${who} sent to ${quoted(request.title)}:`, `${who} hat an ${quoted(request.title)} geschickt:`)
        }\n${listing(it, files)}`,
        links: [requestLink(it, request)].slice(0, filesListed)
      }
    }
  },
  {
    name: "move what somebody has sent",
    forms: [...sentForms("@move", "@into <folder>"), ...sentForms("", "@into <folder> @move")],
    judge,
    *plan(slots, it) {
      yield* filesOf(it, slots)
      return yield* move(it, them, slots.get("folder")!)
    }
  },
  {
    name: "tag what somebody has sent",
    forms: [...sentForms("@label", "(with|as|mit|als) <tags>"), ...sentForms("", "(mit|als) <tags> @label")],
    judge,
    *plan(slots, it) {
      yield* filesOf(it, slots)
      return yield* tag(it, them, slots.get("tags")!, "add")
    }
  },
  {
    name: "share files what somebody has sent",
    forms: sentForms("@share", "(with|mit) <people>"),
    judge,
    *plan(slots, it) {
      yield* filesOf(it, slots)
      return yield* share(it, them, slots.get("people")!)
    }
  },
  {
    name: "pack what somebody has sent",
    forms: [
      ...sentForms("(zip|zip up|pack|bundle|download|zippe|pack|packe)", ""),
      ...sentForms("(zip|pack|put|bundle|download|pack|packe)", "(as|in|into|in) [one|a|ein] #archive")
    ],
    judge,
    *plan(slots, it) {
      const { request, who } = yield* filesOf(it, slots)
      return yield* pack(it, them, `${request.title} ${who}`)
    }
  },
  {
    name: "trash what somebody has sent",
    forms: sentForms("@delete", ""),
    judge,
    *plan(slots, it) {
      yield* filesOf(it, slots)
      return yield* trash(it, them)
    }
  }
]
