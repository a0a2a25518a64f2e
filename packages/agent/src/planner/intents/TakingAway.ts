/** "remove X from Y", where Y may be a list, files that are shared with X, or where the files are. */
import { collections, foldersCalled, listsCalled, tagCalled } from "../drive/Collections.ts"
import { findFiles } from "../files/findFiles.ts"
import { parseFiles } from "../files/parseFiles.ts"
import { sentenceOf, wholeOf } from "../grammar/Sentence.ts"
import { plainName } from "../grammar/Spelling.ts"
import type { Plan, PlanReply } from "../Plan.ts"
import { type PlanContext, say } from "../PlanContext.ts"
import type { Slots } from "../Slots.ts"
import { moveToTop } from "./Folders.ts"
import type { Family } from "./Intent.ts"
import { removeFromList } from "./ListPlans.ts"
import { unshareNamed } from "./Sharing.ts"
import { tag } from "./Tagging.ts"
import { trash } from "./Trash.ts"

const queryOf = (it: PlanContext, text: string) => parseFiles(wholeOf(sentenceOf(text, it.language, it.moment))).query

const noun =
  /^(?:the |my |der |die |das |dem )|\s*\b(?:playlist|set list|setlist|gallery|album|folder|galerie|ordner|list)\b\s*/giu

function* takeAway(it: PlanContext, what: string, said: string, isTaken: boolean): Plan<PlanReply> {
  const where = said.replaceAll(noun, " ").trim() || said
  const known = yield* collections(it)
  const isFolder = foldersCalled(known, where, false).length > 0
  for (const kind of ["playlist", "gallery"] as const) {
    const [list, ...others] = listsCalled(known, kind, where)
    const isNamed = list !== undefined && plainName(list.title) === plainName(where)
    if (list === undefined || others.length > 0 || (isFolder && !isNamed)) continue
    return yield* removeFromList(it, kind, queryOf(it, what), list.title)
  }
  // "remove bob from budget.xlsx"
  const name = plainName(what)
  if (tagCalled(known, what) !== null) {
    const found = (yield* findFiles(it, queryOf(it, where))).files
    if (found.some(({ tags }) => tags.some(({ text }) => plainName(text) === name))) {
      return yield* tag(it, queryOf(it, where), [what], "remove")
    }
  }
  if (!isFolder && /^@?[\p{L}.-]+(?: [\p{L}.-]+)?$/u.test(what) && name !== "" && !/\.[a-z0-9]{2,4}$/i.test(what)) {
    const files = (yield* findFiles(it, queryOf(it, where))).files
    const said = files.length === 0 || files.length > 100 ? null : yield* unshareNamed(it, files, what)
    if (said !== null) return said
  }
  if (isTaken) return yield* moveToTop(it, queryOf(it, what), where)
  return yield* trash(it, queryOf(it, say(it, `${what} from ${said}`, `${what} aus ${said}`)))
}

/** Null for what other forms say better. */
const judge = (slots: Slots): number | null => {
  const where = slots.get("name")!
  return slots.get("files")!.said === "" || where.split(" ").length > 3 ||
      /\b(?:trash|bin|papierkorb|permanently|forever|for good|endgültig|für immer|it|them|here|drive)\b/i.test(where)
    ? null
    : 0.9
}

export const TakingAway: Family = {
  name: "taking away",
  examples: {
    en: ["remove Slow Boat from Workout", "remove bob from budget.xlsx", "take the beach photo out of Summer"],
    de: ["entferne Slow Boat aus Sport", "nimm demo.wav aus Sport raus"]
  },
  intents: [
    {
      name: "take away",
      forms: [
        "@delete <files> (from|off|of|out of|aus|von) <name>",
        "(drop|kick|throw|cut) <files> (off|from|out of) <name>",
        "(schmeiss|wirf) <files> (aus|von) <name> (raus|heraus|weg)",
        "<files> (aus|von) <name> (entfernen|loschen)"
      ],
      judge,
      plan: (slots, it) => takeAway(it, slots.get("files")!.said, slots.get("name")!, false)
    },
    {
      // Out of a folder it is moved, not thrown away.
      name: "take out",
      forms: [
        "(take|pull) <files> (off|from|out of) <name>",
        "(nimm|nehme|hol) <files> (aus|von) <name> (raus|heraus|weg)",
        "<files> (aus|von) <name> (rausnehmen|nehmen)"
      ],
      judge,
      plan: (slots, it) => takeAway(it, slots.get("files")!.said, slots.get("name")!, true)
    }
  ]
}
