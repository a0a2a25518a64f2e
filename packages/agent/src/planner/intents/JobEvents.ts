/** What is under way and ends by itself: an image, an import, a ZIP. */
import { theArchive } from "../drive/Archives.ts"
import { Stopped } from "../Plan.ts"
import { say } from "../PlanContext.ts"
import { quoted, theFiles } from "../Speech.ts"
import { until } from "./Awaiting.ts"
import type { Intent } from "./Intent.ts"

export const jobEvents: ReadonlyArray<Intent> = [
  {
    name: "an image",
    forms: [
      "[@all] (#image|generation) @is (ready|done|finished|there|fertig|da|generated|made|complete)",
      "(#image|bild) (fertig|da) @is",
      "(#image|generation) (finishes|is through|completes)",
      "(it|es) @is (ready|done|finished|fertig|complete)",
      "(es|das) fertig ist",
      "(that|this) @is (ready|done|finished)",
      "(it|that|this|its|thats) [@is] (there|here|in|ready|done|finished|complete|imported|downloaded|loaded|through|over|built|packed|available)",
      "(it|that|this) (finishes|arrives|completes|has finished|has arrived|has come in|has been imported|is finished|is through)",
      "(es|das|sie|er|die datei|das bild) (da|fertig|heruntergeladen|importiert|durch|bereit|angekommen|geladen) (ist|wird|wurde)",
      "(es|das|sie) (soweit|so weit) ist",
      "@is (done|ready|finished|fertig|da)",
      "(youre|you are|du) (done|finished|fertig) [bist]"
    ],
    judge: () => 0.5,
    *plan(_, it) {
      const { archive, image, latest } = it.focus
      if (latest === "archive" && archive !== null) {
        return yield* until(it, { kind: "archive", id: archive.id, text: quoted(archive.name) })
      }
      if (latest === "import" && it.focus.import !== null) {
        return yield* until(it, { kind: "import", id: it.focus.import.id, text: it.focus.import.name })
      }
      if (image === null) {
        return {
          text: it.focus.files.length === 0
            ? say(it, "Nothing is under way in this conversation.", "In diesem Gespräch läuft gerade nichts.")
            : say(it, `${theFiles(it, it.focus.files)} is ready.`, `${theFiles(it, it.focus.files)} ist fertig.`)
        }
      }
      return yield* until(it, {
        kind: "image",
        id: image.id,
        text: say(it, `the image ${quoted(image.name)}`, `das Bild ${quoted(image.name)}`)
      })
    }
  },
  {
    name: "an import",
    forms: [
      "#import @is (ready|done|finished|complete|through|there|fertig|da)",
      "#import (finishes|completes|is through)",
      "#import (fertig|da|durch) @is",
      "#import"
    ],
    judge: () => 0.4,
    *plan(_, it) {
      const { import: known } = it.focus
      if (known === null) {
        throw new Stopped({
          text: say(it, "Nothing is being imported in this conversation.", "In diesem Gespräch wird nichts importiert.")
        })
      }
      return yield* until(it, { kind: "import", id: known.id, text: known.name })
    }
  },
  {
    name: "an archive",
    forms: [
      "#archive [@called] [<name>] @is (ready|done|finished|complete|built|there|fertig|da)",
      "<name> #archive @is (ready|done|finished|complete|built)",
      "#archive (finishes|completes)",
      "#archive (fertig|da) @is",
      "#archive"
    ],
    judge: () => 0.5,
    *plan(slots, it) {
      const one = yield* theArchive(it, slots.get("name") ?? null)
      return yield* until(it, { kind: "archive", id: one.id, text: quoted(one.title) })
    }
  }
]
