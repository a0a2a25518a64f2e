/** Public and private files and lists, and links to files. */
import { collections, listsCalled, theFolder, theList } from "../drive/Collections.ts"
import type { FileRecord, ListItem } from "../drive/Records.ts"
import { chooseFiles } from "../files/chooseFiles.ts"
import { anyFile, type FileQuery } from "../files/FileQuery.ts"
import { findFiles } from "../files/findFiles.ts"
import { mention, mentionFiles } from "../Focus.ts"
import { type Plan, type PlanReply, ToolFailed } from "../Plan.ts"
import { call, callEach, type PlanContext, say } from "../PlanContext.ts"
import { fileLink, quoted, theFiles } from "../Speech.ts"
import { archiveDone } from "./Archives.ts"
import type { Family, Intent } from "./Intent.ts"
import { pageForms, pageOf, zipIsNoFile } from "./PageLinks.ts"
import { publicThings } from "./PublicThings.ts"
import { type ThingNoun, withNoun } from "./Thing.ts"

/** Links that an answer shows. */
const linksShown = 20

/** Makes files public or private; those that are so already stay as they are. */
function* setPublic(it: PlanContext, files: ReadonlyArray<FileRecord>, isPublic: boolean): Plan<PlanReply> {
  const changing = files.filter((file) => file.isPublic !== isPublic)
  const made = yield* callEach(it, "toggle_file_access", changing.map(({ id }) => ({ id })))
  const changed = made.flatMap(({ failure, result }) => failure === undefined ? [result as FileRecord] : [])
  const failure = made.find((one) => one.failure !== undefined)?.failure
  if (failure !== undefined && changed.length === 0) throw new ToolFailed("toggle_file_access", failure)
  const now = files.map((file) => changed.find(({ id }) => id === file.id) ?? file).filter((file) =>
    file.isPublic === isPublic
  )
  mentionFiles(it.focus, now)
  const links = isPublic
    ? now.slice(0, linksShown).map(({ downloadUrl, fileName }) => `\n${fileName}: ${downloadUrl ?? ""}`).join("")
    : ""
  const not = failure === undefined
    ? ""
    : say(
      it,
      ` ${files.length - now.length} could not be changed: ${failure.error}`,
      ` Bei ${files.length - now.length} ging es nicht: ${failure.error}`
    )
  const done = isPublic
    ? say(
      it,
      `${theFiles(it, now)} ${now.length === 1 ? "is" : "are"} now public.`,
      `${theFiles(it, now)} ${now.length === 1 ? "ist" : "sind"} jetzt öffentlich.`
    )
    : say(
      it,
      `${theFiles(it, now)} ${now.length === 1 ? "is" : "are"} now private.`,
      `${theFiles(it, now)} ${now.length === 1 ? "ist" : "sind"} jetzt privat.`
    )
  return { text: `${done}${not}${links}`, links: now.slice(0, linksShown).map(fileLink) }
}

function* setListPublic(
  it: PlanContext,
  kind: "playlist" | "gallery",
  said: string | null,
  isPublic: boolean
): Plan<PlanReply> {
  const { id } = yield* theList(it, kind, said)
  const list = yield* call<ListItem>(it, `set_${kind}_public`, { [`${kind}Id`]: id, isPublic })
  mention(it.focus, kind, list)
  return {
    text: isPublic
      ? say(
        it,
        `The ${kind} ${quoted(list.title)} is now public. The files in it stay as they are.`,
        `${quoted(list.title)} ist jetzt öffentlich. Die Dateien darin bleiben, wie sie sind.`
      )
      : say(it, `The ${kind} ${quoted(list.title)} is now private.`, `${quoted(list.title)} ist jetzt privat.`),
    links: [{ kind, id: list.id, name: list.title, url: null }]
  }
}

function* publish(it: PlanContext, query: FileQuery, isPublic: boolean): Plan<PlanReply> {
  const { focus } = it
  if (query.refer !== null && focus.latest === "archive") return yield* zipIsNoFile(it, focus.archive!.id)
  if (query.refer !== null && (focus.latest === "playlist" || focus.latest === "gallery")) {
    return yield* setListPublic(it, focus.latest, null, isPublic)
  }
  // "make Summer public", where a list is called so and no file.
  const name = query.words.length > 0 && query.types.length + query.names.length + query.tags.length === 0
    ? query.words.join(" ")
    : null
  if (name !== null && (yield* findFiles(it, { ...query, isPublic: null })).files.length === 0) {
    const known = yield* collections(it)
    for (const kind of ["gallery", "playlist"] as const) {
      const [list, ...others] = listsCalled(known, kind, name)
      if (list !== undefined && others.length === 0) return yield* setListPublic(it, kind, list.title, isPublic)
    }
  }
  return yield* setPublic(
    it,
    yield* chooseFiles(it, query.isPublic === null ? query : { ...query, isPublic: null }, {
      mayBeAll: !isPublic,
      mayGuess: !isPublic
    }),
    isPublic
  )
}

