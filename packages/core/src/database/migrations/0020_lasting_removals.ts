import { Effect } from "effect"
import { Database } from "../Database.ts"

/**
 * An object that a lasting link leads to is made again under the same key when its file is restored. So its removal is one
 * server's at a time, and is done once more an hour later, for a copy that storage made late.
 */
export default Effect.gen(function*() {
  const { schema, sql } = yield* Database

  yield* sql`
    ALTER TABLE ${sql(`${schema}.doomed_objects`)}
      -- Whether an object may be made under this key again.
      ADD COLUMN is_reused boolean NOT NULL DEFAULT false,
      -- Until when the server that has taken a reused key has it for itself.
      ADD COLUMN taken_until timestamptz,
      -- When it is to be removed once more, after storage has confirmed the removal.
      ADD COLUMN again_time timestamptz
  `
})
