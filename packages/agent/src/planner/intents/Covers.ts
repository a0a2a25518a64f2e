/** Pictures by which tracks, playlists and videos are shown. */
import { theList } from "../drive/Collections.ts"
import type { FileRecord } from "../drive/Records.ts"
import { chooseFiles } from "../files/chooseFiles.ts"
import type { FileQuery } from "../files/FileQuery.ts"
import { type Plan, type PlanReply, Stopped } from "../Plan.ts"
import { call, type PlanContext, say } from "../PlanContext.ts"
import { quoted } from "../Speech.ts"
import type { Family } from "./Intent.ts"

/** One file; a bare name is looked for among `types` only. */
function* one(it: PlanContext, query: FileQuery, types: ReadonlyArray<FileRecord["type"]>): Plan<FileRecord> {
  const narrowed = query.types.length + query.names.length + query.extensions.length > 0 || query.refer !== null
    ? query
    : { ...query, types }
  const [file] = yield* chooseFiles(it, narrowed, { one: true })
  return file!
}

function* cover(it: PlanContext, image: FileQuery, of: FileQuery): Plan<PlanReply> {
  const { fileName, id } = yield* one(it, image, ["Image"])
  const target = yield* one(it, of, ["Audio", "Video"])
  if (target.type === "Video") yield* call(it, "set_video_thumbnail", { videoId: target.id, imageId: id })
  else yield* call(it, "set_cover", { imageId: id, trackId: target.id })
  return {
    text: say(
      it,
      `${quoted(fileName)} is now the cover of ${quoted(target.fileName)}.`,
      `${quoted(fileName)} ist jetzt das Cover von ${quoted(target.fileName)}.`
    )
  }
}

export const Covers: Family = {
  name: "covers",
  examples: {
    en: [
      "use cover.jpg as the cover of demo.wav",
      "make band.png the cover of the playlist Workout",
      "use the frame at 0:12 as the thumbnail of clip.mp4"
    ],
    de: ["nimm cover.jpg als Cover für demo.wav", "setze band.png als Cover der Playlist Sport"]
  },
  intents: [
    {
      name: "cover of a playlist",
      forms: [
        "@use <files:image> [as|als] (#cover|#poster) (of|for|on|fur|der|von) #playlist [@called] <name>",
        "@use <files:image> [as|als] (#cover|#poster) (of|for|on|fur|der|von) <name> #playlist",
        "@use <files:image> [as|als] #playlist (#cover|#poster)",
        "(give|gib) #playlist <name> (#cover|#poster) <files:image>"
      ],
      judge: () => 1.5,
      *plan(slots, it) {
        const list = yield* theList(it, "playlist", slots.get("name") ?? null)
        const { fileName, id } = yield* one(it, slots.get("files", "image")!, ["Image"])
        yield* call(it, "set_cover", { imageId: id, playlistId: list.id })
        return {
          text: say(
            it,
            `${quoted(fileName)} is now the cover of the playlist ${quoted(list.title)}.`,
            `${quoted(fileName)} ist jetzt das Cover der Playlist ${quoted(list.title)}.`
          )
        }
      }
    },
    {
      name: "thumbnail at a time",
      forms: [
        "@use (frame|picture|image|still|bild|standbild) (at|from|bei) <time> [as|als] (#poster|#cover) (of|for|fur|von) <files>",
        "@use (first|opening|erste|ersten) (frame|picture|image|still|bild|standbild) (of|from|in|von|aus) <files> [as|als] [its|sein|the] (#poster|#cover)",
        "@use (#poster|#cover) (of|for|von|fur) <files> (to|auf) [its|the|sein|das] (first|opening|erste) (frame|picture|image|bild)",
        "@use (#poster|#cover) (of|for|von|fur) <files> (to|auf) (frame|picture|image|bild) (at|bei) <time>",
        "@use (#poster|#cover) (of|for|von|fur) <files> (to|at|auf|bei) <time>",
        "@change (#poster|#cover) (of|for|von|fur) <files> (to|auf) (frame|picture|image|bild) (at|bei) <time>"
      ],
      judge: () => 1.5,
      *plan(slots, it) {
        const { fileName, id } = yield* one(it, slots.get("files")!, ["Video"])
        const seconds = slots.get("time") ?? 0
        const { success } = yield* call<{ readonly success: boolean }>(it, "set_video_thumbnail", {
          videoId: id,
          timestampSeconds: seconds
        })
        if (!success) {
          throw new Stopped({
            text: say(it, `${quoted(fileName)} has no frame there.`, `${quoted(fileName)} hat dort kein Bild.`)
          })
        }
        return {
          text: say(
            it,
            `The frame at ${seconds} s now shows ${quoted(fileName)}.`,
            `Das Bild bei ${seconds} s zeigt jetzt ${quoted(fileName)}.`
          )
        }
      }
    },
    {
      name: "cover of a track",
      forms: [
        "@use <files:image> [as|als] (#cover|#poster) (of|for|on|fur|von) <files>",
        "@change (#cover|#poster) (of|for|von) <files> to <files:image>",
        "(give|gib) <files> <files:image> as (#cover|#poster)",
        "@use (#cover|#poster) (of|for|von) <files> (to|auf) <files:image>"
      ],
      judge: () => 1,
      plan: (slots, it) => cover(it, slots.get("files", "image")!, slots.get("files")!)
    }
  ]
}
