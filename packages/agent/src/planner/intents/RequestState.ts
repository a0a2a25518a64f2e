/** Until when a request is open, and its link. */
import { requestLink, theRequest } from "../drive/Requests.ts"
import { say } from "../PlanContext.ts"
import { lastDay, pageUrl, quoted } from "../Speech.ts"
import type { Intent } from "./Intent.ts"

export const requestState: Intent = {
  name: "how a request is",
  forms: [
    "(until when|till when|how long|bis wann|wie lange) @is #request [@called] <name> [still|noch] [open|offen|running|aktiv]",
    "(until when|till when|how long|bis wann|wie lange) @is <name> [#request] [still|noch] (open|offen|running)",
    "(when|wann) (does|do|will|is|endet|lauft) #request [@called] <name> [end|close|expire|closing|closed|ending|ab|aus]",
    "(when|wann) @is (the|die) (deadline|end|frist) (of|for|von|der|fur) #request [@called] <name>",
    "(bis wann|until when) (kann|konnen|can) (people|man|leute|they|others) [files|dateien|etwas] (bei|fur|an|send|upload|submit) [files] [to|for|at] #request [@called] <name> [schicken|hochladen|abgeben]",
    "@is #request [@called] <name> [still|noch|already|schon] (open|offen|closed|geschlossen|zu)",
    "@is <name> #request [still|noch|already|schon] (open|offen|closed|geschlossen)",
    "(what|was|whats|where|wie) @is #link (of|for|to|zu|fur|von|der) #request [@called] <name>",
    "(give|get|show|send|gib|zeig|schick) [me|us|mir|uns] #link (of|for|to|zu|fur|von|der) #request [@called] <name>",
    "#link (of|for|to|zu|fur|von|der) #request [@called] <name>"
  ],
  judge: () => 1.6,
  *plan(slots, it) {
    const request = yield* theRequest(it, slots.get("name") ?? null)
    const { expireTime, open, title } = request
    const end = expireTime === null
      ? say(it, "without an end", "ohne Ende")
      : say(it, `until ${lastDay(it, expireTime)}`, `bis ${lastDay(it, expireTime)}`)
    return {
      text: `${
        open
          ? say(it, `The request ${quoted(title)} is open, ${end}.`, `Die Anfrage ${quoted(title)} ist offen, ${end}.`)
          : say(it, `The request ${quoted(title)} is closed.`, `Die Anfrage ${quoted(title)} ist geschlossen.`)
      } ${pageUrl(it, "requests", request.id)}`,
      links: [requestLink(it, request)]
    }
  }
}
