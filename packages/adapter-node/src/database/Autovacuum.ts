/**
 * What autovacuum does on a server. PGlite is one process and has none, so by
 * itself it never learns how large a table has become and never takes a dead
 * row out.
 *
 * Worse than old statistics are old plans: those of prepared statements and of
 * foreign keys are made while a table is small, and kept until something says
 * that it has changed. ANALYZE and VACUUM say so.
 */
import { Background, StatementTime } from "@filedrive/core"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/**
 * How often to look for tables that have changed. Sooner than a server's minute: a drive may grow fast from nothing, and
 * until a table is analysed its statements have the plans of an empty one.
 */
const lookEvery = Duration.seconds(3)

/** Between two tables, so that whoever waits for the one session waits for one of them. */
const rest = Duration.seconds(1)

/** How often while the disk is full: deleting leaves dead rows, and their room is all there is for the next. */
const lookEveryWhenFull = Duration.millis(500)

/** What has failed will most likely fail again. */
const lookAfterFailure = Duration.minutes(5)

/**
 * Sizes of a table with its indexes. VACUUM of a large one takes a tenth of a second and much more, in which nobody else gets
 * an answer: so it waits for a quiet moment, unless the table has become huge and most of that is dead rows.
 */
export interface Sizes {
  readonly largeBytes: number
  readonly hugeBytes: number
}

const defaultSizes: Sizes = { largeBytes: 8 * 1024 ** 2, hugeBytes: 1024 ** 3 }

/** The database is idle when at most this many statements were sent within this time. The drive itself sends a few a second. */
const [quietTime, quietAsked] = [Duration.seconds(5), 100]

interface MaintenanceTask {
  readonly work: "ANALYZE" | "VACUUM"
  /** Quoted, and qualified as far as it must be. */
  readonly table: string
  /** Whether it waits for a quiet moment. */
  readonly waits: boolean
}

export interface AutovacuumOptions {
  /** How many statements, or batches of them, have been sent to the database so far. */
  readonly asked: () => number
  /** Whether its disk is full. */
  readonly isFull?: () => boolean
}

type Outcome = "done" | "failed" | "put off"

const make = Effect.fnUntraced(function*(
  { asked, isFull = () => false }: AutovacuumOptions,
  { hugeBytes, largeBytes }: Sizes
) {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()

  /** Conditions, over the rows of `tables`, under which each is due. What matters most to plans comes first. */
  const due = (tables: string, analyze: string, vacuum: string, waits: string) =>
    sql<MaintenanceTask>`
      SELECT task.work, t.oid::regclass::text AS "table", task.waits FROM (${sql.literal(tables)}) t
      CROSS JOIN LATERAL (VALUES
        ('ANALYZE', ${sql.literal(analyze)}, FALSE),
        ('VACUUM', ${sql.literal(vacuum)}, ${sql.literal(waits)})
      ) task (work, is_due, waits)
      WHERE task.is_due ORDER BY task.work, t.size DESC
    `

  const isLarge = `pg_total_relation_size(oid) > ${largeBytes}`

  const counted = `SELECT oid, greatest(reltuples, 0) AS size, pg_stat_get_mod_since_analyze(oid) AS changed,
      pg_stat_get_dead_tuples(oid) AS dead, pg_stat_get_ins_since_vacuum(oid) AS inserted
    FROM pg_class WHERE relkind IN ('r', 'm')`

  /** By autovacuum's own thresholds. There are no statistics about the statistics: ANALYZE passes them over. */
  const changed = due(
    counted,
    "oid <> 'pg_statistic'::regclass AND changed > 50 + 0.1 * size",
    "dead > 50 + 0.2 * size OR inserted > 1000 + 0.2 * size",
    `${isLarge} AND NOT (dead > 2 * size AND pg_total_relation_size(oid) > ${hugeBytes})`
  )

  /** Sooner, and large tables too: better that a call waits than that none can delete any more. */
  const changedWhenFull = due(counted, "FALSE", "dead > 500 AND dead > 0.02 * size", "FALSE")

  /**
   * What earlier runs left to do: PGlite forgets its counts when it is closed. Kept with a table are the pages it had
   * when it was last analysed, and how many of those a VACUUM would have passed over.
   */
  const left = due(
    `SELECT oid, relpages, relallvisible, pg_relation_size(oid) / current_setting('block_size')::int AS size
    FROM pg_class WHERE relkind IN ('r', 'm') AND oid >= 16384`,
    "size > 10 + 1.1 * relpages",
    "size - relallvisible > 10 + 0.2 * size",
    isLarge
  )

  const isQuiet = Effect.suspend(() => {
    const before = asked()
    return Effect.map(Effect.sleep(quietTime), () => asked() - before <= quietAsked)
  })

  /** It waits for an open transaction to end, as every statement of another connection does. */
  const run = ({ table, work }: MaintenanceTask) =>
    sql.unsafe(`${work} ${table}`).unprepared.pipe(
      StatementTime.patiently,
      Effect.as<Outcome>("done"),
      Effect.catch((error) =>
        Effect.as(Effect.logWarning(`${work} of ${table} in the embedded database failed.`, error), "failed" as const)
      ),
      Effect.tap(() => isFull() ? Effect.void : Effect.sleep(rest))
    )

  const tend = (task: MaintenanceTask) =>
    task.waits
      ? Effect.flatMap(isQuiet, (quiet) => quiet ? run(task) : Effect.succeed("put off" as const))
      : run(task)

  /** Does what is due. */
  const look = (chores: typeof changed) =>
    chores.pipe(
      Effect.flatMap((chores) => Effect.forEach(chores, tend)),
      Effect.map((outcomes): Outcome =>
        outcomes.includes("failed") ? "failed" : outcomes.includes("put off") ? "put off" : "done"
      ),
      Effect.catch((error) =>
        Effect.as(
          Effect.logWarning("Looking after the tables of the embedded database failed.", error),
          "failed" as const
        )
      ),
      Effect.withTracerEnabled(false)
    )

  /** In looks that are short, since the disk may fill up meanwhile. */
  const pause = (outcome: Outcome) =>
    Effect.gen(function*() {
      const whole = outcome === "failed" ? lookAfterFailure : lookEvery
      const short = outcome === "failed" ? Duration.seconds(10) : lookEveryWhenFull
      for (let slept = 0; slept < Duration.toMillis(whole); slept += Duration.toMillis(short)) {
        yield* Effect.sleep(short)
        if (isFull()) return
      }
    })

  const lookAgain = Effect.suspend(() => look(isFull() ? changedWhenFull : changed))

  /** Until what earlier runs left is done, once for each table that needs it; what has changed since beside it. */
  const lookAtFirst = Effect.repeat(
    Effect.tap(
      look(left),
      (outcome) => Effect.andThen(pause(outcome), Effect.when(lookAgain, Effect.succeed(outcome === "put off")))
    ),
    { while: (outcome) => outcome === "put off" }
  )

  yield* Effect.sleep(lookEvery).pipe(
    Effect.andThen(lookAtFirst),
    Effect.andThen(
      Effect.forever(Effect.flatMap(lookAgain, pause))
    ),
    Background.behindOthers,
    Effect.forkScoped
  )
})

/** Analyses and vacuums the tables of the client's PGlite as they change, until the scope closes. */
export const layerNoDeps = (options: AutovacuumOptions, sizes = defaultSizes) =>
  Layer.effectDiscard(make(options, sizes))
