/** Taking back what was done last in the conversation, as far as the calls and what was known before them say how. */
import type { ToolCall } from "../Decision.ts"
import { collections } from "../drive/Collections.ts"
import { type Plan, type PlanReply, Stopped } from "../Plan.ts"
import { attempt, call, type PlanContext, say } from "../PlanContext.ts"
import { enumerate } from "../Speech.ts"
import type { MadeCall, Turn } from "../Transcript.ts"
import type { Family } from "./Intent.ts"

type Json = Readonly<Record<string, any>>

/** What the conversation showed of things before a call, by their ids: the latest last. */
type Known = ReadonlyMap<string, Json>

const remember = (known: Map<string, Json>, value: unknown): void => {
  if (typeof value !== "object" || value === null) return
  const { id } = value as Json
  if (typeof id === "string") known.set(id, { ...known.get(id), ...value })
  Object.values(value).forEach((part) => remember(known, part))
}

const ids = ({ args }: MadeCall): ReadonlyArray<string> => ((args as Json)["fileIds"] ?? []) as ReadonlyArray<string>

const grouped = (
  all: ReadonlyArray<string>,
  keyOf: (id: string) => string | undefined
): ReadonlyArray<readonly [string, ReadonlyArray<string>]> => {
  const groups = new Map<string, Array<string>>()
  for (const id of all) {
    const key = keyOf(id)
    if (key !== undefined) groups.set(key, [...groups.get(key) ?? [], id])
  }
  return [...groups]
}

const tagsOf = (record: Json | undefined): ReadonlyArray<string> =>
  ((record?.["tags"] ?? []) as ReadonlyArray<Json>).map((tag) => String(tag["text"]))

/** Another name: the tool, its id's name and the name of what is changed. */
const renames: Readonly<Record<string, readonly [id: string, field: string, known: string]>> = {
  rename_file: ["fileId", "fileName", "fileName"],
  rename_folder: ["folderId", "name", "path"],
  rename_playlist: ["playlistId", "title", "title"],
  rename_gallery: ["galleryId", "title", "title"],
  rename_tag: ["tagId", "text", "text"]
}

const lastPart = (text: string): string => text.slice(text.lastIndexOf("/") + 1)

/** The calls that take a call back; null for one that can't be. */
const inverse = (made: MadeCall, known: Known): ReadonlyArray<ToolCall> | null => {
  const args = made.args as Json
  const result = (made.result ?? {}) as Json
  const fileIds = ids(made)
  const rename = renames[made.name]
  if (rename !== undefined) {
    const [id, field, knownAs] = rename
    const before = known.get(args[id])?.[knownAs]
    return before === undefined ? null : [{ name: made.name, args: { [id]: args[id], [field]: lastPart(before) } }]
  }
  switch (made.name) {
    case "trash_files":
      return [{ name: "restore_files", args: { fileIds } }]
    case "restore_files":
      return [{ name: "trash_files", args: { fileIds } }]
    case "move_files":
      return fileIds.some((id) => known.get(id)?.["fileName"] === undefined)
        ? null
        : grouped(fileIds, (id) => known.get(id)!["folder"]?.path ?? "/").map(([path, fileIds]) => ({
          name: "move_files",
          args: { fileIds, ...(path === "/" ? { folderId: null } : { folder: path }) }
        }))
    case "tag_files": {
      const isAdded = args["action"] !== "remove"
      return (args["tags"] as ReadonlyArray<string>).flatMap((tag) => {
        const changed = fileIds.filter((id) => known.has(id) && tagsOf(known.get(id)).includes(tag) !== isAdded)
        return changed.length === 0
          ? []
          : [{ name: "tag_files", args: { fileIds: changed, tags: [tag], ...(isAdded ? { action: "remove" } : {}) } }]
      })
    }
    case "update_file_description":
      return known.get(args["fileId"])?.["description"] === undefined ? null : [{
        name: made.name,
        args: { fileId: args["fileId"], description: known.get(args["fileId"])!["description"] ?? "" }
      }]
    case "create_folder":
      return known.has(result["id"]) ? [] : [{
        name: "delete_folder",
        args: { folderId: result["id"], files: "parent" }
      }]
    case "create_playlist":
      return [{ name: "delete_playlist", args: { playlistId: result["id"] } }]
    case "create_gallery":
      return [{ name: "delete_gallery", args: { galleryId: result["id"] } }]
    case "create_file_request":
      return [{ name: "set_file_request_open", args: { requestId: result["id"], open: false } }]
    case "add_to_playlist":
      return [{
        name: "remove_from_playlist",
        args: { playlistId: args["playlistId"], fileIds: result["added"] ?? fileIds }
      }]
    case "add_to_gallery":
      return [{
        name: "remove_from_gallery",
        args: { galleryId: args["galleryId"], fileIds: result["added"] ?? fileIds }
      }]
    case "remove_from_playlist":
      return [{ name: "add_to_playlist", args: { playlistId: args["playlistId"], fileIds } }]
    case "remove_from_gallery":
      return [{ name: "add_to_gallery", args: { galleryId: args["galleryId"], fileIds } }]
    case "toggle_file_access":
      // What was taken from the public is not given to it again without being asked for.
      return result["isPublic"] === true ? [{ name: made.name, args: { id: args["id"] } }] : null
    case "set_playlist_public":
    case "set_gallery_public":
      return args["isPublic"] === true ? [{ name: made.name, args: { ...args, isPublic: false } }] : null
    default:
      return null
  }
}

