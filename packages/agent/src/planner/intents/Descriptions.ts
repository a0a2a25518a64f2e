/** What the description of a file says. */
import { chooseFiles } from "../files/chooseFiles.ts"
import { mentionFiles } from "../Focus.ts"
import { say } from "../PlanContext.ts"
import { fileLink, quoted } from "../Speech.ts"
import type { Intent } from "./Intent.ts"
import { isToldInside } from "./Reading.ts"

const words = "(description|descriptions|caption|captions|blurb|beschreibung|beschreibungen|bildunterschrift)"
const of = "(of|on|for|to|under|from|von|zu|bei|fur|unter|vom|des|der)"

export const readDescription: Intent = {
  name: "read a description",
  forms: [
    `(what|was) (does|do|is|are|s|'s|did|ist|sagt|steht in|steht als|steht unter) ${words} ${of} <files> [say|read|tell|state|about|aus]`,
    `(what|which|welche|was fur eine) ${words} (does|do|has|have|hat|haben) <files> [have|got|has]`,
    `(@find|read|read out|lies|sag|nenn|nenne|quote) [@me] ${words} ${of} <files> [vor|aloud|out|an]`,
    `(what|was) (does|do|is|'s) <files> 's ${words} [say|read]`,
    `(@find|read) <files> 's ${words}`,
    `(is there|gibt es|are there|have i given|hab ich) (a|any|eine|schon eine) ${words} ${of} <files>`,
    `(does|do|has|have|hat|haben) <files> [have|got] (a|any|eine|schon eine) ${words}`,
    `(how is|how are|wie ist|wie sind) <files> (described|captioned|beschrieben|beschriftet)`,
    `wie (lautet|heisst|ist) ${words} ${of} <files>`,
    `(what|was) (did|have|habe|hab|haben) (i|we|ich|wir) (write|written|put|geschrieben|notiert) (under|about|as description of|unter|zu|als beschreibung von) <files> [written|geschrieben]`
  ],
  // "what did I write about the plumber in todo.txt?" is read in the file.
  judge: (slots) => slots.get("files")!.said === "" || isToldInside(slots.get("files")!) ? null : 2,
  *plan(slots, it) {
    const files = yield* chooseFiles(it, slots.get("files")!)
    mentionFiles(it.focus, files)
    const lines = files.slice(0, 20).map(({ description, fileName }) =>
      description === null || description === ""
        ? say(it, `${quoted(fileName)} has no description.`, `${quoted(fileName)} hat keine Beschreibung.`)
        : `${quoted(fileName)}: ${quoted(description)}`
    )
    return { text: lines.join("\n"), links: files.slice(0, 20).map(fileLink) }
  }
}