function* link(it: PlanContext, query: FileQuery): Plan<PlanReply> {
  if (query.refer !== null && it.focus.latest === "archive") return yield* archiveDone(it, it.focus.archive!.id)
  const page = query.refer === null ? null : yield* pageOf(it)
  if (page !== null) return page
  const files = (yield* chooseFiles(it, query)).slice(0, linksShown)
  const made = yield* callEach(it, "generate_download_url", files.map(({ id }) => ({ id })))
  mentionFiles(it.focus, files)
  const records = made.flatMap(({ failure, result }) => failure === undefined ? [result as FileRecord] : [])
  const failed = made.find(({ failure }) => failure !== undefined)
  if (failed?.failure !== undefined && records.length === 0) {
    throw new ToolFailed("generate_download_url", failed.failure)
  }
  const lines = records.map(({ downloadUrl, fileName, isPublic }) =>
    `${fileName}: ${downloadUrl ?? ""} (${
      isPublic
        ? say(it, "as long as it is public", "solange sie öffentlich ist")
        : say(it, "for six hours", "sechs Stunden gültig")
    })`
  )
  return {
    text: lines.join("\n"),
    links: records.map((record) => ({ kind: "file", id: record.id, name: record.fileName, url: record.downloadUrl }))
  }
}

const makeForms = (state: "public" | "private"): ReadonlyArray<string> => [
  `(make|set|turn|switch|mach|mache|stell|stelle|setz|setze|change|mark|put) #thing [@called] <name> (to|as|auf|als|back to|wieder) @${state}`,
  `(make|set|turn|switch|mach|mache|stell|stelle|setz|setze|change|mark|put) #thing [@called] <name> @${state}`,
  `(make|set|turn|switch|mach|mache|stell|stelle|setz|setze|change|mark|put) <name> #thing @${state}`,
  `(make|set|turn|switch|mach|mache|stell|stelle|setz|setze|change|mark|put) #thing @${state}`,
  `@${state === "public" ? "publish" : "unpublish"} #thing [@called] <name>`,
  `@${state === "public" ? "publish" : "unpublish"} <name> #thing`,
  `#thing <name> @${state} (machen|stellen|setzen)`,
  `(make|set|turn|switch|mach|mache|stell|stelle|setz|setze|change|mark|put) #thing [@called] <name> [back|wieder] @${state} (again|please|stellen|wieder)`,
  `#thing [@called] <name> @should [now|again|wieder] [be|become|go] @${state} [again|wieder|sein|werden]`,
  `<name> #thing @should [be|become|go] @${state} [again]`,
  `@${state === "public" ? "publish" : "unpublish"} #thing [@called] <name> (again|wieder)`,
  ...(state === "private"
    ? [
      "#thing [@called] <name> @should (not|no longer|nicht|nicht mehr) [be] @public [anymore|any more|sein]",
      "(make|mach|mache|stell|zeig|zeige) #thing [@called] <name> (not|nicht|nicht mehr|no longer) @public [anymore|any more]",
      "(take|nimm|hol) #thing [@called] <name> (offline|off the internet|off the web|aus dem netz|vom netz|down)",
      "#thing [@called] <name> (nicht mehr|nicht) @public [zeigen|machen|haben|anzeigen]",
      "(nobody|no one|niemand|keiner) (@should|should|soll|darf) [be able to] (see|view|open) #thing [@called] <name> [anymore]"
    ]
    : [
      "@people @should [be able to|be allowed to] (see|view|open|look at|visit) #thing [@called] <name>",
      "(let|lass) @people (see|view|open|look at) #thing [@called] <name>",
      "@people (soll|sollen|darf|durfen) #thing [@called] <name> (sehen|ansehen|anschauen|offnen) [konnen|durfen]"
    ])
]

const lists: ReadonlyArray<Intent> = (["playlist", "gallery"] as const).flatMap((kind) =>
  (["public", "private"] as const).map((state) => ({
    name: `make a ${kind} ${state}`,
    forms: withNoun(kind as ThingNoun, makeForms(state)),
    judge: () => 1.2,
    plan: (slots, it) => setListPublic(it, kind, slots.get("name") ?? null, state === "public")
  } satisfies Intent))
)

