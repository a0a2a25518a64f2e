import { Database } from "@filedrive/core"
import { Effect } from "effect"

/** All columns, indexes and constraints of the drive's schema, by their definitions. */
export const shape = Effect.gen(function*() {
  const { schema, sql } = yield* Database
  const found = yield* sql<{ readonly definition: string }>`
    SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable) AS definition
      FROM information_schema.columns WHERE table_schema = ${schema}
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = ${schema}
    UNION ALL SELECT concat_ws(' ', conname, pg_get_constraintdef(oid)) FROM pg_constraint
      WHERE connamespace = (SELECT oid FROM pg_namespace WHERE nspname = ${schema})
  `
  return found.map(({ definition }) => definition.replaceAll(schema, "schema")).toSorted()
})
