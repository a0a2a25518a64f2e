/** New folders, alone, several at once, and some in others. */
import { askText } from "../drive/Choosing.ts"
import { targetPath } from "../drive/Collections.ts"
import type { FolderItem } from "../drive/Records.ts"
import { mention } from "../Focus.ts"
import type { Plan, PlanReply } from "../Plan.ts"
import { callEach, type PlanContext, say } from "../PlanContext.ts"
import { enumerate } from "../Speech.ts"
import type { Intent } from "./Intent.ts"

function* create(it: PlanContext, paths: ReadonlyArray<string>): Plan<PlanReply> {
  const made = yield* callEach(it, "create_folder", paths.map((path) => ({ path })))
  const folders = made.flatMap(({ failure, result }) => failure === undefined ? [result as FolderItem] : [])
  const failures = made.flatMap(({ failure }, at) => failure === undefined ? [] : [`${paths[at]}: ${failure.error}`])
  const [first] = folders
  if (first !== undefined) mention(it.focus, "folder", first)
  return {
    text: [
      ...(folders.length === 0
        ? []
        : [
          say(
            it,
            `Made ${folders.length === 1 ? "the folder" : "the folders"} ${
              enumerate(
                it,
                folders.map(({ path }) => path)
              )
            }.`,
            `${folders.length === 1 ? "Ordner" : "Die Ordner"} ${
              enumerate(it, folders.map(({ path }) => path))
            } angelegt.`
          )
        ]),
      ...failures
    ].join(" "),
    links: folders.map(({ id, path }) => ({ kind: "folder", id, name: path, url: null }))
  }
}

const asPath = (name: string): string =>
  `/${name.split("/").map((part) => part.trim()).filter((part) => part !== "").join("/")}`

export const folderCreation: ReadonlyArray<Intent> = [
  {
    name: "create a folder in another",
    forms: [
      "@create #folder [@called] <names> (in|inside|under|within|unter|inside of) <folder>",
      "@create <names> #folder (in|inside|under|within|unter) <folder>",
      "(in|inside|within|unter|im) <folder> @create #folder [@called] <names> [an]",
      "(in|inside|within|unter|im) <folder> #folder [@called] <names> @create",
      "@create (in|inside|unter|im) <folder> #folder [@called] <names>",
      "@create (in|inside|unter) <folder> #folder [@called] <names> [an]",
      "@add #folder [@called] <names> (to|in) <folder>",
      "(new|neuer) #folder [@called] <names> (in|inside|under|within|unter) <folder>"
    ],
    judge: () => 0.4,
    *plan(slots, it) {
      const { said } = slots.get("folder")!
      const parent = yield* targetPath(it, said)
      return yield* create(it, slots.get("names")!.map((name) => `${parent === "/" ? "" : parent}${asPath(name)}`))
    }
  },
  {
    name: "create a folder with others in it",
    forms: [
      "@create #folder [@called] <name:outer> (with|and|containing|holding|mit|und) #folder [@called] <names> (inside it|in it|inside|within it|inside of it|under it|below it|darin|drin|in ihm) [an]",
      "@create #folder [@called] <name:outer> (with|containing|holding|mit) #folder [@called] <names> [an]",
      "@create #folder [@called] <name:outer> (and|und) (in it|inside it|inside|darin|da drin) #folder [@called] <names> [an]",
      "@create #folder [@called] <name:outer> (with|and|containing|holding|mit|und) [(two|three|four|five|some|the|zwei|drei|vier|funf|2|3|4|5)] #folder [(in it|inside it|inside|in there|within it|darin|drin|da drin)] [@called|:] <names> [an]",
      "@create #folder [@called] <name:outer> [an] (and|und|with|mit) (in it|inside it|inside|inside that|in that one|in there|within it|darin|da drin|dort drin|drin|in ihm) [another|also|noch|auch|je|jeweils] (one|two|three|another|another one|one each|einen|eine|zwei|drei|noch einen|einen weiteren) [#folder] [each] [@called|:|for|fur] <names> [an]",
      "@create #folder [@called] <name:outer> and [@create] #folder [@called] <names> (inside it|in it|inside|within it|in that|in there)"
    ],
    // More than two requests, of which the second would say nothing.
    judge: () => 3.5,
    *plan(slots, it) {
      const outer = asPath(slots.get("name", "outer")!)
      return yield* create(it, [outer, ...slots.get("names")!.map((name) => `${outer}${asPath(name)}`)])
    }
  },
  {
    name: "create folders",
    forms: [
      "@create #folder [@called|for|fur] <names> [an]",
      "@create <names> #folder",
      "@create [two|three|four|five|six|several|some|zwei|drei|vier|funf|sechs|mehrere|ein paar|2|3|4|5|6] #folder [@called|for|fur|an] [:] <names> [an]",
      "(two|three|four|five|six|several|zwei|drei|vier|funf|sechs|2|3|4|5|6) [new|neue] #folder [@called|for|fur] [:] <names>",
      "(there should be|there must be|there needs to be|es soll|es sollte|es muss) #folder [@called] <names> [geben]",
      "(new|another|neuer|neuen|neue) #folder [@called|for|fur] [:] <names>",
      "#folder [@called] <names> (wanted|needed|gebraucht|gewunscht|noch)",
      "#folder [@called] <names> @create",
      "@create #folder [@called] <names:a> (and|und) (one|another|eine|einen) [@called] <names:b>",
      "@add #folder [@called] <names>",
      "(new|neuer) #folder [@called] <names>"
    ],
    judge: () => 0.3,
    plan: (slots, it) =>
      create(
        it,
        [...slots.get("names") ?? [], ...slots.get("names", "a") ?? [], ...slots.get("names", "b") ?? []].map(asPath)
      )
  },
  {
    name: "create a folder without a name",
    forms: ["@create #folder [an]", "(another|new|neuer|neuen) #folder", "#folder @create"],
    judge: () => 0.2,
    *plan(_, it) {
      const name = yield* askText(it, say(it, "What should the folder be called?", "Wie soll der Ordner heißen?"))
      return yield* create(it, [asPath(name.replaceAll(/^(?:call it|nenn ihn)\s+|["“”„]/gi, ""))])
    }
  }
]
