/** Conditions: "if there are more than 10 photos in /X, …". Their plan says why nothing is done, or nothing where they hold. */
import { collections, foldersCalled } from "../drive/Collections.ts"
import type { FileQuery } from "../files/FileQuery.ts"
import { findFiles } from "../files/findFiles.ts"
import { mentionFiles } from "../Focus.ts"
import type { Plan, PlanReply } from "../Plan.ts"
import { type PlanContext, say } from "../PlanContext.ts"
import { filesCounted, quoted } from "../Speech.ts"
import type { Intent } from "./Intent.ts"

function* holds(it: PlanContext, query: FileQuery, is: (count: number) => boolean): Plan<PlanReply> {
  const { files } = yield* findFiles(it, { ...query, count: null })
  mentionFiles(it.focus, files)
  return {
    text: is(files.length) ? "" : say(
      it,
      `I did nothing: there ${files.length === 1 ? "is" : "are"} ${filesCounted(it, files.length, query)} for ${
        quoted(query.said)
      }.`,
      `Ich habe nichts getan: Zu ${quoted(query.said)} gibt es ${filesCounted(it, files.length, query)}.`
    )
  }
}

const there = "(there is|there are|there s|i have|we have|es gibt|es) "

export const conditions: ReadonlyArray<Intent> = [
  {
    name: "more than",
    forms: [
      `${there}(more than|over|mehr als|at least|mindestens) <number> <files> [gibt]`,
      "<folder> (has|contains|hat|enthalt) (more than|over|at least|mehr als) <number> (files|photos|items|dateien)"
    ],
    judge: () => 1,
    *plan(slots, it) {
      const number = slots.get("number")!
      const folder = slots.get("folder")
      const query = slots.get("files")
      if (query !== undefined) return yield* holds(it, query, (count) => count > number)
      const known = yield* collections(it)
      const found = foldersCalled(known, folder!.said)[0]
      return (found?.fileCount ?? 0) > number
        ? { text: "" }
        : {
          text: say(
            it,
            `I did nothing: ${folder!.said} holds ${found?.fileCount ?? 0} files.`,
            `Ich habe nichts getan: In ${folder!.said} liegen ${found?.fileCount ?? 0} Dateien.`
          )
        }
    }
  },
  {
    name: "fewer than",
    forms: [`${there}(fewer than|less than|under|weniger als) <number> <files> [gibt]`],
    judge: () => 1,
    plan: (slots, it) => holds(it, slots.get("files")!, (count) => count < slots.get("number")!)
  },
  {
    name: "none",
    forms: [`${there}(no|keine|kein|not any) <files> [gibt]`, "(i|we) (don't|dont|do not) have [any] <files>"],
    judge: () => 1,
    plan: (slots, it) => holds(it, slots.get("files")!, (count) => count === 0)
  },
  {
    name: "any",
    forms: [`${there}[any|some|welche] <files> [gibt]`, "<files> (exists|exist|existiert|existieren)"],
    judge: () => 0.5,
    plan: (slots, it) => holds(it, slots.get("files")!, (count) => count > 0)
  }
]
