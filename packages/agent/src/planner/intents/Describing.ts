/** Descriptions of files. */
import type { FileRecord } from "../drive/Records.ts"
import { chooseFiles } from "../files/chooseFiles.ts"
import type { FileQuery } from "../files/FileQuery.ts"
import { mentionFiles } from "../Focus.ts"
import { type Plan, type PlanReply, ToolFailed } from "../Plan.ts"
import { callEach, type PlanContext, say } from "../PlanContext.ts"
import { quoted, theFiles } from "../Speech.ts"
import { readDescription } from "./Descriptions.ts"
import type { Family } from "./Intent.ts"

function* describe(it: PlanContext, query: FileQuery, text: string): Plan<PlanReply> {
  const files = yield* chooseFiles(it, query)
  const description = text.trim().replace(/^:\s*/, "").replaceAll(/^["“„'](?=.*["”“']$)|["”“']$/gs, "")
  const made = yield* callEach(it, "update_file_description", files.map(({ id }) => ({ fileId: id, description })))
  const done: ReadonlyArray<FileRecord> = files.filter((_, at) => made[at]!.failure === undefined)
  const failure = made.find((one) => one.failure !== undefined)?.failure
  if (failure !== undefined && done.length === 0) throw new ToolFailed("update_file_description", failure)
  mentionFiles(it.focus, done)
  const not = failure === undefined
    ? ""
    : say(
      it,
      ` ${files.length - done.length} could not be changed: ${failure.error}`,
      ` Bei ${files.length - done.length} ging es nicht: ${failure.error}`
    )
  return {
    text: (description === ""
      ? say(it, `Removed the description of ${theFiles(it, done)}.`, `Beschreibung von ${theFiles(it, done)} entfernt.`)
      : say(
        it,
        `Described ${theFiles(it, done)} as ${quoted(description)}.`,
        `${theFiles(it, done)} beschrieben: ${quoted(description)}.`
      )) + not
  }
}

export const Describing: Family = {
  name: "describing",
  examples: {
    en: [
      "describe beach.jpg as \"The beach at dawn\"",
      "set the description of demo.wav to first take with drums",
      "add the description 'Final version' to report.pdf",
      "remove the description of beach.jpg"
    ],
    de: ["setze die Beschreibung von strand.jpg auf Der Strand am Morgen", "beschreibe strand.jpg mit \"Am Strand\""]
  },
  intents: [
    {
      name: "describe files",
      forms: [
        "@describe <files> (as|with|by|mit|als|:) <text>",
        "(set|change|update|make|setze|setz|andere|edit) #description (of|for|on|von|fur) <files> (to|into|be|as|auf|in|zu|:) <text>",
        "(add|give|put|write) #description <text> (to|for|on) <files>",
        "(add|give|put|write) (to|for) <files> #description <text>",
        "(give|gib) <files> #description <text>",
        "(add|fug|fuge|schreib) <files> #description <text> [hinzu]",
        "#description (of|for|von) <files> (should be|is|should say|should read|soll sein|ist|lautet) <text>",
        "(schreib|schreibe|setz|setze|trag|trage|nimm|notiere|notier|write|put|enter|add|use) [als|as] #description (zu|fur|von|bei|for|of|to|on) <files> : <text>",
        "(schreib|schreibe|trag|trage|add|put|write|notier|notiere) (zu|bei|fur|to|on|for) <files> [als|as] #description : <text>",
        "(schreib|schreibe|setz|setze|trag|trage|nimm|write|put|use) <text> [als|as] #description (zu|fur|von|bei|for|of|to|on|in) <files> [ein]",
        "#description (zu|fur|von|of|for) <files> : <text>",
        "(gib|give) <files> [folgende|diese|the following|this] #description : <text>",
        "@describe <files> : <text>",
        "(describe|caption|annotate|beschreibe|beschrifte) <files> <text>",
        "(add|give|put|write|attach|set) #description (to|for|on|under|below|beneath) <files> (saying|that says|which says|reading|that reads|with the text|with the words|:) <text>",
        "<files> @should (have|get|carry|be given|receive) #description [:] <text>",
        "<files> (needs|need|gets|get|braucht|bekommt) #description [:] <text>",
        "(set|change|update|make|edit) <files> 's #description (to|as|into|:) <text>",
        "(write|put|add|schreib|schreibe|setz|setze) (under|below|beneath|unter) <files> [als|as] [#description] : <text>",
        "<files> @should #description <text> (bekommen|haben|tragen|erhalten|kriegen)",
        "(trag|trage|fug|fuge|setz|setze|schreib|schreibe) (bei|zu|fur|an) <files> [als|die|eine] #description [:] <text> [ein|hinzu|dazu|hin]",
        "#description (of|for|on) <files> : <text>",
        "(set|use|take) <text> as <files> 's #description",
        "(andere|andern|aktualisiere|mach) #description (von|bei|zu|fur) <files> (zu|in|auf|:) <text>"
      ],
      judge: (slots) => slots.get("files")!.said === "" ? null : 0.5,
      plan: (slots, it) => describe(it, slots.get("files")!, slots.get("text")!)
    },
    readDescription,
    {
      name: "remove descriptions",
      forms: [
        "(remove|clear|delete|erase|empty|drop|losche|entferne) #description (of|from|for|on|von|bei) <files>",
        "#description (von|bei) <files> (loschen|entfernen)",
        "(remove|clear|delete) <files> 's #description",
        "(remove|clear|delete) <files> #description",
        "(losch|losche|entfern|entferne|mach|nimm) #description (von|bei|aus|zu) <files> [weg|raus|wieder]",
        "(take|strip) #description (off|from) <files>",
        "<files> @should have no #description [anymore|any more]"
      ],
      judge: () => 1.2,
      plan: (slots, it) => describe(it, slots.get("files")!, "")
    }
  ]
}
