/** ZIP archives of files, galleries and playlists. */
import type { Link } from "../Decision.ts"
import { archives, theArchive } from "../drive/Archives.ts"
import { theFolder, theList } from "../drive/Collections.ts"
import type { ArchiveItem } from "../drive/Records.ts"
import { waitIfPossible } from "../drive/Waits.ts"
import { chooseFiles } from "../files/chooseFiles.ts"
import { anyFile, type FileQuery } from "../files/FileQuery.ts"
import { mention } from "../Focus.ts"
import { type Plan, type PlanReply, Stopped } from "../Plan.ts"
import { call, type PlanContext, say } from "../PlanContext.ts"
import { bytes, filesCounted, quoted } from "../Speech.ts"
import type { Family } from "./Intent.ts"
import { listed } from "./Listing.ts"

const link = ({ downloadUrl, id, title }: Pick<ArchiveItem, "id" | "title" | "downloadUrl">): Link => ({
  kind: "archive",
  id,
  name: title,
  url: downloadUrl
})

const stateOf = (it: PlanContext, { bytes: size, downloadUrl, error, fileCount, status, title }: ArchiveItem): string =>
  status === "done"
    ? `${quoted(title)} (${filesCounted(it, fileCount)}, ${bytes(it, size)}): ${downloadUrl ?? ""}`
    : status === "failed"
    ? say(
      it,
      `${quoted(title)} could not be built: ${error ?? ""}`,
      `${quoted(title)} ließ sich nicht erstellen: ${error ?? ""}`
    )
    : say(
      it,
      `${quoted(title)} (${filesCounted(it, fileCount)}) is being built.`,
      `${quoted(title)} (${filesCounted(it, fileCount)}) wird erstellt.`
    )

/** How an archive stands. */
export function* archiveDone(it: PlanContext, id: string): Plan<PlanReply> {
  const answer = yield* call<ReadonlyArray<ArchiveItem> | { readonly archives: ReadonlyArray<ArchiveItem> }>(
    it,
    "select_archives",
    { ids: [id] }
  )
  const [one] = "archives" in answer ? answer.archives : answer
  if (one === undefined) throw new Stopped({ text: say(it, "The archive is gone.", "Das Archiv gibt es nicht mehr.") })
  return { text: `ZIP ${stateOf(it, one)}`, links: [link(one)] }
}

function* build(it: PlanContext, of: Readonly<Record<string, unknown>>, title: string): Plan<PlanReply> {
  const made = yield* call<{ readonly id: string; readonly title: string }>(it, "create_archive_request", {
    ...of,
    title: title.replace(/\.zip$/i, "").slice(0, 200)
  })
  mention(it.focus, "archive", { id: made.id, name: made.title })
  yield* waitIfPossible(it, {
    kind: "archive",
    id: made.id,
    text: say(it, `the ZIP archive ${quoted(made.title)}`, `das ZIP-Archiv ${quoted(made.title)}`)
  })
  const said = yield* archiveDone(it, made.id)
  mention(it.focus, "archive", { id: made.id, name: made.title })
  return said
}

