/** What a task ends with: the text, and links to the files it made or found. */
import { Effect } from "effect"
import type { Credential } from "../accounts/Credential.ts"
import type { TaskCall } from "../tasks/StoredTask.ts"
import type { Artifact } from "../tasks/Task.ts"
import { reply, type TaskOutput } from "../tasks/TaskOutput.ts"
import { LinksAreOpens } from "../views/FileViews.ts"
import * as DriveTools from "./DriveTools.ts"
import type { ToolCalls } from "./ToolCalls.ts"

/** Files that a reply links to at most. */
const linkedFiles = 20

interface Linked {
  readonly id: string
  readonly fileName: string
  readonly mimeType?: string
}

const isFile = (value: unknown): value is Linked =>
  typeof value === "object" && value !== null && "id" in value && typeof value.id === "string" && "fileName" in value &&
  typeof value.fileName === "string"

const filesIn = (value: unknown, depth = 0): ReadonlyArray<Linked> =>
  isFile(value)
    ? [value]
    : depth > 3 || typeof value !== "object" || value === null
    ? []
    : Object.values(value).flatMap((entry) => filesIn(entry, depth + 1))

/** The files that calls changed or made, and those that the last call which only looked has found. */
const filesOf = (calls: ReadonlyArray<TaskCall>, credential: Credential): ReadonlyArray<Linked> => {
  const done = calls.filter(({ isFailure, state }) => state === "done" && isFailure === false)
  const isLooking = ({ name }: TaskCall) => {
    const tool = DriveTools.find(name, credential.limits)
    return typeof tool !== "string" && "effect" in tool && tool.effect === "reads"
  }
  const last = done.findLast(isLooking)
  const found = done.filter((call) => call === last || !isLooking(call)).flatMap(({ result }) => filesIn(result))
  return [...new Map(found.map((file) => [file.id, file])).values()].slice(0, linkedFiles)
}

export const makeReplies = (tools: ToolCalls) => {
  const link = Effect.fnUntraced(function*(credential: Credential, { fileName, id, mimeType }: Linked) {
    const { isFailure, result } = yield* tools.run(credential, "generateDownloadUrl", { id }, {}).pipe(
      Effect.catchTag("Away", ({ outcome }) => Effect.succeed(outcome)),
      Effect.provideService(LinksAreOpens, false)
    )
    const url = result as { readonly downloadUrl?: unknown; readonly url?: unknown } | null
    const text = url?.downloadUrl ?? url?.url
    if (isFailure || typeof text !== "string") return []
    return [{
      artifactId: id,
      name: fileName,
      description: null,
      parts: [{ url: text, filename: fileName, ...mimeType !== undefined && { mediaType: mimeType } }]
    }] satisfies ReadonlyArray<Artifact>
  })

  /** A file that can't be read any more has no link. */
  return Effect.fn("Replies.of")(function*(text: string, calls: ReadonlyArray<TaskCall>, credential: Credential) {
    const said = reply(text)
    const links = yield* Effect.forEach(filesOf(calls, credential), (file) => link(credential, file))
    const whole: TaskOutput = { ...said, artifacts: [...said.artifacts, ...links.flat()] }
    return whole
  })
}
