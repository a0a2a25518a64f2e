/** Trash, restoring, and deleting for good. */
import { onFiles, perTrashCall, unlessAll } from "../drive/Actions.ts"
import { confirm } from "../drive/Choosing.ts"
import type { FileRecord } from "../drive/Records.ts"
import { chooseFiles } from "../files/chooseFiles.ts"
import { anyFile, type FileQuery, isWholeDrive } from "../files/FileQuery.ts"
import { findFiles } from "../files/findFiles.ts"
import { mentionFiles } from "../Focus.ts"
import { type Plan, type PlanReply, Stopped } from "../Plan.ts"
import { call, type PlanContext, say } from "../PlanContext.ts"
import { bytes, filesCounted, theFiles } from "../Speech.ts"
import type { Family } from "./Intent.ts"
import { removeMentioned, removeNamed } from "./Removing.ts"
import { sinceOf } from "./Views.ts"

const isMissing = (query: FileQuery): boolean => isWholeDrive(query) && query.number === "unknown"

/** Puts files in trash, without asking unless it is the whole drive. */
export function* trash(it: PlanContext, query: FileQuery): Plan<PlanReply> {
  if (query.isTrashed) return yield* deleteForGood(it, query)
  if (query.refer !== null && it.focus.latest === "trash") return yield* emptyTrash(it)
  if (query.refer !== null) {
    const removed = yield* removeMentioned(it, query)
    if (removed !== null) return removed
  }
  const other = yield* removeNamed(it, query)
  if (other !== null) return other
  const files = yield* chooseFiles(it, query, { mayBeAll: false, mayGuess: false })
  const done = yield* onFiles(it, "trash_files", files, (fileIds) => ({ fileIds }), perTrashCall)
  mentionFiles(it.focus, done.files)
  return unlessAll(it, done, {
    text: say(
      it,
      `Put ${theFiles(it, done.files)} in trash. From there they can be restored.`,
      `${theFiles(it, done.files)} in den Papierkorb gelegt. Von dort lässt sich alles wiederherstellen.`
    )
  })
}

/** Always asks: it can't be undone. */
function* deleteForGood(it: PlanContext, query: FileQuery): Plan<PlanReply> {
  if (query.isTrashed && isWholeDrive({ ...query, isTrashed: false })) return yield* emptyTrash(it)
  // What is in trash already is meant where nothing else is.
  const isLive = query.isTrashed || query.refer !== null || (yield* findFiles(it, query)).files.length > 0
  const files = yield* chooseFiles(it, isLive ? query : { ...query, isTrashed: true }, { mayGuess: false })
  yield* confirm(
    it,
    say(
      it,
      `Delete ${theFiles(it, files)} for good? This can't be undone.`,
      `${theFiles(it, files)} endgültig löschen? Das lässt sich nicht rückgängig machen.`
    )
  )
  const done = yield* onFiles(it, "delete_files", files, (fileIds) => ({ fileIds }), perTrashCall)
  it.focus.files = []
  return unlessAll(it, done, {
    text: say(it, `Deleted ${theFiles(it, done.files)} for good.`, `${theFiles(it, done.files)} endgültig gelöscht.`)
  })
}

const trashed = (it: PlanContext): Plan<ReadonlyArray<FileRecord>> =>
  (function*() {
    const { files } = yield* findFiles(it, { ...anyFile, isTrashed: true })
    return files
  })()

function* emptyTrash(it: PlanContext): Plan<PlanReply> {
  const files = yield* trashed(it)
  if (files.length === 0) return { text: say(it, "The trash is empty already.", "Der Papierkorb ist schon leer.") }
  const size = bytes(it, files.reduce((sum, { fileSize }) => sum + fileSize, 0))
  yield* confirm(
    it,
    say(
      it,
      `Empty the trash? ${theFiles(it, files)}, ${size}, would be deleted for good. This can't be undone.`,
      `Papierkorb leeren? ${
        theFiles(it, files)
      }, ${size}, würde endgültig gelöscht. Das lässt sich nicht rückgängig machen.`
    )
  )
  yield* call(it, "purge_trashed_files")
  it.focus.files = []
  return {
    text: say(
      it,
      `Emptied the trash: ${filesCounted(it, files.length)} (${size}) deleted for good.`,
      `Papierkorb geleert: ${filesCounted(it, files.length)} (${size}) endgültig gelöscht.`
    )
  }
}

