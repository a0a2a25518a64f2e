/** "add X to Y", where Y may be a list or a folder, or a file that gets the tag X. */
import { collections, foldersCalled, listsCalled, tagCalled } from "../drive/Collections.ts"
import { parseFiles } from "../files/parseFiles.ts"
import { sentenceOf, wholeOf } from "../grammar/Sentence.ts"
import { plainName } from "../grammar/Spelling.ts"
import { type Plan, type PlanReply, Stopped } from "../Plan.ts"
import { type PlanContext, say } from "../PlanContext.ts"
import { quoted } from "../Speech.ts"
import { move } from "./Folders.ts"
import type { Family } from "./Intent.ts"
import { addToList } from "./ListPlans.ts"
import { tag } from "./Tagging.ts"

const queryOf = (it: PlanContext, text: string) => parseFiles(wholeOf(sentenceOf(text, it.language, it.moment))).query

function* addTo(it: PlanContext, what: string, where: string): Plan<PlanReply> {
  const known = yield* collections(it)
  for (const kind of ["playlist", "gallery"] as const) {
    const found = listsCalled(known, kind, where)
    const exact = found.filter(({ title }) => plainName(title) === plainName(where))
    const [list] = exact.length > 0 ? exact : found
    if (list !== undefined && (exact.length === 1 || found.length === 1)) {
      return yield* addToList(it, kind, queryOf(it, what), list.title)
    }
  }
  const [folder, ...others] = foldersCalled(known, where, false)
  if (folder !== undefined && others.length === 0) {
    return yield* move(it, queryOf(it, what), { said: folder.path, isNew: false })
  }
  const target = queryOf(it, where)
  if (target.names.length > 0 && tagCalled(known, what) !== null) return yield* tag(it, target, [what], "add")
  throw new Stopped({
    text: say(
      it,
      `There is no playlist, gallery or folder ${quoted(where)}. Shall ${
        quoted(what)
      } go into a new one? Say which kind.`,
      `Es gibt keine Playlist, keine Galerie und keinen Ordner ${
        quoted(where)
      }. Soll ich etwas Neues anlegen? Sag, was.`
    )
  })
}

export const Adding: Family = {
  name: "adding",
  examples: { en: ["add river.mp3 to Party"], de: ["füge fluss.mp3 zu Party hinzu"] },
  intents: [
    {
      name: "add to something",
      forms: [
        "@add <files> (to|into|onto|on) <name> [too|also]",
        "@add <files> (zu|in|auf) <name> [hinzu|dazu|rein]",
        "<files> (zu|in|auf) <name> @add"
      ],
      judge: (slots) => {
        const [query, name] = [slots.get("files")!, slots.get("name")!]
        return query.said === "" || name.split(" ").length > 4 ||
            /\b(?:playlist|gallery|galerie|album|folder|ordner|tags?|description|beschreibung|it|them|that|this|there|drive|everyone|all|request|anfrage|note|review|trash|link)\b|[/:]/i
              .test(`${name} ${query.said.includes("://") ? ":" : ""}`) ||
            /\b(?:tag|tags|label|description|folder|password|caption|message|schlagwort|beschreibung|passwort|access|zugriff)\b/i
              .test(query.said)
          ? null
          : 0.2
      },
      plan: (slots, it) => addTo(it, slots.get("files")!.said, slots.get("name")!)
    }
  ]
}