export const Links: Family = {
  name: "links",
  examples: {
    en: [
      "make logo.png public",
      "publish all photos tagged press",
      "make report.pdf private again",
      "give me a link to report.pdf",
      "make the gallery Wedding public",
      "share logo.png with everyone"
    ],
    de: [
      "mach logo.png öffentlich",
      "veröffentliche alle Fotos mit dem Tag Presse",
      "gib mir einen Link zu vertrag.pdf",
      "stelle logo.png wieder auf privat"
    ]
  },
  intents: [
    ...lists,
    ...(["public", "private"] as const).map((state): Intent => ({
      name: `make files ${state}`,
      forms: [
        `(make|set|turn|switch|mach|mache|stell|stelle|setz|setze|put|change|mark|schalte) <files> [to|as|auf|als|back to|back|wieder|wieder auf] @${state} [again|wieder]`,
        `@${state === "public" ? "publish" : "unpublish"} <files>`,
        `<files> @${state} (machen|stellen|schalten|setzen)`,
        `<files> (veroffentlichen|verbergen)`,
        `<files> (should|soll|sollen) [be|wieder] @${state} [werden|sein]`,
        ...(state === "public"
          ? [
            "<files> @should [be|become] @public [now|again]",
            "(machen|stellen) <files> @public",
            "@share <files> (publicly|with|to|mit|fur) @people",
            "@share <files> (publicly|offentlich)",
            "(let|lass) @people (see|view|download|sehen) <files>",
            "(let|lass) @people <files> (sehen|herunterladen)",
            "(give|create|make|get|need|share|generate|send) [me] @public #link (to|for|of) <files>",
            "@share <files> (by|via|per|with) [a] [@public] #link",
            "@people @should [be able to|be allowed to] (see|view|download|open|access|get|read|watch|hear|look at) <files>",
            "@people (soll|sollen|darf|durfen) <files> (sehen|herunterladen|offnen|ansehen|anschauen|runterladen|lesen|laden) [konnen|durfen]",
            "<files> @should @people (sehen|herunterladen|offnen|ansehen|anschauen|runterladen|lesen|laden) [konnen|durfen]",
            "<files> @should be (visible|accessible|available|open|viewable|downloadable) (to|for|by) @people",
            "(make|mach|mache) <files> (visible|accessible|available|downloadable|viewable) (to|for|by) @people",
            "(mach|mache|stell|stelle) <files> (fur|allen) @people (sichtbar|zuganglich|verfugbar|auf)",
            "(put|stell|stelle|setz|setze|lad) <files> (online|ins netz|ins internet|on the web|on the internet|on the net)",
            "(schalt|schalte|gib|gebt) <files> (fur alle|offentlich|fur jeden) frei",
            "<files> @should (online|ins netz|ins internet|go online|go public|go live)"
          ]
          : [
            "(stop|no longer) publishing <files>",
            "(take|nimm) <files> offline",
            "make <files> not @public [anymore|any more]",
            "mach <files> nicht mehr offentlich",
            "<files> @should (not|no longer|never|nicht|nicht mehr|nicht langer) [longer] [be] @public [anymore|any more|sein|bleiben]",
            "<files> (shouldnt|mustnt|cant|cannot|neednt|isnt to) be @public [anymore|any more]",
            "(take|get|pull|remove|nimm|hol) <files> (off|from|aus|von|vom) (the internet|the web|the net|public view|dem netz|dem internet|der offentlichkeit|netz) [raus|weg|wieder]",
            "(take|nimm|nehmt) <files> (down|vom netz|aus dem netz|offline) [again|wieder]",
            "(nobody|no one|noone|niemand|keiner) (outside|draussen|else|sonst) @should [be able to] (see|view|open|sehen) <files> [anymore|any more]",
            "(make|mach|mache|stell|stelle) <files> (nicht|not|no longer|nicht mehr|nicht langer) @public",
            "(stop|quit) (showing|publishing|exposing) <files> [to @people|publicly|@public]",
            "(lock|close) <files> down",
            "<files> @should (stay|remain|bleiben|become) @private [bleiben]"
          ])
      ],
      judge: (slots) =>
        slots.get("files")!.said === "" || slots.get("files")!.list !== null ||
          (state === "private"
            ? slots.get("files")!.isPublic === null && /veroffentlichen/.test(slots.get("files")!.said)
            : false)
          ? null
          : 0.4,
      plan: (slots, it) => publish(it, slots.get("files")!, state === "public")
    })),
    {
      name: "make files public with a link",
      forms: [
        "[@give|@create] [@me] @public [download|web|lasting|permanent] #link (to|for|of|on|zu|fur|auf|von) <files>",
        "#link (to|for|of) <files> (that|which) (is|stays|remains) @public",
        "#link (to|for|of|zu|fur) <files> (for|fur) @people",
        "#link (to|for|of) <files> (that|which) (does not|doesnt|never) (expire|expires|end|run out)"
      ],
      judge: () => 4,
      plan: (slots, it) => publish(it, slots.get("files")!, true)
    },
    publicThings,
    {
      name: "make a folder's files public",
      forms: [
        "(make|set|mach|stell) [everything in] #folder <folder> @public",
        "(make|set|mach|stell) [everything in] <folder> #folder @public",
        "@publish #folder <folder>",
        "@publish <folder> #folder"
      ],
      judge: () => 0.8,
      *plan(slots, it) {
        const { path } = yield* theFolder(it, slots.get("folder")!.said)
        return yield* setPublic(
          it,
          yield* chooseFiles(it, { ...anyFile, folder: path, number: "many", said: path }),
          true
        )
      }
    },
    {
      name: "link to files",
      forms: [
        "@give [@me] [a|the] [download|direct|share|sharing] #link (to|for|of|zu|fur|von) <files>",
        "#link (to|for|of|zu|fur|von) <files>",
        "#link (to|for) (download|downloading|get|fetch|open|opening|see|view|watch|hear|pass on) <files>",
        "@give [@me] [a|the] #link (to|for) (download|downloading|get|fetch|open|opening|see|view|watch|hear) <files>",
        "#link zum (herunterladen|runterladen|download|offnen|ansehen) (von|fur|der) <files>",
        "@give #link zum (herunterladen|runterladen|download|offnen|ansehen) (von|fur|der) <files>",
        "#link mit dem (man|ich|jemand|andere) <files> (herunterladen|offnen|ansehen|laden) (kann|konnen)",
        "#link (with which|where|so that|that|so) (people|others|they|someone|somebody|anyone|my client|clients|i|we) (can|could|may) (download|get|open|see|view) <files>",
        "@find #link (to|for|of|zu|fur|von) <files>",
        "@give @me <files> as #link",
        ...pageForms,
        "(i want to|let me|can i|how do i|how can i) download <files>",
        "download <files>",
        "<files> herunterladen",
        "(what|was) @is [the|der] #link (to|for|of|zu|fur|von) <files>",
        "(how|wie|where|wo) (do|can|could|would|kann|bekomme|finde) (i|we|ich|wir) [@give] [@me] [a|the] [download|direct|private|signed|temporary|privaten] #link (to|for|of|zu|fur|von) <files>",
        "[@give|@create] [@me] [download|direct|sharing|temporary|working|private|signed|privaten] #link (to|for|of|on|zu|fur|von|auf) <files>",
        "@give [@me] <files> 's #link",
        "[@give|@create] [@me] [einen|den] #link (zum|zur|zu den|zu dem|zu der|vom|von der) <files>",
        "[@give|@create] [@me] [download|direct|private|signed|temporary|privaten] #link (to|for|of|zu|fur|von|zum|zur) <files> (that|which|so|so that|damit|den|die) (i|we|ich|wir) (can|could|may|need to|want to|kann|konnen|will|muss|may) <text:why>",
        "[@give|@create] [@me] [download|direct|private|signed|temporary|privaten] #link (to|for|of|zu|fur|von|zum|zur) <files> (to send|to forward|to pass|to mail|to put|to give|to hand|to include|zum verschicken|zum weiterleiten|zum weitergeben) [<text:why>]",
        "[@give|@create] [@me] [download|direct|private|signed|temporary|privaten] #link (i|we) (can|could|may) (send|forward|pass|give|mail) <text:why> (to|for) <files>",
        "(how|wie) (can|could|kann) (i|one|people|someone|ich|man) (send|download|get|pass on|schicken|herunterladen) <files> [to|an] [someone|somebody|people|jemanden]"
      ],
      judge: (slots) =>
        slots.get("files")?.said === "" ||
          /\b(?:upload|hand in|turn in|hochladen|abgeben)\b/i.test(slots.get("text", "why") ?? "")
          ? null
          : slots.get("text", "why") === undefined
          ? 0.3
          : 1.3,
      plan: (slots, it) => link(it, slots.get("files") ?? { ...anyFile, refer: "them", number: "many" })
    }
  ]
}
