/** Runs a program from the drive's own process, to identify it; on files {@link "./RunTasks.ts"} runs it. */
import { Effect } from "effect"
import { type ProgramLimits, type Ran, start } from "./ProgramStart.ts"

/** Runs `path`, which is found already. Never fails; interrupting it kills the program, and resolves when it has ended. */
export const run = (path: string, args: ReadonlyArray<string>, limits: ProgramLimits): Effect.Effect<Ran> =>
  Effect.callback((resume) => {
    const { ended, kill } = start(path, args, limits, true)
    void ended.then((ran) => resume(Effect.succeed(ran)))
    return Effect.promise(() => {
      kill()
      return ended
    })
  })
