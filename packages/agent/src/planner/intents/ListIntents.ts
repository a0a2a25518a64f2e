/** What people say of playlists and galleries alike. */
import type { ListKind } from "../drive/Collections.ts"
import type { Sort } from "../files/FileQuery.ts"
import type { Intent } from "./Intent.ts"
import { listed } from "./Listing.ts"
import { addToList, createList, listTitles, removeFromList, reorderList, showList } from "./ListPlans.ts"

const orders: ReadonlyArray<readonly [classNames: string, sort: Sort]> = [
  ["alphabetical", "name"],
  ["bysize", "largest"],
  ["bydate", "newest"],
  ["oldestfirst", "oldest"],
  ["bytempo", "slowest"],
  ["byduration", "shortest"]
]

export const listIntents = (noun: ListKind): ReadonlyArray<Intent> => {
  const forms = (texts: ReadonlyArray<string>) => texts.map((text) => text.replaceAll("#list", `#${noun}`))
  return [
    {
      name: `create a ${noun}`,
      forms: forms([
        "@create #list @called <name>",
        "@create #list @called <name> (@of|@with) <files>",
        "@create #list @of <files>",
        "@create #list @of <files> [and|und] @called <name>",
        "@create <name> #list (@of) <files>",
        "@create <name> #list",
        "@create #list <name> (@of) <files>",
        "@create #list <name>",
        "@create [@me] #list for <name> (with|from|of|using|aus|mit) <files>",
        "@create [@me] #list fur <name> (aus|mit|von) <files>",
        "@create @of <files> #list [@called <name>]",
        "(turn|convert|combine|put|group|collect|add|gather) <files> into #list [@called <name>]",
        "(put|add|gather|collect|pack|leg|tu|chuck|throw|stick|save) <files> (in|into|to) (a|new|eine|einer) [new|neue|neuen] #list [@called <name>]",
        "@of <files> #list [@called <name>] @create",
        "#list [@called] <name> (aus|mit|von) <files> @create",
        "#list [@called] <name> @create",
        "#list (aus|mit|von) <files> @create",
        "#list @of <files>",
        "@create #list [@called] <name> : <files>",
        "[@create] (new|another|neue) #list [@called] <name> [@of <files>]",
        "@create #list [@called] <name> @of <files> [zusammen|an]",
        "@create #list [@of] <files> [zusammen|an] (and|und) @called <name>",
        "@create #list (out of|consisting of|made up of|made of|bestehend aus|aus) <files> [@called <name>]",
        "(mach|mache|bau|baue|erstell|erstelle) [mir|uns] (aus|mit) <files> #list [@called <name>]",
        "(aus|mit|von) <files> @create #list [@called <name>]",
        "(aus|mit|von) <files> #list [@called <name>] @create",
        "(turn|make|convert) <files> into #list [@called] <name>",
        "<files> @should (become|form|make up|make) #list [@called] <name>",
        "<files> @should (go|be|be put|be added|live) (in|into|on|to) (a|new|another) #list [@called] <name>",
        "<files> @should (in|auf) (eine|neue|eine neue|einer neuen) #list [@called] <name>"
      ]),
      judge: (slots) =>
        /^(?:me|us|mir|uns|a|an|ein|eine)$/i.test(slots.get("name") ?? "")
          ? null
          : slots.get("name") === undefined && slots.get("files")?.list !== null && slots.get("files") !== undefined
          ? -1
          : 0.6,
      plan: (slots, it) => createList(it, noun, slots.get("files"), slots.get("name"), false)
    },
    {
      name: `create a public ${noun}`,
      forms: forms([
        "@create @public #list @called <name> [@of <files>]",
        "@create @public #list <name> [@of <files>]",
        "@create @public #list @of <files> [@called <name>]",
        "@create #list @called <name> @of <files> and make it @public",
        "@public #list @of <files> [@called <name>]",
        "@public #list [@called] <name> [@of <files>]"
      ]),
      judge: () => 1,
      plan: (slots, it) => createList(it, noun, slots.get("files"), slots.get("name"), true)
    },
    {
      name: `add to a ${noun}`,
      forms: forms([
        "@add <files> (to|in|into|on|onto|zu|zur|in die|auf) #list [@called] <name> [hinzu]",
        "@add (these|those|the following|diese|die folgenden|folgende) [two|three|four|five|zwei|drei|vier|funf] [files|photos|tracks|dateien|fotos] (to|in|into|on|zu|zur|in die|auf) <name> #list [hinzu] : <files>",
        "@add (these|those|the following|diese|die folgenden|folgende) [two|three|four|five|zwei|drei|vier|funf] [files|photos|tracks|dateien|fotos] (to|in|into|on|zu|zur|in die|auf) #list [@called] <name> [hinzu] : <files>",
        "@add <files> (to|in|into|on|onto|zu|zur|auf) <name> #list [hinzu]",
        "@add <files> (to|in|into|on|onto|zu|zur|auf) #list [hinzu]",
        "@move <files> (in|into|on|onto|to|auf|zu) #list [@called] <name>",
        "@move <files> (in|into|on|onto|to|auf|zu) <name> #list",
        "<files> (zu|zur|in) #list <name> @add",
        "@add <files> (to|in|into|on) (it|that|there) [too]",
        "(fug|fuge) <files> (dazu|hinzu)",
        "<files> @should (go|be|be put|be added|live|belong) (in|into|on|to) #list [@called] <name> [too|also]",
        "<files> @should (go|be|be put|be added|live|belong) (in|into|on|to) <name> #list [too|also]",
        "<files> (belongs|belong|goes|go) (in|into|on|to) #list [@called] <name>",
        "<files> (belongs|belong|goes|go) (in|into|on|to) <name> #list",
        "<files> @should (in|auf|zu|zur|in die|auf die) #list [@called] <name> [rein|drauf|dazu|kommen|hinein]",
        "<files> (gehort|gehoren|kommt|kommen) (in|auf|zu|zur) #list [@called] <name>",
        "(@add|@move) <files> (to|at|ans|am|an das) [the] (end|bottom|tail|ende) (of|der|von) #list [@called] <name>",
        "(@add|@move) <files> (in|auf|zu) #list [@called] <name> (rein|drauf|dazu|auf|hinein|ein)",
        "#list [@called] <name> (um|mit) <files> (erganzen|erweitern)",
        "(erweitere|erganze) #list [@called] <name> um <files>",
        "(extend|complete) #list [@called] <name> (with|by) <files>",
        "(@add|@move) (auf|in|zu) #list [@called] <name> [noch] <files> [rein|drauf|dazu|hinzu]"
      ]),
      judge: (slots) => slots.get("files")!.refer !== null && slots.get("name") === undefined ? 0.3 : 0.6,
      plan: (slots, it) => {
        const other = slots.get("name") === undefined && it.focus.latest === "gallery" ? "gallery" : noun
        return addToList(it, other, slots.get("files")!, slots.get("name") ?? null)
      }
    },
    {
      name: `remove from a ${noun}`,
      forms: forms([
        "@delete <files> (from|off|of|out of|aus|von) #list [@called] <name>",
        "@delete <files> (from|off|of|out of|aus|von) <name> #list",
        "@delete <files> (from|off|of|out of|aus|von) #list",
        "(take|nimm) <files> (off|from|out of|aus|von) #list <name> [raus]",
        "(take|nimm) <files> (off|from|out of|aus|von) <name> #list",
        "(take|nimm) <files> (off|from|out of|aus|von) #list",
        "(take|leave|nimm) <files> (out|off|raus|heraus)",
        "(drop|kick|throw|cut) <files> (off|from|out of) #list [@called] <name>",
        "(drop|kick|throw|cut) <files> (off|from|out of) <name> #list",
        "<files> (aus|von) #list <name> @delete",
        "(drop|kick|throw|cut|boot|chuck|schmeiss|wirf|werft) <files> (off|from|out of|aus|von) #list [@called] <name> [raus|heraus|runter]",
        "(take|nimm|nehmt|hol) <files> (off|from|out of|aus|von) #list [@called] <name> (raus|heraus|runter|wieder raus|weg)",
        "<files> (doesnt|does not|dont|do not|shouldnt|should not) (belong|be|go) (in|on|to) #list [@called] <name>",
        "<files> (gehort|gehoren|soll|sollen) nicht [mehr] (in|auf|zu) #list [@called] <name>",
        "<files> @should (come off|leave|go from|be off) #list [@called] <name>",
        "<files> @should (aus|von) #list [@called] <name> (raus|heraus|runter|weg|verschwinden)",
        "@delete (aus|von|from) #list [@called] <name> <files> [raus|heraus]"
      ]),
      judge: () => 1,
      plan: (slots, it) => removeFromList(it, noun, slots.get("files")!, slots.get("name") ?? null)
    },
    {
      name: `show a ${noun}`,
      forms: forms([
        "@find #list [@called] <name>",
        "@find <name> #list",
        "(what|was|whats|which|welche) [files|songs|tracks|videos|dateien|photos|pictures|images] @is (in|on|auf) #list [@called] <name>",
        "(what|was|whats|which|welche) [files|songs|tracks|videos|dateien|photos|pictures|images] @is (in|on|auf) <name> #list",
        "(what|was) @is (in|on|auf) #list",
        "(what|which|was|welche) [songs|tracks|files|photos|dateien|bilder|fotos] (do|does|have|has|habe|haben|hat|can) (i|you|we|ich|du|wir) [have|got|see|put] (in|on|auf) #list [@called] <name>",
        "(what|which|was|welche) [songs|tracks|files|photos] (do|does|have|has|can) (i|you|we) [have|got|see|put] (in|on) <name> #list",
        "@find (content|contents|tracks|songs|files|photos|inhalt|everything) (of|in|on|from|von|der) #list [@called] <name>",
        "@find (content|contents|tracks|songs|files|photos|inhalt) (of|in|on|from|von|der) <name> #list"
      ]),
      judge: () => 0.5,
      plan: (slots, it) => showList(it, noun, slots.get("name") ?? null)
    },
    {
      name: `list ${noun} titles`,
      forms: forms([
        ...listed("#list")
      ]),
      judge: () => 0.4,
      plan: (_, it) => listTitles(it, noun)
    },
    ...orders.flatMap(([className, sort]): ReadonlyArray<Intent> =>
      [false, true].map((isReversed) => ({
        name: `sort a ${noun} ${className}${isReversed ? " reversed" : ""}`,
        forms: forms([
          `@reorder #list [@called] <name> @${className}${isReversed ? " @reversed" : ""}`,
          `@reorder <name> #list @${className}${isReversed ? " @reversed" : ""}`,
          `@reorder #list @${className}${isReversed ? " @reversed" : ""}`,
          `#list <name> @${className} @reorder`,
          `@reorder [songs|tracks|files|photos|lieder|dateien|fotos] (in|of|on|der|in der|von) #list [@called] <name> @${className}${
            isReversed ? " @reversed" : ""
          }`,
          ...(isReversed
            ? []
            : [
              `(put|bring|get|bringe) #list [@called] <name> [into|in] @${className} [order]`,
              `#list [@called] <name> @should be (sorted|ordered|in) @${className}`
            ])
        ]),
        judge: () => 1,
        plan: (slots, it) => reorderList(it, noun, slots.get("name") ?? null, sort, null, isReversed)
      }))
    ),
    {
      name: `put first in a ${noun}`,
      forms: forms([
        "@move <files> @first (of|in|on|in der|der) #list [@called] <name>",
        "@move <files> @first (of|in|on|der) <name> #list",
        "@move <files> @first (of|in|on|der) #list",
        "@move <files> (in|on) #list <name> @first",
        "(put|move|place|setz|setze|stell) <files> @first",
        "@move <files> @first (of|in|on|in der|der|von) <name>",
        "<files> @should (be|come|go|play|open) @first (of|in|on) #list [@called] <name>",
        "<files> @should (in|auf) #list [@called] <name> @first [stehen|sein|kommen]",
        "<files> @should (be|come|go|play|open) [the] first [one|song|track|photo|picture] (of|in|on) #list [@called] <name>",
        "<files> @should (be|come|go|play|open) [the] first [one|song|track|photo|picture] (of|in|on) <name> #list",
        "(start|begin) #list [@called] <name> with <files>"
      ]),
      judge: () => 1.5,
      plan: (slots, it) => reorderList(it, noun, slots.get("name") ?? null, null, slots.get("files")!, false)
    }
  ]
}
