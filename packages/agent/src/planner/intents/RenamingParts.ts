/** "replace Sop with Soprano in the names of the files in /Parts": one part of several names. */
import { chooseFiles } from "../files/chooseFiles.ts"
import { mentionFiles } from "../Focus.ts"
import { Stopped } from "../Plan.ts"
import { callEach, say } from "../PlanContext.ts"
import { enumerate, quoted } from "../Speech.ts"
import type { Intent } from "./Intent.ts"

const replace = "(replace|swap|change|ersetze|ersetz|ersetzen|tausche)"
const by = "(with|by|to|for|durch|mit|gegen|zu)"

export const renamingParts: Intent = {
  name: "rename parts of names",
  forms: [
    `(in|im) #name (of|von|der) <files> ${replace} <name:old> ${by} <name:new>`,
    `${replace} <name:old> ${by} <name:new> (in|im) #name (of|von|der) <files>`,
    `${replace} (in|im) #name (of|von|der) <files> <name:old> ${by} <name:new>`
  ],
  judge: (slots) => slots.get("files")!.said === "" ? null : 3,
  *plan(slots, it) {
    const [old, made] = [slots.get("name", "old")!, slots.get("name", "new")!]
    const files = yield* chooseFiles(it, { ...slots.get("files")!, number: "many" })
    // Whole words only, so that what has the new part already stays.
    const part = new RegExp(
      `(?<![\\p{L}\\p{N}])${old.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}\\p{N}])`,
      "giu"
    )
    const changing = files.map((file) => ({ ...file, fileName: file.fileName.replaceAll(part, () => made) }))
      .filter(({ fileName }, at) => fileName !== files[at]!.fileName)
    if (changing.length === 0) {
      throw new Stopped({
        text: say(it, `None of these names has ${quoted(old)}.`, `In keinem dieser Namen steht ${quoted(old)}.`)
      })
    }
    const results = yield* callEach(it, "rename_file", changing.map(({ fileName, id }) => ({ fileId: id, fileName })))
    const done = changing.filter((_, at) => results[at]!.failure === undefined)
    const failure = results.find((one) => one.failure !== undefined)?.failure?.error
    mentionFiles(it.focus, done)
    const names = enumerate(it, done.map(({ fileName }) => quoted(fileName)))
    return {
      text: [
        say(it, `Renamed ${done.length}: ${names}.`, `${done.length} umbenannt: ${names}.`),
        ...(failure === undefined ? [] : [failure])
      ].join(" ")
    }
  }
}
