/**
 * What autovacuum does on a server. PGlite is one process and has none, so by
 * itself it never learns how large a table has become and never removes a dead
 * row.
 *
 * Worse than old statistics are old plans: those of prepared statements and of
 * foreign keys are made while a table is small, and kept until something says
 * that it has changed. ANALYZE and VACUUM say so.
 */
import { Background, StatementTime } from "@filedrive/core"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

/**
 * How often to check for tables that have changed. Sooner than a server's minute: a new drive may grow fast, and
 * until a table is analysed its statements have the plans of an empty one.
 */
const checkInterval = Duration.seconds(3)

/** The pause between two tables, so that others who wait for the one session wait for one table only. */
const rest = Duration.seconds(1)

/** How often while the disk is full: deleting leaves dead rows, and their room is all there is for the next. */
const checkIntervalWhenFull = Duration.millis(500)

/** The pause after a failure, which will most likely repeat. */
const pauseAfterFailure = Duration.minutes(5)

/**
 * Sizes of a table with its indexes. VACUUM of a large one takes a tenth of a second and much more, in which nobody else gets
 * an answer: so it waits for a quiet moment, unless the table has become huge and consists mostly of dead rows.
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

  /** By autovacuum's own thresholds. There are no statistics about the statistics: ANALYZE skips them. */
  const changed = due(
    counted,
    "oid <> 'pg_statistic'::regclass AND changed > 50 + 0.1 * size",
    "dead > 50 + 0.2 * size OR inserted > 1000 + 0.2 * size",
    `${isLarge} AND NOT (dead > 2 * size AND pg_total_relation_size(oid) > ${hugeBytes})`
  )

  /** Sooner, and large tables too: it is better that a call waits than that no call can delete. */
  const changedWhenFull = due(counted, "FALSE", "dead > 500 AND dead > 0.02 * size", "FALSE")

  /**
   * Work that earlier runs left: PGlite loses its counts when it is closed. Each table's row keeps the number of pages it had
   * when it was last analysed, and how many of those a VACUUM would have skipped.
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

  /** Performs the tasks that are due. */
  const perform = (tasks: typeof changed) =>
    tasks.pipe(
      Effect.flatMap((due) => Effect.forEach(due, tend)),
      Effect.map((outcomes): Outcome =>
        outcomes.includes("failed") ? "failed" : outcomes.includes("put off") ? "put off" : "done"
      ),
      Effect.catch((error) =>
        Effect.as(
          Effect.logWarning("Finding which tables of the embedded database need maintenance failed.", error),
          "failed" as const
        )
      ),
      Effect.withTracerEnabled(false)
    )

  /** Sleeps in short steps, since the disk may fill up meanwhile. */
  const pause = (outcome: Outcome) =>
    Effect.gen(function*() {
      const whole = outcome === "failed" ? pauseAfterFailure : checkInterval
      const short = outcome === "failed" ? Duration.seconds(10) : checkIntervalWhenFull
      for (let slept = 0; slept < Duration.toMillis(whole); slept += Duration.toMillis(short)) {
        yield* Effect.sleep(short)
        if (isFull()) return
      }
    })

  const performChanged = Effect.suspend(() => perform(isFull() ? changedWhenFull : changed))

  /** Runs the work that earlier runs left, once for each table that needs it, and besides that of tables that have changed since. */
  const performLeft = Effect.repeat(
    Effect.tap(
      perform(left),
      (outcome) => Effect.andThen(pause(outcome), Effect.when(performChanged, Effect.succeed(outcome === "put off")))
    ),
    { while: (outcome) => outcome === "put off" }
  )

  yield* Effect.sleep(checkInterval).pipe(
    Effect.andThen(performLeft),
    Effect.andThen(
      Effect.forever(Effect.flatMap(performChanged, pause))
    ),
    Background.behindOthers,
    Effect.forkScoped
  )
})

/** Analyses and vacuums the tables of the client's PGlite as they change, until the scope closes. */
export const layerNoDeps = (options: AutovacuumOptions, sizes = defaultSizes) =>
  Layer.effectDiscard(make(options, sizes))
