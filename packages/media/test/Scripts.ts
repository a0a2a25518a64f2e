/** Scripts that are run instead of ffmpeg and ffprobe. */
import { Effect } from "effect"
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const inDirectory = <A, E, R>(work: (directory: string) => Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "filedrive-programs-"))),
    work,
    (directory) => Effect.promise(() => rm(directory, { recursive: true }))
  )

export const script = (directory: string, name: string, body: string) =>
  Effect.promise(async () => {
    const path = join(directory, name)
    await writeFile(path, `#!/bin/sh\n${body}\n`)
    await chmod(path, 0o755)
    return path
  })

/** What a script begins with, to be taken for ffmpeg. */
export const version = "if [ \"$1\" = -version ]; then echo ffmpeg version 1; exit; fi"
