/**
 * What autovacuum does on a server. PGlite is one process and has none, so by
 * itself it never learns how large a table has become and never takes a dead
 * row out.
 *
 * Worse than old statistics are old plans: those of prepared statements and of
 * foreign keys are made while a table is small, and kept until something says
 * that it has changed. ANALYZE and VACUUM say so.
 */
import { StatementTime } from "@filedrive/core"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/** How often to look for tables that have changed. Sooner than a server's minute: a drive may grow fast from nothing. */
const lookEvery = Duration.seconds(10)

/** Between two tables, so that whoever waits for the one session waits for one of them. */
const rest = Duration.seconds(1)

/** What has failed will most likely fail again. */
const lookAfterFailure = Duration.minutes(5)

interface Chore {
  readonly work: "ANALYZE" | "VACUUM"
  /** Quoted, and qualified as far as it must be. */
  readonly table: string
}

const make = Effect.gen(function*() {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()

  /** Conditions, over the rows of `tables`, under which each is due. What matters most to plans comes first. */
  const due = (tables: string, analyze: string, vacuum: string) =>
    sql<Chore>`
      SELECT chore.work, t.oid::regclass::text AS "table" FROM (${sql.literal(tables)}) t
      CROSS JOIN LATERAL (VALUES ('ANALYZE', ${sql.literal(analyze)}), ('VACUUM', ${sql.literal(vacuum)}))
        chore (work, is_due)
      WHERE chore.is_due ORDER BY chore.work, t.size DESC
    `

  /** By autovacuum's own thresholds. There are no statistics about the statistics: ANALYZE passes them over. */
  const changed = due(
    `SELECT oid, greatest(reltuples, 0) AS size, pg_stat_get_mod_since_analyze(oid) AS changed,
      pg_stat_get_dead_tuples(oid) AS dead, pg_stat_get_ins_since_vacuum(oid) AS inserted
    FROM pg_class WHERE relkind IN ('r', 'm')`,
    "oid <> 'pg_statistic'::regclass AND changed > 50 + 0.1 * size",
    "dead > 50 + 0.2 * size OR inserted > 1000 + 0.2 * size"
  )

  /**
   * What earlier runs left to do: PGlite forgets its counts when it is closed. Kept with a table are the pages it had
   * when it was last analysed, and how many of those a VACUUM would have passed over.
   */
  const left = due(
    `SELECT oid, relpages, relallvisible, pg_relation_size(oid) / current_setting('block_size')::int AS size
    FROM pg_class WHERE relkind IN ('r', 'm') AND oid >= 16384`,
    "size > 10 + 1.1 * relpages",
    "size - relallvisible > 10 + 0.2 * size"
  )

  /** Whether it worked. It waits for an open transaction to end, as every statement of another connection does. */
  const tend = ({ table, work }: Chore) =>
    sql.unsafe(`${work} ${table}`).unprepared.pipe(
      StatementTime.patiently,
      Effect.as(true),
      Effect.catch((error) =>
        Effect.as(Effect.logWarning(`${work} of ${table} in the embedded database failed.`, error), false)
      ),
      Effect.tap(() => Effect.sleep(rest))
    )

  /** Does what is due, and waits until it is time to look again. */
  const round = (look: typeof changed) =>
    look.pipe(
      Effect.flatMap((chores) => Effect.forEach(chores, tend)),
      Effect.map((worked) => worked.every(Boolean)),
      Effect.catch((error) =>
        Effect.as(Effect.logWarning("Looking after the tables of the embedded database failed.", error), false)
      ),
      Effect.withTracerEnabled(false),
      Effect.flatMap((worked) => Effect.sleep(worked ? lookEvery : lookAfterFailure))
    )

  yield* Effect.sleep(lookEvery).pipe(
    Effect.andThen(round(left)),
    Effect.andThen(Effect.forever(round(changed))),
    Effect.forkScoped
  )
})

/** Analyses and vacuums the tables of the client's PGlite as they change, until the scope closes. */
export const layer = Layer.effectDiscard(make)
