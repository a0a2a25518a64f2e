/** Galleries: lists of images, some of which are featured. */
import { theList } from "../drive/Collections.ts"
import { chooseFiles } from "../files/chooseFiles.ts"
import { mention } from "../Focus.ts"
import { call, say } from "../PlanContext.ts"
import { quoted, theFiles } from "../Speech.ts"
import type { Family } from "./Intent.ts"
import { listIntents } from "./ListIntents.ts"

export const Galleries: Family = {
  name: "galleries",
  examples: {
    en: [
      "make a gallery of the photos tagged holiday",
      "create a gallery called Wedding with all photos from May",
      "add beach.jpg to the gallery Summer",
      "feature beach.jpg in the gallery Summer"
    ],
    de: ["erstelle eine Galerie mit allen Fotos von gestern", "füge strand.jpg zur Galerie Sommer hinzu"]
  },
  intents: [
    ...listIntents("gallery"),
    {
      name: "feature in a gallery",
      forms: [
        "(feature|highlight|showcase) <files> (in|on|of) #gallery [@called] <name>",
        "(feature|highlight|showcase) <files> (in|on|of) <name> #gallery",
        "(feature|highlight|showcase) <files>",
        "@use <files> as @featured (in|of) #gallery <name>",
        "hebe <files> (in|der) #gallery <name> hervor",
        "(heb|stell|stelle) <files> (in|der) #gallery [@called] <name> (hervor|heraus|raus)",
        "<files> @should be @featured (in|on|of) #gallery [@called] <name>",
        "<files> @should be @featured (in|on|of) <name> [#gallery]",
        "(feature|highlight|showcase) <files> (in|on|of) <name>",
        "(put|place|stell|setz) <files> (up front|in front|nach vorn|in den vordergrund) (in|of|der|in der) #gallery [@called] <name>"
      ],
      judge: () => 0.5,
      *plan(slots, it) {
        const found = yield* theList(it, "gallery", slots.get("name") ?? null)
        const query = slots.get("files")!
        const files = yield* chooseFiles(
          it,
          query.refer === null ? { ...query, list: { kind: "gallery", name: found.title } } : query
        )
        const ids = files.map(({ id }) => id)
        yield* call(it, "reorder_gallery", { galleryId: found.id, fileIds: ids, featuredIds: ids })
        mention(it.focus, "gallery", found)
        return {
          text: say(
            it,
            `${theFiles(it, files)} is featured in ${quoted(found.title)}.`,
            `${theFiles(it, files)} ist in ${quoted(found.title)} hervorgehoben.`
          )
        }
      }
    }
  ]
}
