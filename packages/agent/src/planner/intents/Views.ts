/** Who opened files, and what happened on the drive. */
import * as Calendar from "../Calendar.ts"
import { periodAt } from "../Dates.ts"
import { theFolder } from "../drive/Collections.ts"
import { chooseFiles } from "../files/chooseFiles.ts"
import type { FileQuery } from "../files/FileQuery.ts"
import { mentionFiles } from "../Focus.ts"
import { sentenceOf } from "../grammar/Sentence.ts"
import type { Plan, PlanReply } from "../Plan.ts"
import { call, type PlanContext, say } from "../PlanContext.ts"
import { counted, day, enumerate, quoted } from "../Speech.ts"
import { typeOfExtension } from "../words/Extensions.ts"
import type { Family } from "./Intent.ts"

interface FileViews {
  readonly since: string
  readonly files: ReadonlyArray<{
    readonly id: string
    readonly fileName: string
    readonly views: number
    readonly allViews: number
    readonly lastViewTime: string | null
    readonly viewers: ReadonlyArray<
      { readonly handle: string | null; readonly displayName: string | null; readonly views: number }
    >
  }>
}

/** The beginning of a period in words, as a day; null for none. */
export const sinceOf = (
  it: PlanContext,
  text: string | undefined
): { readonly iso: string; readonly day: string } | null => {
  if (text === undefined) return null
  const sentence = sentenceOf(text, it.language, it.moment)
  for (let at = 0; at < sentence.tokens.length; at++) {
    const after = periodAt(sentence, at, sentence.tokens.length)?.period.after
    if (after !== undefined) return { iso: after, day: day(it, after) }
  }
  return null
}

const lineOf = (
  it: PlanContext,
  { allViews, fileName, lastViewTime, viewers, views }: FileViews["files"][number]
): string => {
  const names = viewers.map((viewer) =>
    `${viewer.displayName ?? viewer.handle ?? "?"}${viewer.views > 1 ? ` (${viewer.views})` : ""}`
  )
  const by = names.length === 0 ? "" : say(it, `, by ${enumerate(it, names)}`, `, von ${enumerate(it, names)}`)
  const last = lastViewTime === null
    ? ""
    : say(it, `, last on ${day(it, lastViewTime)}`, `, zuletzt am ${day(it, lastViewTime)}`)
  const times = counted(it, views, ["opening", "openings"], ["Aufruf", "Aufrufe"])
  const all = allViews > views ? say(it, ` (${allViews} in all)`, ` (${allViews} insgesamt)`) : ""
  return `${quoted(fileName)}: ${times}${all}${by}${last}`
}

function* viewsOf(it: PlanContext, query: FileQuery, when: string | undefined): Plan<PlanReply> {
  // "this month" in the question is when they were opened, not a filter of the files.
  const since = (query.dated ?? query.uploaded)?.after ?? sinceOf(it, when)?.iso
  const files = yield* chooseFiles(it, { ...query, dated: null, uploaded: null })
  mentionFiles(it.focus, files)
  const answer = yield* call<FileViews>(it, "select_file_views", {
    fileIds: files.slice(0, 100).map(({ id }) => id),
    limit: 100,
    ...(since === undefined ? {} : { since: day(it, since) })
  })
  const seen = answer.files.filter(({ allViews }) => allViews > 0)
  if (seen.length === 0) {
    return {
      text: say(
        it,
        `Nobody else has opened ${files.length === 1 ? quoted(files[0]!.fileName) : "these files"} yet.`,
        `Noch niemand anderes hat ${files.length === 1 ? quoted(files[0]!.fileName) : "diese Dateien"} geöffnet.`
      )
    }
  }
  return { text: seen.map((file) => lineOf(it, file)).join("\n") }
}

function* mostViewed(
  it: PlanContext,
  when: string | undefined,
  query: FileQuery | undefined,
  folder: string | null
): Plan<PlanReply> {
  const types = query?.types ?? []
  const asked = (query?.dated ?? query?.uploaded)?.after
  const since = asked !== undefined ? { iso: asked, day: day(it, asked) } : sinceOf(it, when)
  const path = folder === null ? null : (yield* theFolder(it, folder)).path
  const answer = yield* call<FileViews>(it, "select_file_views", {
    limit: types.length === 0 ? 10 : 100,
    ...(since === null ? {} : { since: since.day }),
    ...(path === null ? {} : { folder: path })
  })
  const typeOf = (name: string) => typeOfExtension(name.slice(name.lastIndexOf(".") + 1).toLowerCase())
  const seen = answer.files.filter(({ fileName, views }) =>
    views > 0 && (types.length === 0 || types.some((type) => type === typeOf(fileName)))
  ).slice(0, 10)
  if (seen.length === 0) {
    return {
      text: say(
        it,
        `Nothing was opened by others since ${answer.since}.`,
        `Seit ${answer.since} hat niemand anderes etwas geöffnet.`
      )
    }
  }
  return {
    text: say(it, `Most opened since ${answer.since}:`, `Am meisten geöffnet seit ${answer.since}:`) +
      seen.map((file, at) => `\n${at + 1}. ${lineOf(it, file)}`).join("")
  }
}

