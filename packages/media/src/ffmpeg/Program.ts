/** Running a program from the drive's own process, as is done to see what it is; on files by {@link "./RunTasks.ts"}. */
import { Effect } from "effect"
import { type ProgramLimits, type Ran, start } from "./ProgramStart.ts"

/** Runs `path`, which is found already. Never fails; interrupting it kills the program, and resolves when it is gone. */
export const run = (path: string, args: ReadonlyArray<string>, limits: ProgramLimits): Effect.Effect<Ran> =>
  Effect.callback((resume) => {
    const { ended, kill } = start(path, args, limits, true)
    void ended.then((ran) => resume(Effect.succeed(ran)))
    return Effect.promise(() => {
      kill()
      return ended
    })
  })
