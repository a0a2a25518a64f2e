/** The files that something is to be done with: asks back where the words fit several files or none. */
import { choose, confirm } from "../drive/Choosing.ts"
import type { FileRecord } from "../drive/Records.ts"
import { sentenceOf, wholeOf } from "../grammar/Sentence.ts"
import { ask, type Plan, Stopped } from "../Plan.ts"
import { type PlanContext, say } from "../PlanContext.ts"
import { bytes, fileNames, filesCounted, quoted, theFiles } from "../Speech.ts"
import { type FileQuery, isWholeDrive, type Sort } from "./FileQuery.ts"
import { findFiles } from "./findFiles.ts"
import { hasName, matches, textWords } from "./matchFile.ts"
import { parseFiles } from "./parseFiles.ts"
import { mostFiles } from "./searchFiles.ts"
import { sorted } from "./sorted.ts"
import { isIn } from "./WordForms.ts"

/** Where files have exactly the words, those that only begin with them are not meant. */
const closest = (files: ReadonlyArray<FileRecord>, { or, words }: FileQuery): ReadonlyArray<FileRecord> => {
  if (words.length === 0 || or.length > 0) return files
  const named = files.filter((file) => hasName(file, words.join(" ")))
  const exact = files.filter((file) => words.every((word) => isIn(word, textWords(file, true), "form")))
  return words.length > 0 && named.length === 1 ? named : exact.length > 0 ? exact : files
}

const shown = (it: PlanContext, { fileName, fileSize, folder }: FileRecord): string =>
  `${fileName} (${folder?.path ?? "/"}, ${bytes(it, fileSize)})`

/** Whether the words can mean one file only. */
const isSingle = ({ count, names, number, or, position }: FileQuery): boolean =>
  or.length === 0 && ((number === "one" && count === null && names.length < 2) || position !== null)

const comparisons: ReadonlyArray<readonly [words: RegExp, sort: Sort]> = [
  [/^(?:newer|later|recent|neuere[nrs]?|spatere[nrs]?|aktuellere[nrs]?)$/, "newest"],
  [/^(?:older|earlier|altere[nrs]?|fruhere[nrs]?)$/, "oldest"],
  [/^(?:bigger|larger|grossere[nrs]?)$/, "largest"],
  [/^(?:smaller|kleinere[nrs]?)$/, "smallest"],
  [/^(?:longer|langere[nrs]?)$/, "longest"],
  [/^(?:shorter|kurzere[nrs]?)$/, "shortest"]
]

/** The one of several files that an answer means by what it is like: "the newer one", "the one from March", "the public one". */
const pickedBy = (it: PlanContext, files: ReadonlyArray<FileRecord>, text: string): number | null => {
  const sentence = sentenceOf(text, it.language, it.moment)
  if (sentence.tokens.length > 10) return null
  const compared = comparisons.find(([words]) => sentence.tokens.some(({ norm }) => words.test(norm)))?.[1]
  const { query } = parseFiles(wholeOf(sentence))
  const sort = compared ?? query.sort
  if (sort !== null) return files.indexOf(sorted(files, sort)[0]!)
  if (isWholeDrive({ ...query, refer: null, words: [] }) || query.words.length > 0) return null
  const fitting = files.filter((file) => matches(file, { ...query, refer: null }, "form"))
  return fitting.length === 1 ? files.indexOf(fitting[0]!) : null
}

export interface Wanted {
  /** A single file is needed whatever the words say. */
  readonly one?: boolean
  /** Whether the whole drive may be meant without asking. */
  readonly mayBeAll?: boolean
  /** Whether a typing error may be corrected without asking. */
  readonly mayGuess?: boolean
}

const isPlural = (word: string): boolean => /[^s]s$/i.test(word)

