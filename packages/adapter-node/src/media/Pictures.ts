/** What images and PDFs are asked: the part of `MediaTools` that is theirs. Their bytes go straight to the sandbox. */
import { DriveError, type MediaTools } from "@filedrive/core"
import { Effect } from "effect"
import type { Sandbox } from "./sandbox/Sandbox.ts"
import type { TaskAnswer, TaskName, TaskOptions } from "./sandbox/Tasks.ts"

export type Pictures = Pick<MediaTools.MediaTools["Service"], "probe" | "still" | "pages">

/** Largest file that is opened as a whole. */
const wholeMaxBytes = 256 * 1024 ** 2

export const make = (sandbox: Sandbox): Pictures => {
  const whole = <Name extends TaskName>(
    task: Name,
    options: TaskOptions<Name>,
    source: MediaTools.MediaSource
  ): Effect.Effect<TaskAnswer<Name>, DriveError.Unreadable | DriveError.Unavailable> => {
    const { read, sizeBytes } = source
    if (sizeBytes > wholeMaxBytes) {
      return Effect.fail(
        new DriveError.Unreadable({ because: "This file is too big to open: images and PDFs may have 256 MB." })
      )
    }
    if (sizeBytes === 0) return Effect.fail(new DriveError.Unreadable({ because: "This file is empty." }))
    return sandbox.run(task, options, { sizeBytes, bytes: read({ start: 0, end: sizeBytes - 1 }) })
  }

  const unable = () => Effect.fail(new DriveError.Unreadable({ because: "not yet" }))
  return {
    probe: unable,
    still: (source, { maxSide }) => whole("still", { maxSide, fileName: source.fileName }, source),
    pages: unable
  }
}
