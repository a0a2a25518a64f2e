/** "no, to /Photos", "I meant into the folder Music": what was moved last goes somewhere else. */
import { anyFile } from "../files/FileQuery.ts"
import { findFiles } from "../files/findFiles.ts"
import { Stopped } from "../Plan.ts"
import { say } from "../PlanContext.ts"
import { move } from "./Folders.ts"
import type { Family } from "./Intent.ts"

export const Corrections: Family = {
  name: "corrections",
  examples: { en: ["I meant to /Photos"], de: ["ich meinte nach /Fotos"] },
  intents: [
    {
      name: "move what was moved elsewhere",
      forms: [
        "(to|into|nach) <folder> [instead|stattdessen|lieber]",
        "(i|we|ich|wir) (meant|mean|meinte|meinten|wanted) (to|into|nach|in) <folder>",
        "(rather|better|lieber|sondern|doch|doch lieber) (to|into|nach|in) <folder>"
      ],
      judge: (slots) => slots.get("folder")!.said === "that" ? null : -1,
      *plan(slots, it) {
        const isMoved = it.earlier.at(-1)?.calls.some(({ failure, name }) =>
          name === "move_files" && failure === undefined
        )
        const { files } = yield* findFiles(it, { ...anyFile, refer: "them", number: "many", said: "them" })
        if (isMoved !== true || files.length === 0) {
          throw new Stopped({
            text: say(it, "What should go there?", "Was soll dorthin?")
          })
        }
        return yield* move(it, { ...anyFile, refer: "them", number: "many", said: "them" }, slots.get("folder")!)
      }
    }
  ]
}