function* findOrAsk(it: PlanContext, query: FileQuery, mayGuess: boolean): Plan<ReadonlyArray<FileRecord>> {
  const found = yield* findFiles(it, query)
  if (found.files.length > 0) {
    const files = closest(found.files, query)
    const isOneOfSeveral = files.length > 1 && !query.words.some((word) => isPlural(word)) && query.or.length === 0 &&
      (isSingle(query) || query.number === "unknown")
    if (found.isGuess && isOneOfSeveral && (!mayGuess || found.isLoose === true)) {
      const file = yield* choose(
        it,
        files,
        say(
          it,
          `Nothing fits ${quoted(query.said)} exactly. Which one of these do you mean?`,
          `Nichts passt genau zu ${quoted(query.said)}. Welche davon meinst du?`
        ),
        (file) => shown(it, file),
        (files, text) => pickedBy(it, files, text)
      )
      return [file]
    }
    if (found.isGuess && (!mayGuess || found.isLoose === true)) {
      yield* confirm(
        it,
        say(
          it,
          `Nothing fits ${quoted(query.said)} exactly. Do you mean ${filesCounted(it, files.length)}: ${
            fileNames(it, files)
          }?`,
          `Nichts passt genau zu ${quoted(query.said)}. Meinst du ${filesCounted(it, files.length)}: ${
            fileNames(it, files)
          }?`
        )
      )
    }
    if (found.isExceptionMissing === true && query.except !== null) {
      const left = quoted(query.except.said)
      yield* confirm(
        it,
        say(
          it,
          `I found nothing that fits ${left}, which is to be left out. Shall I go on with ${theFiles(it, files)}?`,
          `Zu ${left}, was ausgenommen sein soll, habe ich nichts gefunden. Soll ich mit ${
            theFiles(it, files)
          } weitermachen?`
        )
      )
    }
    if (found.isCut) {
      yield* confirm(
        it,
        say(
          it,
          `These are more than ${mostFiles} files. Shall I take the first ${files.length}?`,
          `Das sind mehr als ${mostFiles} Dateien. Soll ich die ersten ${files.length} nehmen?`
        )
      )
    }
    return files
  }
  const text = query.refer === null
    ? say(
      it,
      `I found nothing that fits ${quoted(query.said)}. Which files do you mean?`,
      `Ich habe nichts gefunden, was zu ${quoted(query.said)} passt. Welche Dateien meinst du?`
    )
    : say(it, "Which files do you mean?", "Welche Dateien meinst du?")
  const answer = yield* ask({ text, choices: [], expects: "text" })
  if (answer._tag !== "Text" || answer.text.trim() === "") {
    throw new Stopped({ text: say(it, "All right, I did nothing.", "In Ordnung, ich habe nichts getan.") })
  }
  const again = parseFiles(wholeOf(sentenceOf(answer.text, it.language, it.moment))).query
  const { files } = yield* findFiles(it, again)
  if (files.length > 0) return closest(files, again)
  // "Which letter?" – "the one from Ms Weber": the answer says more of what was asked for.
  const more = yield* findFiles(it, {
    ...again,
    words: [...query.words, ...again.words.filter((word) => !/^(?:frau|herrn?|mr|mrs|ms)$/i.test(word))]
  })
  if (query.refer === null && more.files.length === 1) return more.files
  throw new Stopped({
    text: say(
      it,
      `I found nothing that fits ${quoted(answer.text)} either, so I did nothing.`,
      `Auch zu ${quoted(answer.text)} habe ich nichts gefunden, also habe ich nichts getan.`
    )
  })
}

/** "The two photos" are two: others are asked about. */
function* confirmCount(it: PlanContext, { said }: FileQuery, files: ReadonlyArray<FileRecord>): Plan<void> {
  const found = `${filesCounted(it, files.length)}: ${fileNames(it, files)}`
  yield* confirm(
    it,
    say(
      it,
      `For ${quoted(said)} I found ${found}. Shall I go on with ${files.length === 1 ? "it" : "all of them"}?`,
      `Zu ${quoted(said)} habe ich gefunden: ${found}. Soll ich ${
        files.length === 1 ? "damit" : "mit allen"
      } weitermachen?`
    )
  )
}

/** At least one file; one exactly where the words mean one. */
export function* chooseFiles(
  it: PlanContext,
  query: FileQuery,
  { mayBeAll = true, mayGuess = true, one = false }: Wanted = {}
): Plan<ReadonlyArray<FileRecord>> {
  const files = yield* findOrAsk(it, query, mayGuess)
  if (query.exactly !== null && files.length !== query.exactly) yield* confirmCount(it, query, files)
  const isList = query.refer === "it" &&
    (it.focus.latest === "playlist" || it.focus.latest === "gallery" || it.focus.latest === "folder")
  if (files.length > 1 && ((isSingle(query) && !isList) || one || isUnclear(query, files))) {
    const file = yield* choose(
      it,
      files,
      say(
        it,
        `${files.length} files fit ${quoted(query.said)}. Which one do you mean?`,
        `${files.length} Dateien passen zu ${quoted(query.said)}. Welche meinst du?`
      ),
      (file) => shown(it, file),
      (files, text) => pickedBy(it, files, text)
    )
    return [file]
  }
  if (!mayBeAll && isWholeDrive(query)) {
    yield* confirm(
      it,
      say(
        it,
        `This is everything on the drive (${filesCounted(it, files.length)}). Are you sure?`,
        `Das sind alle Dateien des Drives (${files.length}). Bist du sicher?`
      )
    )
  }
  return files
}

/** "the budget" may be one file or several: only words that are a plural mean all. */
const isUnclear = ({ count, number, or, said, words }: FileQuery, files: ReadonlyArray<FileRecord>): boolean =>
  number === "unknown" && count === null && or.length === 0 && words.length > 0 && files.length > 1 &&
  !/(?:[^s]s|en|er|e)$/i.test(words.at(-1)!) && !/^(?:all|every|alle)\b/i.test(said)
