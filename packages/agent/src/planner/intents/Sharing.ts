/** Sharing files with people of this drive. */
import { type Done, onFiles, unlessAll } from "../drive/Actions.ts"
import { askText } from "../drive/Choosing.ts"
import type { FileRecord } from "../drive/Records.ts"
import { chooseFiles } from "../files/chooseFiles.ts"
import { type FileQuery, isBareType } from "../files/FileQuery.ts"
import { mentionFiles } from "../Focus.ts"
import { plainName } from "../grammar/Spelling.ts"
import { type Plan, type PlanReply, Stopped, ToolFailed } from "../Plan.ts"
import { call, type PlanContext, say } from "../PlanContext.ts"
import { enumerate, quoted, theFiles } from "../Speech.ts"
import type { Family } from "./Intent.ts"

export interface Sharer {
  readonly userId: string
  readonly handle: string | null
  readonly displayName: string | null
}

interface Shares {
  readonly files: ReadonlyArray<{ readonly id: string; readonly users: ReadonlyArray<Sharer> }>
}

export const nameOf = ({ displayName, handle }: Sharer): string => handle ?? displayName ?? "?"

export function* share(it: PlanContext, query: FileQuery, people: ReadonlyArray<string>): Plan<PlanReply> {
  const before = it.focus.latest
  if (
    before === "archive" && query.refer !== null ||
    before === "archive" && isBareType(query) && query.types.includes("Archive")
  ) {
    throw new Stopped({
      text: say(
        it,
        "A ZIP archive can't be shared with people of the drive; send them its link, or share the files themselves.",
        "Ein ZIP-Archiv lässt sich nicht mit anderen teilen; schick ihnen den Link, oder teile die Dateien selbst."
      )
    })
  }
  const files = yield* chooseFiles(it, query, { mayBeAll: false, mayGuess: false })
  const handles = meant(it, people).map((name) => name.toLowerCase().replace(/^@/, ""))
  const done = yield* withPeople(it, files, handles)
  it.focus.people = handles
  if (before === "files" || before === null || query.refer === null) mentionFiles(it.focus, done.files)
  return unlessAll(it, done, {
    text: say(
      it,
      `Shared ${theFiles(it, done.files)} with ${enumerate(it, people)}.`,
      `${theFiles(it, done.files)} mit ${enumerate(it, people)} geteilt.`
    )
  })
}

function* withPeople(
  it: PlanContext,
  files: ReadonlyArray<FileRecord>,
  handles: ReadonlyArray<string>
): Plan<Done<{ readonly shared: ReadonlyArray<string> }>> {
  try {
    return yield* onFiles(it, "share_files", files, (fileIds) => ({ fileIds, handles }))
  } catch (fault) {
    if (!(fault instanceof ToolFailed) || !/handle/i.test(fault.failure.error)) throw fault
    const at = Number(/handles\[(\d+)\]/.exec(fault.failure.error)?.[1] ?? 0)
    const name = quoted(handles[at] ?? handles.join(", "))
    throw new Stopped({
      text: say(
        it,
        `I know nobody with the handle ${name} on this drive, so I shared nothing. Whom do you mean?`,
        `Ich kenne hier niemanden mit dem Handle ${name} und habe nichts geteilt. Wen meinst du?`
      )
    })
  }
}

/** Words for people that were named before. */
const someoneSaid = /^(?:him|her|them|he|she|they|ihm|ihr|ihnen|ihn)$/i

/** "him" is who was shared with last, or whom a remark begins with: "Carol needs the contracts. Share them with her." */
const meant = (it: PlanContext, people: ReadonlyArray<string>): ReadonlyArray<string> =>
  people.flatMap((name) => {
    if (!someoneSaid.test(name)) return [name]
    const told = it.focus.remarks.map((text) => /^@?([\p{L}\p{N}_.-]+)/u.exec(text)?.[1] ?? "").filter((word) =>
      word !== "" &&
      !/^(?:i|we|the|my|it|they|he|she|our|time|ich|wir|die|der|das|mein|meine|unser|unsere)$/i.test(word)
    )
    if (told.length > 0) return [told.at(-1)!]
    if (it.focus.people.length > 0) return it.focus.people
    throw new Stopped({ text: say(it, "With whom?", "Mit wem?") })
  })

