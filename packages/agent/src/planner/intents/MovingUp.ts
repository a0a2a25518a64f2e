/** "move report.pdf one folder up": into the folder above the one where it is. */
import { chooseFiles } from "../files/chooseFiles.ts"
import { anyFile } from "../files/FileQuery.ts"
import { mentionFiles } from "../Focus.ts"
import { Stopped } from "../Plan.ts"
import { say } from "../PlanContext.ts"
import { theFiles } from "../Speech.ts"
import { move } from "./Folders.ts"
import type { Family, Intent } from "./Intent.ts"

const up =
  "(one|a|eine|einen|1) (folder|level|directory|step|ordner|ebene|stufe|verzeichnis) (up|higher|hoher|hoch|nach oben|weiter oben|weiter nach oben)"

const movingUp: ReadonlyArray<Intent> = [
  {
    name: "move files up",
    forms: [
      `@move <files> ${up}`,
      "@move <files> up [one|a] (folder|level|directory)",
      "@move <files> (to|into|in) (the|its|their) parent [folder|directory]",
      "@move <files> in den (ubergeordneten|daruberliegenden) ordner",
      `<files> ${up} @move`
    ],
    judge: () => 2,
    *plan(slots, it) {
      const files = yield* chooseFiles(it, slots.get("files")!)
      const paths = [...new Set(files.map(({ folder }) => folder?.path ?? "/"))]
      if (paths.length > 1) {
        throw new Stopped({
          text: say(
            it,
            `${theFiles(it, files)} are in several folders (${paths.join(", ")}). Where should they go?`,
            `${theFiles(it, files)} liegen in mehreren Ordnern (${paths.join(", ")}). Wohin sollen sie?`
          )
        })
      }
      if (paths[0] === "/") {
        throw new Stopped({
          text: say(
            it,
            `${theFiles(it, files)} is at the top already.`,
            `${theFiles(it, files)} liegt schon ganz oben.`
          )
        })
      }
      mentionFiles(it.focus, files)
      const above = paths[0]!.slice(0, paths[0]!.lastIndexOf("/"))
      return yield* move(it, { ...anyFile, refer: "them", number: "many" }, { said: above, isNew: false })
    }
  }
]

export const MovingUp: Family = {
  name: "moving files up",
  examples: { en: ["move report.pdf one folder up"], de: ["verschiebe bericht.pdf einen Ordner hoch"] },
  intents: movingUp
}
