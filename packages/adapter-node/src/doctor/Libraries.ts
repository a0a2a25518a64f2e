/** The libraries that a host installs when it wants files of their kinds opened. */
import { libraries, type Library, versionOf } from "@filedrive/media/diagnostics"
import { Effect } from "effect"
import type { Finding } from "./Finding.ts"

const checkLibrary = (library: Library): Effect.Effect<Finding> => {
  const { name, opens } = library
  return Effect.tryPromise(async () => {
    await library.load()
    return await versionOf(library)
  }).pipe(
    Effect.match({
      onSuccess: (found) => ({ name, opens, found, advice: null }),
      onFailure: ({ cause }) => {
        const isMissing = (cause as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND"
        const why = isMissing ? "" : `It does not load: ${(cause as Error).message.split("\n")[0]} `
        return { name, opens, found: null, advice: `${why}npm install ${name}` }
      }
    })
  )
}

export const checkLibraries: Effect.Effect<ReadonlyArray<Finding>> = Effect.all(libraries.map(checkLibrary))