const titleOf = (query: FileQuery): string => {
  const said = query.said.replace(/^(?:all|the|my|alle|die|meine)\s+/i, "").replaceAll(/["“”„/]/g, " ").trim()
  return said === "" || query.refer !== null ? "Archive" : said[0]!.toUpperCase() + said.slice(1)
}

export function* pack(it: PlanContext, query: FileQuery, name: string | undefined): Plan<PlanReply> {
  const { focus } = it
  const isList = query.list !== null && query.types.length + query.words.length + query.tags.length === 0
  if (isList || (query.refer !== null && (focus.latest === "playlist" || focus.latest === "gallery"))) {
    const kind = query.list?.kind ?? (focus.latest as "playlist" | "gallery")
    const list = yield* theList(it, kind, query.list?.name ?? null)
    return yield* build(it, { [`${kind}Id`]: list.id }, name ?? list.title)
  }
  const files = yield* chooseFiles(it, query)
  focus.files = files
  return yield* build(it, { fileIds: files.map(({ id }) => id) }, name ?? titleOf(query))
}

export const Archives: Family = {
  name: "archives",
  examples: {
    en: [
      "zip all photos tagged holiday",
      "make a zip of the folder Client Work called Delivery",
      "zip the playlist Workout",
      "is the zip ready?",
      "which zips do I have?"
    ],
    de: ["packe alle Fotos von gestern in ein ZIP", "erstelle ein ZIP aus dem Ordner Kunden", "ist das ZIP fertig?"]
  },
  intents: [
    {
      name: "pack files",
      forms: [
        "(mach|mache|erstell|erstelle|bau|baue|pack|packe) [mir|uns] (aus|von) <files> #archive [zum (herunterladen|download|verschicken)]",
        "<files> (in|as|into|als) (one|a|single|ein|einem|einer|eine) [single] #archive",
        "(zip|zip up|pack|pack up|compress|bundle|bundle up|archive|package|zippe|packe|komprimiere) <files> [up] [(into|in|as|als) [one|single] #archive] [@called|as|als] <name>",
        "(zip|zip up|pack|pack up|compress|bundle|bundle up|archive|package|zippe|packe|komprimiere) <files> [up] [(into|in|as|als) [one|single|a] #archive]",
        "@create #archive (of|from|with|out of|for|containing|aus|von|mit) <files> [and|und] [@called] <name>",
        "@create #archive (of|from|with|out of|for|containing|aus|von|mit) <files>",
        "@create #archive @called <name> (of|from|with|out of|for|containing|aus|von|mit) <files>",
        "(put|pack|bundle|combine|leg|tu) <files> (into|in) #archive [@called] <name>",
        "(put|pack|bundle|combine|leg|tu) <files> (into|in) #archive",
        "(download|export|get|give me|send me) <files> (as|in) #archive",
        "<files> (zippen|packen|komprimieren|archivieren)",
        "<files> (als|in) #archive (packen|zippen|verpacken)",
        "#archive (of|from|with|aus|von|mit) <files> [@create]",
        "@create <files> into #archive",
        "(have|download|export|get|need|want|give me|send me|gib mir|schick mir|brauche|put|pack|leg|tu|fetch) <files> (as|in|into|als|in|zu) [one|a|single|einem|ein|einer|eine|einzigen|gemeinsam|together as] #archive [to download|zum herunterladen|zum download] [@called <name>]",
        "<files> (as|in|into|als|in|zu) [one|a|single|einem|ein|einer|eine|einzigen|gemeinsam|together as] #archive [to download|zum herunterladen|zum download|please] [@called <name>]",
        "<files> (as|in|into|als|in|zu) [one|a|single|einem|ein|einer|eine|einzigen|gemeinsam|together as] #archive (haben|bekommen|herunterladen|laden|packen|zusammenpacken|verpacken)",
        "(mach|mache|bau|baue|erstell|erstelle|pack|packe) [mir|uns] (aus|mit|von) <files> #archive [zum herunterladen|zum download|fur mich] [@called <name>]",
        "(aus|mit|von) <files> #archive [zum herunterladen] (machen|erstellen|packen|bauen|@create)",
        "@create #archive (of|from|with|out of|for|containing|aus|von|mit|vom) <files> (to download|zum herunterladen|zum download)",
        "@create #archive [@called] <name> (of|from|with|out of|containing|aus|von|mit) <files>",
        "(zip|pack|bundle|compress|zippe|packe) <files> (together|zusammen|up together) [(as|in|into|als|in|zu) [one|a|single|einem|ein|einer|eine|einzigen|gemeinsam|together as] #archive] [@called <name>]",
        "(turn|make|convert|combine) <files> into #archive [@called <name>]",
        "<files> @should (be|go|be put|become|in) [in|into] #archive [@called <name>]"
      ],
      judge: (slots) => slots.get("files")!.said === "" ? null : slots.get("name") === undefined ? 0.6 : 0.4,
      plan: (slots, it) => pack(it, slots.get("files")!, slots.get("name"))
    },
    {
      name: "pack files under a name",
      forms: ["as|into|in|als"].flatMap((as) => [
        `[have|download|export|get|need|want|zip|zip up|pack|bundle|put|zippe|pack|packe] <files> (${as}) [one|a|single|einem|ein|eine] #archive [and|und] (call it|name it|call that|nenn es|nenne es|called|named|namens) <name>`,
        "(zip|zip up|pack|pack up|bundle|bundle up|compress|zippe|packe) <files> [up|zusammen] [and|und] (call it|name it|call that|nenn es|nenne es) <name>",
        "[@create] #archive (of|from|with|out of|containing|aus|von|mit) <files> [and|und] (call it|name it|call that|nenn es|nenne es) <name>"
      ]),
      judge: () => 5,
      plan: (slots, it) => pack(it, slots.get("files")!, slots.get("name"))
    },
    {
      name: "pack a folder",
      forms: [
        "(zip|zip up|pack|pack up|compress|bundle|archive|zippe|packe) #folder <folder> [(into|in) #archive]",
        "(zip|zip up|pack|compress|bundle|zippe|packe) <folder> #folder",
        "@create #archive (of|from|with|aus|von) #folder <folder>",
        "@create #archive (of|from|with|aus|von) <folder> #folder",
        "@create #archive (of|from|with|aus|von|vom) #folder <folder> @called <name>",
        "@create #archive vom #folder <folder>",
        "[@find|have|need|want|download|gib mir|schick mir|brauche] #folder <folder> (as|in|into|als|in|zu) [one|a|single|einem|ein|einer|eine|einzigen|gemeinsam|together as] #archive [@called <name>]",
        "[@find|have|need|want|download|gib mir|schick mir|brauche] <folder> #folder (as|in|into|als|in|zu) [one|a|single|einem|ein|einer|eine|einzigen|gemeinsam|together as] #archive [@called <name>]",
        "#folder <folder> (zippen|packen|komprimieren|zusammenpacken)",
        "@create (aus|mit|von|vom) #folder <folder> #archive [@called <name>]",
        "(aus|mit|von|vom) #folder <folder> #archive [@called <name>] @create"
      ],
      judge: () => 1,
      *plan(slots, it) {
        const { path } = yield* theFolder(it, slots.get("folder")!.said)
        return yield* pack(
          it,
          { ...anyFile, folder: path, number: "many", said: path },
          slots.get("name") ?? (path.slice(path.lastIndexOf("/") + 1) || "Archive")
        )
      }
    },
    {
      name: "list archives",
      forms: [
        ...listed("#archive"),
        "@find #archive i (made|created|have)"
      ],
      judge: () => 0.4,
      *plan(_, it) {
        const all = yield* archives(it)
        if (all.length === 0) return { text: say(it, "There are no ZIP archives.", "Es gibt keine ZIP-Archive.") }
        return { text: all.map((one) => `- ${stateOf(it, one)}`).join("\n"), links: all.map(link) }
      }
    },
    {
      name: "how far an archive is",
      forms: [
        "@is [the] #archive [@called] [<name>] (ready|done|finished|fertig) [yet|schon]",
        "@howfar @is [the] #archive [<name>]",
        "(status|state|progress|stand) (of|von|des) [the] #archive [<name>]",
        "(give|get|show) [me] #link (to|for|of|zum) [the] #archive [<name>]",
        "download #archive [<name>]",
        "(where|wo) @is [my|the|mein] #archive [@called] [<name>]",
        "#archive [@called] [<name>] (ready|fertig|done) [yet|schon]"
      ],
      judge: () => 1.2,
      *plan(slots, it) {
        const one = yield* theArchive(it, slots.get("name") ?? null)
        mention(it.focus, "archive", { id: one.id, name: one.title })
        return { text: `ZIP ${stateOf(it, one)}`, links: [link(one)] }
      }
    }
  ]
}