/** Who the files are shared with. */
export function* sharesOf(it: PlanContext, ids: ReadonlyArray<string>): Plan<Shares["files"]> {
  const found: Array<Shares["files"][number]> = []
  for (let at = 0; at < ids.length; at += 100) {
    found.push(...(yield* call<Shares>(it, "select_shares", { fileIds: ids.slice(at, at + 100) })).files)
  }
  return found
}

function* unshare(it: PlanContext, query: FileQuery, people: ReadonlyArray<string> | null): Plan<PlanReply> {
  return yield* unshareFiles(it, yield* chooseFiles(it, query), people === null ? null : meant(it, people))
}

/** Ends the sharing of files with somebody; null when they are not shared with anybody of that name. */
export function* unshareNamed(it: PlanContext, files: ReadonlyArray<FileRecord>, name: string): Plan<PlanReply | null> {
  const shares = yield* sharesOf(it, files.map(({ id }) => id))
  const wanted = plainName(name)
  const isShared = shares.some(({ users }) =>
    users.some(({ displayName, handle }) =>
      plainName(handle ?? "") === wanted || plainName(displayName ?? "").split(" ").includes(wanted)
    )
  )
  return isShared ? yield* unshareFiles(it, files, [name]) : null
}

export function* unshareFiles(
  it: PlanContext,
  files: ReadonlyArray<FileRecord>,
  people: ReadonlyArray<string> | null
): Plan<PlanReply> {
  const shares = yield* sharesOf(it, files.map(({ id }) => id))
  const everyone = shares.flatMap(({ users }) => users)
  const only = new Set(everyone.map(({ userId }) => userId)).size === 1
  const isOnlyOne = only && people?.every((name) => someoneSaid.test(name)) === true &&
    it.focus.people.length + it.focus.remarks.length === 0
  const wanted = people === null || isOnlyOne ? null : meant(it, people).map(plainName)
  const isMeant = (user: Sharer): boolean =>
    wanted === null ||
    wanted.some((name) =>
      name === plainName(user.handle ?? "") || plainName(user.displayName ?? "").split(" ").includes(name) ||
      name === plainName(user.displayName ?? "")
    )
  const users = new Map(
    shares.flatMap((file) => file.users.filter(isMeant).map((user) => [user.userId, user] as const))
  )
  if (users.size === 0) {
    throw new Stopped({
      text: people === null
        ? say(it, `${theFiles(it, files)} is shared with nobody.`, `${theFiles(it, files)} ist mit niemandem geteilt.`)
        : say(
          it,
          `${theFiles(it, files)} is not shared with ${enumerate(it, people)}.`,
          `${theFiles(it, files)} ist nicht mit ${enumerate(it, people)} geteilt.`
        )
    })
  }
  const shared = new Set(shares.filter((file) => file.users.some(isMeant)).map(({ id }) => id))
  const ended = files.filter(({ id }) => shared.has(id))
  const done = yield* onFiles(it, "unshare_files", ended, (fileIds) => ({ fileIds, userIds: [...users.keys()] }))
  mentionFiles(it.focus, done.files)
  const names = enumerate(it, [...users.values()].map(nameOf))
  return unlessAll(it, done, {
    text: say(
      it,
      `${theFiles(it, done.files)} is no longer shared with ${names}.`,
      `${theFiles(it, done.files)} ist nicht mehr mit ${names} geteilt.`
    )
  })
}