interface DriveEvents {
  readonly events: ReadonlyArray<Readonly<Record<string, unknown>> & { readonly kind: string; readonly time: string }>
}

const nameIn = (value: unknown): string => {
  const record = (value ?? {}) as Readonly<Record<string, unknown>>
  return String(
    record["fileName"] ?? record["name"] ?? record["title"] ?? record["displayName"] ?? record["handle"] ?? "?"
  )
}

const eventLine = (it: PlanContext, event: DriveEvents["events"][number]): string => {
  const file = quoted(nameIn(event["file"]))
  const when = day(it, event.time)
  const lines: Readonly<Record<string, string>> = {
    drop: say(
      it,
      `${nameIn(event["sender"])} sent files to ${quoted(nameIn(event["request"]))}`,
      `${nameIn(event["sender"])} hat Dateien an ${quoted(nameIn(event["request"]))} geschickt`
    ),
    note: say(
      it,
      `${nameIn(event["reviewer"])} left a note on ${file}: ${String(event["text"])}`,
      `${nameIn(event["reviewer"])} hat eine Notiz zu ${file} hinterlassen: ${String(event["text"])}`
    ),
    view: say(
      it,
      `${event["viewer"] === null ? "Somebody" : nameIn(event["viewer"])} opened ${file}`,
      `${event["viewer"] === null ? "Jemand" : nameIn(event["viewer"])} hat ${file} geöffnet`
    ),
    file: say(it, `${file} was added`, `${file} kam dazu`),
    generation: say(
      it,
      `An image was generated: ${String(event["prompt"] ?? "")}`,
      `Ein Bild wurde erzeugt: ${String(event["prompt"] ?? "")}`
    )
  }
  return `- ${when} ${lines[event.kind] ?? event.kind}`
}

