/** "Once she has", "when that happens": what the sentence before it spoke of. */
import { type Plan, type PlanReply, Stopped } from "../Plan.ts"
import { type PlanContext, say } from "../PlanContext.ts"
import { quoted } from "../Speech.ts"
import { until } from "./Awaiting.ts"
import type { Intent } from "./Intent.ts"

function* told(it: PlanContext): Plan<PlanReply> {
  const { files, latest, request, review } = it.focus
  if (latest === "request" && request !== null) {
    return yield* until(it, {
      kind: "request_files",
      id: request.id,
      text: say(it, `files at ${quoted(request.name)}`, `Dateien für ${quoted(request.name)}`)
    })
  }
  if (latest === "review" && review !== null) {
    return yield* until(it, {
      kind: "review_note",
      id: review.id,
      text: say(it, `notes on ${quoted(review.name)}`, `Notizen zu ${quoted(review.name)}`)
    })
  }
  const [file] = latest === "files" ? files : []
  if (file !== undefined && files.length === 1) {
    return yield* until(it, {
      kind: "file_opened",
      id: file.id,
      text: say(it, `somebody opening ${quoted(file.fileName)}`, `das Öffnen von ${quoted(file.fileName)}`)
    })
  }
  throw new Stopped({ text: say(it, "What should I wait for?", "Worauf soll ich warten?") })
}

export const toldEvent: Intent = {
  name: "what was told before",
  forms: [
    "(she|he|they|somebody|someone|anybody|sie|er|jemand|das|es) (has|have|does|did|do|hat|haben|tut|tun|getan) [so|it|that|done so|done that|done it|hat|haben]",
    "(that|this|das|es) (happens|has happened|is the case|passiert|passiert ist|geschieht|der fall ist|soweit ist)",
    "(there are some|there is one|there is something|there s something|there is anything|they are there|they re there|they are in|they arrive|they come in|some arrive|something arrives|welche da sind|etwas da ist|sie da sind)"
  ],
  judge: () => 0.2,
  plan: (_, it) => told(it)
}