export const Sharing: Family = {
  name: "sharing",
  examples: {
    en: [
      "share report.pdf with bob",
      "give bob and grace access to the photos of Lisbon",
      "send bob contract.pdf",
      "stop sharing report.pdf with bob"
    ],
    de: [
      "teile vertrag.pdf mit bob",
      "gib bob Zugriff auf die Fotos von gestern",
      "kannst du die Songs mit bob teilen"
    ]
  },
  intents: [
    {
      name: "share files",
      forms: [
        "<people> @should [also|be able to|be allowed to] (see|have|get|view|open|access|read|watch|download|receive|have #access to|get #access to) <files> [too|also|as well]",
        "<people> (needs|need|wants|want|should get|should have|gets|get) #access to <files> [too]",
        "<people> (is|are) (allowed|permitted) to (see|open|view|have|access|read) <files>",
        "<people> @should [auch] <files> (sehen|haben|bekommen|offnen|lesen|ansehen|anschauen|kriegen) [konnen|durfen]",
        "<people> @should [auch] #access (auf|zu) <files> (haben|bekommen|kriegen|erhalten)",
        "<people> (braucht|brauchen|bekommt|bekommen|kriegt) [auch] #access (auf|zu) <files>",
        "@share <files> (over to|across to|along to|on to|weiter an|auch mit|auch an) <people>",
        "(give|grant|gib|gebt) <people> [a|einen] (look at|view of|copy of|einblick in) <files>",
        "(lass|lasst) <people> <files> (sehen|ansehen|offnen|lesen|haben)",
        "(make|mach|mache) <files> (available|visible|accessible|zuganglich|sichtbar) (to|for|fur) <people>",
        "(stell|stelle) <files> <people> (bereit|zur verfugung)",
        "(schalt|schalte|gib|gebt) <files> (fur|an) <people> frei",
        "(let|have) <people> (look at|take a look at|have a look at|read|watch|download|check) <files>",
        "@share <files> (with|to|mit|an|fur) <people>",
        "(give|grant|gib|gebe) <people> #access (to|for|auf|zu) <files>",
        "(give|grant|gib) #access (to|auf|zu) <files> (to|an) <people>",
        "(send|show|give|schick|zeig|zeige|gib) <people> <files>",
        "let <people> (see|have|view|download|access|listen to|watch|read) <files>",
        "<files> (mit|fur|an) <people> (teilen|freigeben|schicken|senden)",
        "(gib|gebe|schalte) <files> fur <people> (frei|freigeben)",
        "make <files> (visible|available|accessible) (to|for) <people>",
        "<people> (should|soll|sollte|sollen|must|needs to) [be able to|have] (see|access|get|have|download|bekommen|sehen|haben) [access to] <files>"
      ],
      judge: (slots) => {
        const query = slots.get("files")!
        // "gib Bob keinen Zugriff mehr" shares nothing.
        return query.said === "" ||
            /\b(?:no|not|never|don'?t|kein\w*|nicht|nie)\b/i.test(`${slots.get("people")!.join(" ")} ${query.said}`) ||
            slots.get("people")!.some((name) => /^(?:nobody|no one|noone|niemand\w*)$/i.test(name)) ||
            slots.get("people")!.some((name) => /^(?:a|an|the|all|me|public|link|everyone|some|mir|uns)\b/i.test(name))
          ? null
          : 0.1
      },
      plan: (slots, it) => share(it, slots.get("files")!, slots.get("people")!)
    },
    {
      name: "share with whom",
      // Only words that mean nothing but sharing: "give report.pdf" is no request.
      forms: [
        "(share|sharing|teil|teile|teilt|teilen) <files>",
        "<files> (teilen|freigeben)",
        "(gib|gebt|schalt) <files> frei"
      ],
      judge: (slots) => {
        const query = slots.get("files")!
        return query.said === "" || /\b(?:with|mit|by|via|per|publicly|link|to|an|für)\b/i.test(query.said)
          ? null
          : -0.4
      },
      *plan(slots, it) {
        const query = slots.get("files")!
        const files = yield* chooseFiles(it, query, { mayBeAll: false, mayGuess: false })
        mentionFiles(it.focus, files)
        const said = yield* askText(it, say(it, "With whom should I share that?", "Mit wem soll ich das teilen?"))
        const people = said.replaceAll(/^\s*(?:with|to|mit|an)\s+|[.!?]+\s*$/giu, "").split(
          /\s*,\s*|\s+(?:and|und|&)\s+/u
        )
          .map((name) => name.replace(/^(?:with|mit)\s+/iu, "").trim()).filter((name) => name !== "")
        return yield* share(it, { ...query, refer: "them" }, people)
      }
    },
    {
      name: "share with the same people",
      forms: ["@share <files> (with|mit) (him|her|them|the same people|ihm|ihr|ihnen) [too|auch]"],
      judge: () => 1.5,
      *plan(slots, it) {
        return yield* share(it, slots.get("files")!, ["them"])
      }
    },
    {
      name: "unshare files",
      forms: [
        "(stop|quit|end) sharing <files> (with|to) <people>",
        "(stop|quit|end|please stop) @share <files> (with|to) <people>",
        "(stop|quit) sharing <files>",
        "(stop|quit) sharing <files> with (everyone|everybody|anyone|anybody|@all|people)",
        "unshare <files> [(with|from) <people>]",
        "(revoke|remove|end|withdraw|cancel|take away) <people> #access (to|from|for|on) <files>",
        "(revoke|remove|end|withdraw|take away) #access (to|for|from) <files> (from|for|of) <people>",
        "(revoke|remove|end|withdraw) #access (of|for|from) <people> (to|on|from) <files>",
        "(revoke|remove|end|withdraw|take away) #access (to|for) <files>",
        "(don't|dont|do not) share <files> (with) <people> [anymore|any more|any longer]",
        "<people> (should|may|can|soll|darf) (no longer|not|nicht mehr) [be able to|have] (see|access|open|sehen|haben|offnen) [access to] <files> [sehen|haben|offnen]",
        "teile <files> nicht mehr mit <people>",
        "teile <files> nicht mehr",
        "<files> nicht mehr mit <people> teilen",
        "(entzieh|entziehe) <people> #access (auf|zu) <files>",
        "(end|stop|beende) (the|die) (sharing|freigabe) (of|with|von|fur) <files> [(with|mit|fur) <people>]",
        "<people> (shouldnt|should not|must not|mustnt|may not|cant|cannot|can not|should no longer|must no longer|may no longer|can no longer|isnt allowed to|is not allowed to|doesnt need to|does not need to|no longer needs to) [be able to|be allowed to|have|get] (see|access|open|view|have|read|download|edit|watch) [#access to] <files>",
        "<people> (doesnt need|does not need|no longer needs|shouldnt have|should not have|should no longer have|must not have|loses) #access (to|for) <files>",
        "(gib|gebe) <people> keinen #access [mehr] (auf|zu) <files>",
        "<people> (soll|darf|sollen|durfen) <files> (nicht|nicht mehr) (sehen|haben|offnen|lesen) [konnen|durfen]",
        "(nimm|nehme) <people> [den] #access (auf|zu) <files> [weg]",
        "(stop|prevent|keep|block) <people> (from seeing|from opening|from accessing|from viewing|seeing|from) [seeing|opening|accessing|viewing] <files>",
        "(nobody|no one|noone) [else] (should|may|can|must) [be able to] (see|access|open|view|have) <files>",
        "(niemand) (soll|darf|kann) <files> [mehr] (sehen|offnen|haben)",
        "(don't|dont|do not) let <people> (see|access|open|view) <files>",
        "(cut off|kill|drop|block|pull|take) <people> #access (to|for|on) <files>",
        "<people> (doesnt need|does not need|no longer needs|dont need|no longer need|shouldnt have|should no longer have|shouldnt get|isnt supposed to have) <files> [anymore|any more]",
        "<people> (hat|haben) (auf|bei|an) <files> nichts mehr (verloren|zu suchen)",
        "<people> (braucht|brauchen) <files> nicht [mehr]",
        "<people> (braucht|brauchen|soll|sollen|bekommt) keinen #access [mehr] (auf|zu) <files> [mehr] [haben]",
        "<people> (soll|darf|sollen|durfen) keinen #access [mehr] (auf|zu) <files> [mehr] haben",
        "<files> (nicht mehr|nicht langer) (fur|mit|an) <people> (freigeben|teilen|zeigen)",
        "(heb|hebe|beende|nimm|stopp|entfern|entferne|losch|losche) [die|the] (freigabe|share|sharing) (von|fur|of|for) <files> [(fur|an|mit|with|for) <people>] [auf|zuruck|weg]",
        "(schliess|schliesse) <people> (bei|von|aus) <files> [raus|aus|weg|wieder]",
        "<files> @should (no longer|not) be shared [with <people>] [anymore|any more]",
        "<files> @should (nicht|nicht mehr) [langer] (mit|fur) <people> (geteilt sein|geteilt werden|freigegeben sein|sichtbar sein)",
        "(lock|shut|keep) <people> out of <files>"
      ],
      judge: (slots) => slots.get("files")!.said === "" ? null : 0.8,
      plan: (slots, it) => unshare(it, slots.get("files")!, slots.get("people") ?? null)
    }
  ]
}