export const Views: Family = {
  name: "views",
  examples: {
    en: [
      "who opened report.pdf?",
      "how often was logo.png viewed?",
      "which files were opened most this month?",
      "what happened on my drive since yesterday?"
    ],
    de: ["wer hat vertrag.pdf geöffnet?", "wie oft wurde logo.png angesehen?", "was ist heute passiert?"]
  },
  intents: [
    {
      name: "views of files",
      forms: [
        "@who (@open|opened|viewed|watched|looked at|has opened|has viewed|has seen|saw|downloaded|visited|read) <files>",
        "@who has (opened|viewed|seen|watched|looked at|downloaded) <files>",
        "(anyone|anybody|somebody|someone|jemand|people) (has|have|hat) [already|schon|ever] @open <files> [yet]",
        "@who ['s|has|is|was] [been] (looking at|opening|viewing|watching|reading|downloading|checking out) <files>",
        "@who (hat|haben) [sich] [schon|alles] <files> (@open|angesehen|angeschaut|heruntergeladen|gelesen)",
        "(wer|wem) hat <files> @open",
        "(how often|how many times|wie oft) (was|were|has|have|did|wurde|wurden|is) [people|anyone] [been] <files> (@open|opened|viewed|watched|seen|downloaded|been opened|been viewed|been watched|been seen|been downloaded|@views)",
        "(how often|how many times|wie oft) (did|have) (people|others) (open|view|watch|opened|viewed) <files>",
        "(how many|wie viele) (#view|people) (does|did|has|have|had|hat|haben|opened|viewed|watched) <files> (have|get|got|had|geoffnet)",
        "(how many|wie viele) (#view|people) (has|have|opened|viewed|watched|saw|haben|has got) <files>",
        "(how many|wie viele) (#view|people|persons|users|times|others|clients|leute|personen|menschen) [have|has|haben|sich] [sich] @open <files>",
        "(how many|wie viele) (#view|people|persons|users|leute|personen|menschen) (haben|hat) [sich] <files> @open",
        "(has|have|did) <people:who> [actually|ever] @open <files>",
        "hat [sich] <people:who> <files> @open",
        "(did|has|have|hat) (anyone|anybody|someone|somebody|jemand|people) (open|opened|view|viewed|watch|watched|look at|looked at|seen|see|downloaded) <files>",
        "hat (jemand|schon jemand|wer) <files> @open",
        "(did|has|have) (anyone|anybody|someone|somebody|people) [already|ever|actually] @open <files> [yet]",
        "(how often|how many times|wie oft) (was|were|has|have|is|wurde|wurden|ist) <files> [been] (opened|viewed|watched|seen|downloaded|played|read|geoffnet|angesehen|angeschaut) [<text:when>]",
        "@find (#view|@views) (of|for|on|von|fur) <files>",
        "(was|wurde|has) <files> [been] (opened|viewed|seen|geoffnet|angesehen)"
      ],
      judge: (slots) =>
        slots.get("files")!.said === "" ||
          slots.get("people", "who")?.some((name) => /^(?:i|we|you|ich|wir|du|my|the)\b/i.test(name))
          ? null
          : 1,
      plan: (slots, it) => viewsOf(it, slots.get("files")!, slots.get("text", "when"))
    },
    {
      name: "most viewed files",
      forms: [
        "(what|which|welche|welches) (files|file|photos|videos|tracks|dateien|datei|bilder|things|of my files) (was|were|are|is|got|have|wurden|wurde|sind|get|gets) [been] [@views] (most|am meisten|the most|am haufigsten|most often) [@views] [<text>]",
        "(what|which|welche) (files|file|photos|videos|tracks|dateien|bilder) (was|were|are|is|wurden|wurde) (most|the most) @views [<text>]",
        "@find [the] [my] (most|meistgesehenen|beliebtesten) [@views] (files|file|photos|videos|tracks|dateien|ones) [<text>]",
        "(what|which) (files|photos|videos|tracks) (did|do|have) (people|others) (open|view|watch|opened|viewed) [most] [<text>]",
        "(what|which) (files|photos|videos|tracks) (were|was|have been) (opened|viewed|watched) [<text>]",
        "@who (opened|viewed|looked at|has opened|has viewed) (my files|something|anything|what|files) [<text>]",
        "@find @views [<text>]",
        "(what|which|welches|welche|welcher) [<files>] (@is|has|have|had|got|get|gets|received|gets opened|hat|haben|bekam) [been] (most|am meisten|am haufigsten|most often|the most|die meisten) (#view|@open|@views) [<text>]",
        "(what|which|welches|welche|welcher) [<files>] (@is|has|have|wird|wurde|werden|wurden) [been] (@open|@views) (most|the most|most often|am meisten|am haufigsten) [<text>]",
        "@find <files> with (most|the most) #view [<text>]",
        "(what|which files) (are|do|did|have) (people|others|they|visitors) (looking at|looked at|look at|opening|open|view|viewing|watching|watch|seen) [the] most [often] [<text>]",
        "(was|welche dateien) (schauen|sehen|offnen|gucken) (sich die leute|die leute|andere|alle) am (meisten|haufigsten) [an] [<text>]",
        "@find [the] (most|meist) (@open|@views|aufgerufenen|geoffneten|gesehenen) <files> [<text>]",
        "(most|meist) (@open|@views|popular|aufgerufene|geoffnete) <files> [<text>]"
      ],
      judge: () => 1.5,
      plan: (slots, it) =>
        mostViewed(
          it,
          slots.get("text"),
          slots.get("files"),
          /\bin (?:the folder )?(\/\S+)/.exec(slots.get("text") ?? "")?.[1] ?? null
        )
    },
    {
      name: "what happened",
      forms: [
        "(what|was) [@is|has] (new|changed|happened|been happening|going on|neu|passiert) [(on|in|at|with|auf|im) [my|the|meinem] drive] [<text>]",
        "(what|was) (happened|s new|is new|has happened|ist passiert|ist neu|gibt es neues|ist los|passierte|geschah|changed|s been happening|went on|s going on) [(on|in|at|with|auf|im) [my|the|meinem] drive] [<text>]",
        "@find [recent|latest|the latest|todays] (#event|news|what happened|events) [(on|in|auf) [my|the] drive] [<text>]",
        "(was|what) (gibts|gibt es|gibt 's) [denn] neues [<text>]",
        "(gibts|gibt es|gibt 's) [was|etwas|irgendwas] neues [<text>]",
        "(what|was) (did|have) (i|we) (miss|missed) [<text>]",
        "(catch|bring) me up [to date|to speed] [<text>]",
        "(was|what) (war|ist|was) [heute|gestern|hier] los [<text>]",
        "(was|what) ist <text> passiert",
        "(anything|something|any) (new|news|happening) [(on|in) [my|the] drive] [<text>]"
      ],
      judge: () => 1,
      *plan(slots, it) {
        const since = sinceOf(it, slots.get("text"))?.iso ?? Calendar.secondsFromNow(-86_400, it.moment)
        const { events } = yield* call<DriveEvents>(it, "select_drive_events", { since, limit: 50 })
        if (events.length === 0) {
          return {
            text: say(it, `Nothing happened since ${day(it, since)}.`, `Seit ${day(it, since)} ist nichts passiert.`)
          }
        }
        return { text: events.slice(-25).map((event) => eventLine(it, event)).join("\n") }
      }
    }
  ]
}
