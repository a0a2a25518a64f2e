/** What files are like: sizes, lengths, dates, tags. */
import { chooseFiles } from "../files/chooseFiles.ts"
import { type FileQuery, saysNothing } from "../files/FileQuery.ts"
import { mentionFiles, showFiles } from "../Focus.ts"
import type { Plan, PlanReply } from "../Plan.ts"
import { type PlanContext, say } from "../PlanContext.ts"
import { bytes, duration, fileLink, quoted } from "../Speech.ts"
import type { Intent } from "./Intent.ts"
import { facts, filesListed } from "./Listing.ts"

/** What a file is like, for "how long is it", "what key is it in". */
function* describe(it: PlanContext, query: FileQuery): Plan<PlanReply> {
  const files = yield* chooseFiles(it, query)
  mentionFiles(it.focus, files)
  if (files.length > 1) showFiles(it.focus, files, filesListed)
  const total = files.reduce((sum, { media }) => sum + (media?.duration ?? 0), 0)
  const bytesTotal = files.reduce((sum, { fileSize }) => sum + fileSize, 0)
  const lines = files.slice(0, filesListed).map((file) => {
    const { description, isPublic, tags } = file
    return [
      `${file.fileName}: ${facts(it, file)}`,
      isPublic ? say(it, "public", "öffentlich") : say(it, "private", "privat"),
      ...(tags.length > 0 ? [`Tags: ${tags.map(({ text }) => text).join(", ")}`] : []),
      ...(description === null || description === "" ? [] : [quoted(description)])
    ].join("; ")
  })
  const sum = files.length === 1
    ? ""
    : `\n${say(it, "Together", "Zusammen")}: ${bytes(it, bytesTotal)}${total > 0 ? `, ${duration(total)}` : ""}`
  return { text: lines.join("\n") + sum, links: files.slice(0, filesListed).map(fileLink) }
}

export const describeFiles: Intent = {
  name: "describe files",
  forms: [
    "@howlong [@is] <files>",
    "@howmuch [@is|are|do|does] <files> [take|takes|use|uses|big|large|together|in total] [@up] [#storage]",
    "@howmuch #storage (do|does|@is) <files> (take|takes|use|uses|need|needs) [@up]",
    "(how big|how large|wie gross) [@is] <files>",
    "[what|whats|was|wie] [@is] (tempo|bpm|key|size|length|duration|date|resolution|tonart|grosse|lange|tempo|dauer|artist|album|title|runtime|playtime|gesamtlange|gesamtdauer|gesamtgrosse|spieldauer|laufzeit) (of|for|in|von|vom|der|des) <files>",
    "[what|whats|was|wie] [@is] (total|overall|combined|whole|full|gesamte) (size|length|duration|runtime|playtime|lange|dauer|grosse) <files>",
    "[what|whats|was|wie] [@is] (total|overall|combined|whole|full|gesamte) (length|duration|runtime|playtime|lange|dauer) (of|for|in|von|vom|der|des) <files>",
    "[what|whats] [@is] [total|overall|combined] (running|playing) time (of|for|in) <files>",
    "@find (total|overall|combined) (length|duration|size|runtime) (of|for|in) <files>",
    "@howlong [@is] <files> (together|altogether|zusammen|combined)",
    "(how long|wie lange) (does|do|dauert|dauern) <files> (last|take|run|play|insgesamt|zusammen)",
    "(what|which|welche) (key|tempo|tonart|bpm) (is|ist|has|hat) <files> [in]",
    "@find (details|info|information|infos|facts|metadata) (about|of|on|for|zu|von|uber) <files>",
    "(when|wann) (did|was|were|has|have|wurde|habe) [i|ich] <files> (upload|uploaded|add|added|taken|made|hochgeladen|aufgenommen|recorded|shot)",
    "(when|wann) (did|was|were|has|have|wurde|habe) [i|ich] (upload|uploaded|add|added|take) <files>",
    "[what|whats|was] [@is] #description (of|for|von|vom) <files>",
    "(what|which|welche) #tag (does|do|has|hat|haben) <files> [have|carry]",
    "(what|which|welche) #tag (are|is|sind|ist) (on|an|bei) <files>",
    "@is <files> (tagged|getaggt)",
    "@is <files> (public|private|offentlich|privat)"
  ],
  judge: (slots) =>
    saysNothing(slots.get("files")) ||
      /^(?:do|does|did|i|we|you|can|should|must|muss|soll) /i.test(slots.get("files")!.said)
      ? null
      : 0.3,
  plan: (slots, it) => describe(it, slots.get("files")!)
}
