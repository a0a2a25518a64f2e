/** "Give me the link" behind what has a page of its own: a file request or a review. */
import { requestLink } from "../drive/Requests.ts"
import type { Plan, PlanReply } from "../Plan.ts"
import { type PlanContext, say } from "../PlanContext.ts"
import { pageUrl, quoted } from "../Speech.ts"
import { archiveDone } from "./Archives.ts"

const link = "[a|the|its|their|this|that|den|einen|die] [download|direct|share|sharing|right|whole|upload] #link"

/** Ways to ask for the link of what was mentioned. */
export const pageForms: ReadonlyArray<string> = [
  `@give [@me] ${link}`,
  `@give [@me] ${link} (to|for|of|zu|fur|von) (it|that|them|this|dazu|dafur|davon)`,
  `@give [@me] ${link} (dazu|dafur|davon)`,
  `${link} (dazu|dafur|davon) [bitte|noch]`,
  `(let|lass|tell|sag|nenn|nenne) [@me] [have|know|see] ${link} [haben|wissen|zukommen|bekommen]`,
  `(send|give|tell|show|copy|post|paste|schick|gib|zeig|nenn|nenne) [@me] ${link} [(that|which|so|so that|to|for|damit|zum|an|um|den|die)] [i|we|they|people|my|everyone|you|ich|wir|alle] [can|could|need to|should|kann|konnen] (pass on|send|send out|forward|share|use|give to|hand out|put|weitergeben|weiterschicken|verschicken|teilen|weiterleiten|schicken) [on|to|out|it|them|me|everyone|people|around|kann|konnen]`,
  `(what|whats|was|wie) @is ${link} [denn|nochmal|again|now]`,
  `(where|wo|wohin) (do|should|can|sollen|konnen|mussen) (they|people|i|we|sie|die leute|die) (send|upload|go|click|hochladen|hin|klicken) [it|them|to|hin]`,
  `[and|und] ${link} [please|bitte]`
]

/** The page of the request or the review that was mentioned last; null where something else was. */
export function* pageOf(it: PlanContext): Plan<PlanReply | null> {
  yield* []
  const { latest, request, review } = it.focus
  if (latest === "request" && request !== null) {
    const link = requestLink(it, { id: request.id, title: request.name })
    return {
      text: say(
        it,
        `People send files to ${quoted(request.name)} here: ${link.url ?? ""}`,
        `Dateien für ${quoted(request.name)} kommen hierüber: ${link.url ?? ""}`
      ),
      links: [link]
    }
  }
  if (latest !== "review" || review === null) return null
  const url = pageUrl(it, "reviews", review.id)
  return {
    text: say(
      it,
      `The review of ${quoted(review.name)} is here: ${url}`,
      `Das Review von ${quoted(review.name)} ist hier: ${url}`
    ),
    links: [{ kind: "review", id: review.id, name: review.name, url }]
  }
}

/** What is said where a ZIP is to be made public: the files in it are not meant. */
export function* zipIsNoFile(it: PlanContext, id: string): Plan<PlanReply> {
  const { links, text } = yield* archiveDone(it, id)
  return {
    text: say(
      it,
      `A ZIP archive itself can't be made public or private: whoever has its link can fetch it as long as the link holds.\n${text}`,
      `Ein ZIP-Archiv selbst ist weder öffentlich noch privat: Wer seinen Link hat, kann es laden, solange der Link gilt.\n${text}`
    ),
    links: links ?? []
  }
}
