/** What everybody can see of the drive: public files, and the lists that are public. */
import { collections } from "../drive/Collections.ts"
import { anyFile } from "../files/FileQuery.ts"
import { findFiles } from "../files/findFiles.ts"
import { mentionFiles } from "../Focus.ts"
import { say } from "../PlanContext.ts"
import { enumerate, fileLink, filesCounted, quoted } from "../Speech.ts"
import type { Intent } from "./Intent.ts"
import { filesListed, listing } from "./Listing.ts"

const what = "(what|which|whats|was|welche)"
const mine = "[of my|of mine|meiner|von meinen|of our] [files|dateien|things|sachen|stuff|photos|fotos]"
const others = "(@people|strangers|outsiders|the outside world|other people|others|fremde|andere|andere leute|leute)"

export const publicThings: Intent = {
  name: "what is public",
  forms: [
    `${what} ${mine} @should ${others} (see|view|open|access|reach|get at|sehen|offnen|aufrufen|einsehen) [of mine|of my files|of my drive|von mir]`,
    `${what} ${mine} @is [bei mir|here|currently|right now|@drive] [alles|all|alle|momentan] @public [right now|gerade|im moment|of my files|here|on the drive]`,
    `@find ${what} ${mine} ${others} @should (see|view|open|access|sehen)`,
    `@find ${what} ${mine} @is [all] @public`,
    `@is [there] (anything|something|any of my files|etwas|irgendwas|was) [of mine|von mir] @public`,
    `${what} ${mine} @should ${others} (see|view|open|access|sehen) (i mean|that is|thats|i e|meaning|in other words|so|also|d h|das heisst|ich meine) [${what}] [@is] [all] @public`,
    `${what} ${mine} @is [all|currently] (open|visible|accessible|viewable|available|there|exposed|sichtbar|zuganglich|offen) (to|for|by|fur) [the] (@people|world|whole world|internet|outside|outsiders|strangers|jeden|alle|jedermann)`,
    `${what} [@is|kann|konnen|davon|von meinen|meiner|von meinem drive] [files|dateien|sachen|davon] [kann|konnen|can] ${others} [(im|on|in) (internet|netz|web)] [alles] (sehen|offnen|ansehen|anschauen|see|open)`,
    `(do|have) (i|we) [have] (anything|something|any files) (that is|that s) @public`
  ],
  judge: () => 2.5,
  *plan(_, it) {
    const { files } = yield* findFiles(it, {
      ...anyFile,
      isPublic: true,
      number: "many",
      said: say(it, "public", "öffentlich")
    })
    const { galleries, playlists } = yield* collections(it)
    mentionFiles(it.focus, files)
    const lists = [...playlists, ...galleries].filter(({ isPublic }) => isPublic).map(({ title }) => quoted(title))
    const lines = [
      files.length === 0
        ? say(it, "No file is public.", "Keine Datei ist öffentlich.")
        : say(it, `${filesCounted(it, files.length)} public:`, `Öffentlich: ${filesCounted(it, files.length)}`) +
          `\n${listing(it, files)}`,
      ...(lists.length === 0
        ? []
        : [say(it, `Public lists: ${enumerate(it, lists)}.`, `Öffentliche Listen: ${enumerate(it, lists)}.`)])
    ]
    return { text: lines.join("\n"), links: files.slice(0, filesListed).map(fileLink) }
  }
}
