/** Removes what writes left unfinished, and the permissions of forms that have expired; at start and daily. */
import { Duration, Effect } from "effect"
import { readdir, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { attempt } from "./Attempt.ts"
import { findMeta } from "./DiskUploads.ts"
import { unlessMissing } from "./Durable.ts"
import { partName } from "./Layout.ts"
import type { Stored } from "./Stored.ts"

const unfinishedLifetime = Duration.days(1)

/** Removes what was left unfinished. */
export const sweep = ({ forms, layout, nowMillis }: Stored) =>
  attempt(async () => {
    const oldestMillis = nowMillis() - Duration.toMillis(unfinishedLifetime)
    for (const name of await readdir(layout.unfinished)) {
      const path = join(layout.unfinished, name)
      // While a file in a directory grows, the directory's own time does not change.
      const states = await Promise.all([path, join(path, partName(1))].map((one) => unlessMissing(stat(one))))
      const newestMillis = Math.max(...states.map((state) => state?.mtimeMs ?? 0))
      if (newestMillis < oldestMillis) await rm(path, { recursive: true, force: true })
    }
    // The removal of the upload was interrupted on a full disk, or it can no longer be found by its key.
    for (const name of await readdir(layout.uploads)) {
      const path = join(layout.uploads, name)
      if (await findMeta(path) !== undefined) continue
      const state = await unlessMissing(stat(path))
      if (state !== undefined && state.mtimeMs < oldestMillis) await rm(path, { recursive: true, force: true })
    }
    await forms.prune(nowMillis())
  }).pipe(Effect.catch((error) => Effect.logWarning("Could not sweep the object store", error)))