/** Files that are mentioned are restored; others are looked for in trash. */
function* restore(it: PlanContext, query: FileQuery): Plan<PlanReply> {
  const inTrash = yield* trashed(it)
  if (inTrash.length === 0) throw new Stopped({ text: say(it, "The trash is empty.", "Der Papierkorb ist leer.") })
  const ids = new Set(inTrash.map(({ id }) => id))
  const chosen = query.refer !== null && it.focus.files.some(({ id }) => ids.has(id))
    ? yield* chooseFiles(it, query)
    : yield* chooseFiles(it, {
      ...query,
      refer: null,
      isTrashed: true,
      // "it" is one file: where several are in trash, it is asked which.
      number: query.refer === null ? query.number : query.refer === "it" ? "one" : "many"
    })
  const files = chosen.filter(({ id }) => ids.has(id))
  if (files.length === 0) {
    throw new Stopped({ text: say(it, "These files are not in trash.", "Diese Dateien sind nicht im Papierkorb.") })
  }
  const done = yield* onFiles(it, "restore_files", files, (fileIds) => ({ fileIds }), perTrashCall)
  mentionFiles(it.focus, done.files)
  return unlessAll(it, done, {
    text: say(it, `Restored ${theFiles(it, done.files)}.`, `${theFiles(it, done.files)} wiederhergestellt.`)
  })
}