const isReading = (name: string): boolean => /^(?:search|select|get|read|generate_download|export|wait)_/.test(name)

const changesOf = ({ calls }: Turn): ReadonlyArray<MadeCall> =>
  calls.filter(({ failure, name }) => failure === undefined && !isReading(name))

/** Ends the sharing with those whom a call shared with. */
function* unshared(it: PlanContext, made: MadeCall): Plan<ReadonlyArray<ToolCall>> {
  const { handles = [], userIds = [] } = made.args as Json
  const { files } = yield* call<{ readonly files: ReadonlyArray<{ readonly users: ReadonlyArray<Json> }> }>(
    it,
    "select_shares",
    { fileIds: ids(made).slice(0, 100) }
  )
  const meant = files.flatMap(({ users }) => users).filter((user) =>
    handles.includes(user["handle"]) || userIds.includes(user["userId"])
  )
  return meant.length === 0 ? [] : [{
    name: "unshare_files",
    args: { fileIds: ids(made), userIds: [...new Set(meant.map((user) => user["userId"]))] }
  }]
}

function* undo(it: PlanContext): Plan<PlanReply> {
  const at = it.earlier.findLastIndex((turn) => changesOf(turn).length > 0)
  if (at < 0) {
    throw new Stopped({
      text: say(
        it,
        "Nothing was changed in this conversation, so there is nothing to undo.",
        "In diesem Gespräch wurde nichts geändert, also gibt es nichts rückgängig zu machen."
      )
    })
  }
  const turn = it.earlier[at]!
  const known = new Map<string, Json>()
  for (const { calls } of it.earlier.slice(0, at)) for (const { result } of calls) remember(known, result)
  const backwards: Array<{ readonly made: MadeCall; readonly calls: ReadonlyArray<ToolCall> | null }> = []
  for (const made of turn.calls) {
    if (made.failure === undefined && !isReading(made.name)) {
      backwards.unshift({ made, calls: made.name === "share_files" ? [] : inverse(made, known) })
    }
    remember(known, made.result)
  }
  const left: Array<string> = []
  let done = 0
  for (const { calls, made } of backwards) {
    const wanted = made.name === "share_files" ? yield* unshared(it, made) : calls
    if (wanted === null) left.push(made.name.replaceAll("_", " "))
    for (const { args, name } of wanted ?? []) {
      const { failure } = yield* attempt(it, name, args)
      if (failure === undefined) done++
      else left.push(`${made.name.replaceAll("_", " ")} (${failure.error})`)
    }
  }
  it.focus.latest = it.focus.files.length > 0 ? "files" : null
  yield* collections(it)
  const rest = left.length === 0
    ? ""
    : say(it, ` I can't take back: ${enumerate(it, left)}.`, ` Nicht zurücknehmen kann ich: ${enumerate(it, left)}.`)
  return {
    text: (done === 0
      ? say(it, "There was nothing that I could take back.", "Es gab nichts, was ich zurücknehmen konnte.")
      : say(it, `I took back “${turn.userText}”.`, `Ich habe „${turn.userText}“ rückgängig gemacht.`)) + rest
  }
}

export const Undo: Family = {
  name: "undo",
  examples: { en: ["undo that", "take that back"], de: ["mach das rückgängig"] },
  intents: [{
    name: "undo",
    forms: [
      "(undo|revert|reverse|rollback) [(that|it|this|everything|these|those)]",
      "(undo|revert|reverse) [the|my|that|your] [last|previous] (change|step|action|thing|move|one|changes)",
      "(take|roll) (that|it|this) back",
      "change it back",
      "put (it|them|everything) back (as|how|where|the way) (it|they) (was|were) [before]",
      "mach (das|es|die anderung) [wieder] ruckgangig",
      "(das|es|die letzte anderung) [wieder] ruckgangig [machen]",
      "nimm (das|es) zuruck"
    ],
    judge: () => 2,
    plan: (_, it) => undo(it)
  }]
}
