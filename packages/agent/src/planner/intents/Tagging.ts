/** Tags on files. */
import { onFiles, unlessAll } from "../drive/Actions.ts"
import { collections, tagCalled } from "../drive/Collections.ts"
import { chooseFiles } from "../files/chooseFiles.ts"
import { anyFile, type FileQuery } from "../files/FileQuery.ts"
import { mentionFiles } from "../Focus.ts"
import { plainName } from "../grammar/Spelling.ts"
import type { Plan, PlanReply } from "../Plan.ts"
import { type PlanContext, say } from "../PlanContext.ts"
import { counted, enumerate, quoted, theFiles } from "../Speech.ts"
import type { Family } from "./Intent.ts"
import { listed } from "./Listing.ts"

export function* tag(
  it: PlanContext,
  query: FileQuery,
  tags: ReadonlyArray<string>,
  action: "add" | "remove"
): Plan<PlanReply> {
  const chosen = yield* chooseFiles(it, query)
  const known = yield* collections(it)
  const texts = tags.map((text) => tagCalled(known, text)?.text ?? text.replace(/^#/, ""))
  const wanted = new Set(texts.map(plainName))
  const files = action === "add"
    ? chosen
    : chosen.filter((file) => file.tags.some(({ text }) => wanted.has(plainName(text))))
  if (files.length === 0) {
    return {
      text: say(
        it,
        `${theFiles(it, chosen)} had no tag ${enumerate(it, texts.map(quoted))}.`,
        `${theFiles(it, chosen)} hatte keinen Tag ${enumerate(it, texts.map(quoted))}.`
      )
    }
  }
  const done = yield* onFiles(
    it,
    "tag_files",
    files,
    (fileIds) => ({ fileIds, tags: texts, ...(action === "remove" ? { action } : {}) })
  )
  mentionFiles(it.focus, done.files)
  it.focus.tag = texts[0] ?? null
  const names = enumerate(it, texts.map(quoted))
  return unlessAll(it, done, {
    text: action === "add"
      ? say(
        it,
        `Tagged ${theFiles(it, done.files)} with ${names}.`,
        `${theFiles(it, done.files)} mit ${names} getaggt.`
      )
      : say(
        it,
        `Removed ${names} from ${theFiles(it, done.files)}.`,
        `${names} von ${theFiles(it, done.files)} entfernt.`
      )
  })
}

/** Takes every tag off. */
function* untagAll(it: PlanContext, query: FileQuery): Plan<PlanReply> {
  const files = yield* chooseFiles(it, query)
  const texts = [...new Set(files.flatMap(({ tags }) => tags.map(({ text }) => text)))]
  mentionFiles(it.focus, files)
  if (texts.length === 0) {
    return { text: say(it, `${theFiles(it, files)} had no tags.`, `${theFiles(it, files)} hatte keine Tags.`) }
  }
  const done = yield* onFiles(
    it,
    "tag_files",
    files,
    (fileIds) => ({ fileIds, tags: texts.slice(0, 20), action: "remove" })
  )
  return unlessAll(it, done, {
    text: say(
      it,
      `Removed the tags ${enumerate(it, texts.map(quoted))} from ${theFiles(it, done.files)}.`,
      `Die Tags ${enumerate(it, texts.map(quoted))} von ${theFiles(it, done.files)} entfernt.`
    )
  })
}

export const Tagging: Family = {
  name: "tagging",
  examples: {
    en: [
      "tag all photos from yesterday with holiday",
      "add the tags live and demo to song.wav",
      "label them as draft",
      "remove the tag old from all documents",
      "put the tag urgent on contract.pdf",
      "what tags do I have?"
    ],
    de: [
      "tagge alle Fotos von gestern mit Urlaub",
      "entferne den Tag alt von allen Dokumenten",
      "markiere vertrag.pdf als wichtig",
      "gib song.wav den Tag live"
    ]
  },
  intents: [
    {
      name: "tag files",
      forms: [
        "@label <files> (with|as|mit|als) <tags>",
        "@label <files> <tags>",
        "@add #tag <tags> (to|on|onto|for|zu|an) <files>",
        "@add <tags> #tag (to|on|zu) <files>",
        "(put|use|stick|apply|set|add) #tag <tags> (to|on|onto|for) <files>",
        "(put|stick|apply|add|set) <tags> #tag (to|on|onto|for) <files>",
        "(add|apply|put) <tags> as #tag (to|on|for) <files>",
        "(give|gib|geben) <files> #tag <tags>",
        "(give|gib) <files> <tags> as #tag",
        "<files> (mit|als) <tags> (taggen|markieren|versehen|kennzeichnen|verschlagworten)",
        "(fug|fuge) <files> #tag <tags> hinzu",
        "(versieh|verseh|versehe|versehen|verseht) <files> mit #tag <tags>",
        "<files> @is to be tagged [with|as] <tags>",
        "<files> @should (get|have|carry|bear|receive|be given) #tag <tags>",
        "<files> (gets|get|needs|need|carries|bekommt|bekommen|kriegt|kriegen|braucht|erhalt|erhalten) #tag <tags>",
        "<files> @should #tag <tags> (bekommen|kriegen|haben|tragen|erhalten)",
        "(hang|hange|kleb|klebe|mach|mache|setz|setze|schreib|pack|hefte|heft) (an|bei|zu|auf) <files> #tag <tags> [dran|ran|an|hin|drauf]",
        "(hang|hange|kleb|klebe|mach|mache|setz|setze|schreib|pack|hefte|heft) #tag <tags> (an|bei|zu|auf) <files> [dran|ran|an|hin|drauf]",
        "(@add|set|put) <tags> (to|on|onto) <files> 's #tag",
        "(set|use|make) <files> 's #tag [to|as] <tags>",
        "@label #tag <tags> <files>",
        "<files> (tagged|labelled|labeled) [as|with] <tags> @should be"
      ],
      judge: (slots) => slots.get("tags")!.length > 20 || slots.get("files")!.words.length > 5 ? null : 0,
      plan: (slots, it) => tag(it, slots.get("files")!, slots.get("tags")!, "add")
    },
    {
      name: "untag files",
      forms: [
        "@delete #tag <tags> (from|off|of|on|von|bei) <files>",
        "@delete <tags> #tag (from|off|of|von) <files>",
        "@untag <tags> (from|off|von) <files>",
        "(take|nimm) #tag <tags> (off|from|von) <files> [weg|ab]",
        "(take|strip) <tags> #tag (off|from) <files>",
        "#tag <tags> (von|bei) <files> (entfernen|loschen|wegnehmen)",
        "untag <files> (as|from|with) <tags>",
        "@delete #tag <tags> (from|von) <files> again",
        "@delete (bei|an|auf|from|on|von) <files> #tag <tags> [weg|ab|runter|raus|wieder]",
        "(mach|mache|nimm|nehmt|krieg) #tag <tags> (von|bei|aus) <files> (weg|ab|runter|raus|wieder weg)",
        "(nimm|nehme|nehmt|mach) (bei|von|aus) <files> #tag <tags> (weg|ab|raus|runter)",
        "#tag <tags> @should (von|from|off|bei|aus) <files> (runter|weg|ab|raus|verschwinden|come off|removed|go)",
        "#tag <tags> @should (come off|go from|be off|disappear from|go off) <files>",
        "@delete #tag <tags> (bei|an|auf|fur) <files>",
        "@delete <tags> (from|off) <files> 's #tag",
        "@delete <tags> from #tag (of|on) <files>",
        "(take|strip|get) <files> 's #tag <tags> off",
        "<files> @should (lose|drop) #tag <tags>",
        "<files> (no longer needs|no longer need|doesnt need|dont need) #tag <tags> [anymore|any more]",
        "<files> (braucht|brauchen) #tag <tags> nicht [mehr]",
        "<files> #tag <tags> (wegnehmen|entfernen|abnehmen|entziehen)"
      ],
      judge: () => 0.6,
      plan: (slots, it) => tag(it, slots.get("files")!, slots.get("tags")!, "remove")
    },
    {
      name: "untag files that were mentioned",
      forms: [
        "(take|pull|get|strip|remove) #tag <tags> (off|away|again)",
        "(take|pull|strip) <tags> #tag (off|away)",
        "(take|pull|strip) (off|away) #tag <tags>",
        "(take|pull) <tags> off (again|it|them)",
        "(nimm|nehme|mach|entfern|entferne) #tag <tags> (weg|ab|raus|wieder)",
        "untag <tags> (again|there|them|it)",
        "@delete #tag <tags> (there|from there|davon|daraus|da) [weg|ab]"
      ],
      judge: () => 1.2,
      plan: (slots, it) =>
        tag(it, { ...anyFile, refer: "them", number: "many", said: "them" }, slots.get("tags")!, "remove")
    },
    {
      name: "untag files wholly",
      forms: [
        "untag <files>",
        "@delete @all [of] [the|their|its] #tag (from|off|of|von) <files>",
        "@delete (its|their) #tag"
      ],
      judge: () => 0.8,
      plan: (slots, it) => untagAll(it, slots.get("files") ?? { ...slots.get("files")!, refer: "them" })
    },
    {
      name: "list tags",
      forms: [
        ...listed("#tag"),
        "#tag @find",
        "(what|which|welche) #tag (do|did|have|benutze|verwende|nutze) (i|we|ich|wir) [use|used|have]",
        "@find #tag (i have|that exist|there are|in use|in my drive|in the drive)"
      ],
      judge: () => 0.5,
      *plan(_, it) {
        const { tags } = yield* collections(it)
        if (tags.length === 0) return { text: say(it, "There are no tags yet.", "Es gibt noch keine Tags.") }
        const lines = tags.map(({ fileCount, text }) => `- ${text} (${fileCount})`).join("\n")
        return { text: `${counted(it, tags.length, ["tag", "tags"], ["Tag", "Tags"])}:\n${lines}` }
      }
    }
  ]
}
