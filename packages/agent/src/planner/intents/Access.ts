/** Who may see files, and files that are for nobody else. */
import { chooseFiles } from "../files/chooseFiles.ts"
import { anyFile } from "../files/FileQuery.ts"
import { findFiles } from "../files/findFiles.ts"
import { mentionFiles } from "../Focus.ts"
import { plainName } from "../grammar/Spelling.ts"
import { callEach, say } from "../PlanContext.ts"
import { enumerate, fileLink, quoted, theFiles } from "../Speech.ts"
import type { Family, Intent } from "./Intent.ts"
import { filesListed, listing } from "./Listing.ts"
import { nameOf, sharesOf, unshareFiles } from "./Sharing.ts"

const see = "(see|open|view|access|read|have|sehen|offnen|lesen|haben|ansehen)"

const access: ReadonlyArray<Intent> = [
  {
    name: "who may see files",
    forms: [
      "@who @is <files> shared with",
      "@who [do|did|have] (i|we) [share|shared] <files> [shared] with",
      "@who [do|did|have] (i|we) (share|shared|send|sent|give|gave) <files> (with|to)",
      "(with who|with whom|mit wem) (do|did|have|habe|hab|haben) (i|we|ich|wir) (share|shared) <files>",
      "(mit wem|wem) (habe|hab|haben) (ich|wir) <files> (geteilt|geschickt|freigegeben|gegeben)",
      "(with whom|mit wem) (is|are|did i|have i|ist|sind|habe ich) <files> (shared|share|geteilt)",
      "@who (has #access to|can see|can access|can open|hat zugriff auf|kann sehen|darf sehen|has) <files>",
      "@who (kann|darf) <files> (sehen|offnen)",
      "@is <files> shared [with (anyone|anybody|someone|others)]",
      "@find @who @has #access to <files>"
    ],
    judge: () => 1,
    *plan(slots, it) {
      const files = yield* chooseFiles(it, slots.get("files")!)
      mentionFiles(it.focus, files)
      const shares = yield* sharesOf(it, files.map(({ id }) => id))
      const lines = files.map(({ fileName, id, isPublic }) => {
        const users = shares.find((file) => file.id === id)?.users ?? []
        const names = users.length === 0
          ? say(it, "shared with nobody", "mit niemandem geteilt")
          : say(
            it,
            `shared with ${enumerate(it, users.map(nameOf))}`,
            `geteilt mit ${enumerate(it, users.map(nameOf))}`
          )
        return `${quoted(fileName)}: ${names}${
          isPublic
            ? say(
              it,
              "; it is public, so anyone with its link can open it",
              "; sie ist öffentlich, jeder mit dem Link kann sie öffnen"
            )
            : ""
        }.`
      })
      return { text: lines.slice(0, 20).join("\n") }
    }
  },
  {
    name: "shared with somebody",
    forms: [
      "(what|which|was|welche) [files|photos|documents|videos|tracks|dateien|fotos] (did|do|have|habe|hab|haben) (i|we|ich|wir) [already|schon|alles] (share|shared) (with|to) <people>",
      "(what|which|was|welche) [files|photos|dateien|fotos] (habe|hab|haben) (ich|wir) [schon|alles] (mit|fur|an) <people> (geteilt|freigegeben|geschickt)",
      "(what|which|was|welche) [files|photos|dateien|fotos] @is [all|alle|alles] (shared|geteilt|mit) (with|mit) <people> [geteilt]",
      "(what|which|was|welche) [files|photos|dateien|fotos] (is|are|ist|sind) (mit|fur) <people> (geteilt|freigegeben)",
      "@find [@all] (what|files|photos|everything|dateien|alles was|alles) [i|we|that] [have] [shared] (shared with|geteilt mit) <people>",
      "(what|which|was|welche) [of my] [files|dateien] @should <people> (see|open|view|access|sehen)"
    ],
    judge: () => 1.5,
    *plan(slots, it) {
      const people = slots.get("people")!
      const { files } = yield* findFiles(it, { ...anyFile, isShared: "byMe", number: "many", said: people.join(", ") })
      const wanted = people.map(plainName)
      const shares = yield* sharesOf(it, files.map(({ id }) => id))
      const ids = new Set(
        shares.filter(({ users }) =>
          users.some(({ displayName, handle }) =>
            wanted.some((name) =>
              plainName(handle ?? "") === name || plainName(displayName ?? "").split(" ").includes(name)
            )
          )
        ).map(({ id }) => id)
      )
      const found = files.filter(({ id }) => ids.has(id))
      mentionFiles(it.focus, found)
      return {
        text: found.length === 0
          ? say(
            it,
            `Nothing is shared with ${enumerate(it, people)}.`,
            `Mit ${enumerate(it, people)} ist nichts geteilt.`
          )
          : `${say(it, `Shared with ${enumerate(it, people)}:`, `Mit ${enumerate(it, people)} geteilt:`)}\n${
            listing(it, found)
          }`,
        links: found.slice(0, filesListed).map(fileLink)
      }
    }
  },
  {
    name: "unshare files from all others",
    forms: [
      `(nobody|no one|noone) [else] (except|but|besides|apart from|other than|except for) (me|us|myself) @should [be able to|be allowed to] ${see} <files> [anymore|any more]`,
      `(niemand|keiner) (ausser|bis auf) (mir|uns) @should <files> [mehr] ${see} [konnen|durfen]`,
      `only (i|me|we) @should [be able to|be allowed to] ${see} <files> [anymore]`,
      `nur ich @should <files> [noch] ${see} [konnen|durfen]`,
      `<files> @should [only] be (visible|accessible) [only] (to|for) (me only|only me|me|nobody but me|no one but me|just me|me alone|nobody else)`,
      `(make|keep|mach|mache) <files> (visible|accessible|sichtbar) (to|for|fur) (me only|only me|nobody but me|no one but me|nobody except me|no one except me|just me|me alone|nobody else|nur mich|mich allein)`,
      `<files> @should nur fur mich [sichtbar|da|zuganglich] [sein]`,
      `(stop|end|quit) sharing <files> (with|to) (everyone|everybody|anyone|anybody|all|all of them|the others|people)`,
      `unshare <files> (with|from) (everyone|everybody|anyone|all|the others)`,
      `(beende|entziehe|entzieh|nimm) allen (den|die) (#access|freigabe) (auf|zu|von|fur) <files> [weg]`,
      `<files> mit niemandem [mehr] teilen`,
      `teil <files> mit niemandem [mehr]`
    ],
    judge: (slots) => slots.get("files")!.said === "" ? null : 2.5,
    *plan(slots, it) {
      const files = yield* chooseFiles(it, slots.get("files")!)
      const open = files.filter(({ isPublic }) => isPublic)
      yield* callEach(it, "toggle_file_access", open.map(({ id }) => ({ id })))
      const said = yield* unshareFiles(it, files, null)
      return open.length === 0 ? said : {
        ...said,
        text: `${said.text} ${
          say(it, `${theFiles(it, open)} is private again.`, `${theFiles(it, open)} ist wieder privat.`)
        }`
      }
    }
  }
]

export const Access: Family = {
  name: "who may see files",
  examples: { en: ["who can see report.pdf?"], de: ["mit wem ist vertrag.pdf geteilt?"] },
  intents: access
}
