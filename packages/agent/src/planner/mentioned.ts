/** What a call mentions, for turns of a conversation that another brain decided. */
import type { FileRecord } from "./drive/Records.ts"
import { type Focus, mention, mentionFiles } from "./Focus.ts"
import type { MadeCall } from "./Transcript.ts"

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

/** Lists of files, by which the names of their tools end. */
const lists = ["playlist", "gallery"] as const

/** Changes the focus to what the call was about. */
export const mentioned = (focus: Focus, { name, result }: MadeCall): void => {
  if (!isRecord(result)) return
  if (Array.isArray(result["files"]) && /^(?:search_files|select_(?:user|shared|trashed)_files)$/.test(name)) {
    mentionFiles(focus, result["files"] as ReadonlyArray<FileRecord>)
    return
  }
  const { id, path, title } = result
  if (typeof id !== "string") return
  for (const list of lists) {
    if (name.endsWith(`_${list}`) && typeof title === "string") mention(focus, list, { id, title })
  }
  if (name.endsWith("_folder") && typeof path === "string") mention(focus, "folder", { id, path })
  if (name === "create_file_request" && typeof title === "string") mention(focus, "request", { id, name: title })
}