export const Trash: Family = {
  name: "trash",
  examples: {
    en: [
      "delete report.pdf",
      "move all screenshots to the trash",
      "delete all videos over 1 GB permanently",
      "empty the trash",
      "restore report.pdf",
      "bring back everything from the trash"
    ],
    de: [
      "lösche vertrag.pdf",
      "leere den Papierkorb",
      "stelle vertrag.pdf wieder her",
      "lösche alle Screenshots endgültig",
      "hol alles aus dem Papierkorb zurück"
    ]
  },
  intents: [
    {
      name: "trash files",
      forms: [
        "@delete <files>",
        "@move <files> (to|into|in) #trash",
        "<files> @delete",
        "<files> (in|to) #trash @move",
        "(wirf|werfe|schmeiss) <files> weg",
        "(throw|toss|chuck|bin) <files> (away|out)",
        "(get|be) rid of <files>",
        "(wirf|werfe|schmeiss|leg|lege|tu) <files> in #trash",
        "<files> brauche ich nicht mehr",
        "@delete <files> (completely|entirely)",
        "<files> @should (go|go away|disappear|vanish|be gone)",
        "<files> @should (go|go in|be put|be moved|move) (in|into|to) #trash",
        "<files> @should (weg|verschwinden|in den mull|in die tonne|fliegen)",
        "<files> @should (in|in den|zum) #trash [wandern|gehen|verschoben werden]",
        "(ich|wir) (brauche|brauch|brauchen) <files> nicht [mehr|langer]",
        "<files> (brauche|brauch|brauchen) (ich|wir) nicht [mehr|langer]",
        "(weg|raus|fort) mit <files>",
        "(out|away|off) with <files>",
        "<files> (isnt|arent|is not|are not|is no longer|are no longer) (needed|wanted|required|useful) [anymore|any more]",
        "(mach|mache|nimm|raum|tu|hau) <files> weg"
      ],
      judge: (slots) =>
        isMissing(slots.get("files")!) ||
          /\b(?:playlist|gallery|galerie|not just|nicht nur)\b/i.test(slots.get("files")!.said)
          ? isMissing(slots.get("files")!) ? null : -0.5
          : 0,
      plan: (slots, it) => trash(it, slots.get("files")!)
    },
    {
      name: "trash files that are not needed",
      forms: [
        "(i|we) (don't|dont|do not|no longer) (need|want) <files> [anymore|any more|any longer|here]",
        "(i|we) have no (use|need) for <files> [anymore|any more]"
      ],
      // "I don't need it" is the reason for something else.
      judge: (slots) => isMissing(slots.get("files")!) || slots.get("files")!.refer !== null ? null : 0,
      plan: (slots, it) => trash(it, slots.get("files")!)
    },
    {
      name: "delete files for good",
      forms: [
        "@delete <files> @forever",
        "@forever @delete <files>",
        "<files> @forever @delete",
        "@delete <files> (from|aus) #trash",
        "(hard delete|permanently delete) <files>",
        "@delete <files> and i mean (permanently|forever)",
        "@delete <files> @forever @notjust",
        "@delete <files> @notjust",
        "<files> @forever @delete @notjust",
        "<files> @should @forever (weg|verschwinden|go|be gone)",
        "(ganz|richtig|wirklich) @delete <files>"
      ],
      judge: () => 0.8,
      plan: (slots, it) => deleteForGood(it, slots.get("files")!)
    },
    {
      name: "empty the trash",
      forms: [
        "@empty #trash",
        "#trash @empty",
        "@delete @all (in|from|aus|im) #trash [@forever]",
        "@delete #trash",
        "@empty #trash @forever",
        "@empty #trash (all|all of it|out|up|completely|ganz|komplett|vollstandig|aus|einmal)",
        "(mach|mache|raum|raume) #trash [ganz|komplett] (leer|sauber|aus)",
        "#trash (ganz|komplett|vollstandig|mal|bitte) @empty",
        "#trash @should (@empty|leer|weg|empty)",
        "(take|bring) (out #trash|#trash out|#trash raus)",
        "@delete (everything|all|alles) (thats|that is|was) (in|im) #trash [ist|liegt] [@forever]",
        "(weg|raus) mit [dem] #trash",
        "@empty [out] #trash",
        "(it is|its) time to @empty #trash",
        "#trash leeren"
      ],
      judge: () => 1.5,
      plan: (_, it) => emptyTrash(it)
    },
    {
      name: "what was deleted",
      forms: [
        "(what|which|was|welche) [files|photos|dateien|fotos] (did|have|habe|hab|haben) (i|we|ich|wir) [<text>] (delete|deleted|trash|trashed|remove|removed|throw away|thrown away|throw out|geloscht|weggeworfen) [<text:when>]",
        "(what|which|was|welche) [files|photos|dateien] (was|were|wurde|wurden|has been|have been) [<text>] (deleted|trashed|removed|geloscht) [<text:when>]"
      ],
      judge: () => 1.5,
      *plan(slots, it) {
        const since = sinceOf(it, slots.get("text", "when") ?? slots.get("text"))
        const files = (yield* trashed(it)).filter(({ trashTime }) => since === null || (trashTime ?? "") >= since.iso)
        mentionFiles(it.focus, files)
        return {
          text: files.length === 0
            ? say(it, "Nothing of that is in trash.", "Davon liegt nichts im Papierkorb.")
            : say(it, `In trash: ${theFiles(it, files)}.`, `Im Papierkorb: ${theFiles(it, files)}.`)
        }
      }
    },
    {
      name: "told of a deletion",
      forms: [
        "(i|we|ich|wir|ive|weve) [just|accidentally|habe|hab|haben|have|versehentlich] (deleted|trashed|removed|threw away|thrown away|lost|binned) <files> [by mistake|by accident|accidentally]",
        "(habe|hab|haben) (ich|wir) <files> [aus versehen|versehentlich] (geloscht|weggeworfen|weggeschmissen)",
        "(i|we) [have|ve] (deleted|trashed|removed|thrown away|binned) <files> by (mistake|accident)",
        "(ich|wir) (habe|hab|haben) <files> (geloscht|weggeworfen)"
      ],
      judge: (slots) => isMissing(slots.get("files")!) ? null : 1,
      *plan(slots, it) {
        const query = slots.get("files")!
        const { files } = yield* findFiles(it, { ...query, refer: null, isTrashed: true })
        mentionFiles(it.focus, files)
        return {
          text: files.length === 0
            ? say(it, "Nothing of that is in trash.", "Davon liegt nichts im Papierkorb.")
            : say(it, `In trash: ${theFiles(it, files)}.`, `Im Papierkorb: ${theFiles(it, files)}.`)
        }
      }
    },
    {
      name: "restore files",
      forms: [
        "@restore <files>",
        "@restore <files> (from|out of|aus) #trash [@back|zuruck|raus|wieder her]",
        "@restore @all (from|in|out of|aus) #trash [zuruck|raus|wieder her]",
        "(bring|get|put|take|fetch|pull|fish|hol|hole) <files> (back|zuruck) [again|wieder]",
        "(bring|get|put|take|fetch|pull|fish|i need|need|want) <files> [back] (out of|from|out) #trash [again]",
        "(bring|get|put|take|fetch|pull|need|want) <files> back [out] [of|from] #trash",
        "(bring|get|put|take|fetch|pull) back <files> [from|out of] [#trash]",
        "(hol|hole|nimm|zieh|fisch|brauche) <files> [wieder] aus #trash [zuruck|raus|heraus|wieder]",
        "<files> [wieder] aus #trash (holen|zuruckholen|nehmen|fischen|retten)",
        "@restore <files> (back|zuruck|wieder her|her)",
        "(bring|get|put|take|fetch|hol|hole) <files> (back|zuruck) (from|out of|aus) #trash",
        "<files> @restore",
        "<files> (from|out of|aus) #trash @restore",
        "<files> wieder (herstellen|her)",
        "undelete (that|it|this|das)",
        "<files> (back|zuruck) [please|bitte]",
        "(have|want|need|mochte|will|hatte) <files> (back|zuruck|wieder) [haben]",
        "<files> (back|zuruck|wieder) (haben|bekommen|holen)",
        "<files> @should (come back|be back|zuruck|wieder her|wieder da sein|zuruckkommen)",
        "<files> (out of|aus) #trash [raus|back|zuruck] [@restore]",
        "(bring|get|put|fetch|hol|hole|holt) [@all|alles] (back|zuruck) what (i|we) deleted",
        "(i|we) (want|need|would like) [to have] <files> back",
        "undo the deletion",
        "@move <files> (out of|from|aus) #trash"
      ],
      judge: (slots) => slots.get("files") !== undefined && isMissing(slots.get("files")!) ? null : 0.4,
      plan: (slots, it) =>
        restore(
          it,
          slots.get("files") ??
            {
              ...anyFile,
              number: "many",
              refer: it.focus.latest === "files" && it.focus.files.length > 0 ? "them" : null,
              said: "trash"
            }
        )
    }
  ]
}
