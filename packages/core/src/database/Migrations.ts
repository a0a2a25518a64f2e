/**
 * Brings the database to the shape this version needs. Safe to run on every
 * start and from many processes at once: one works, the others wait and find
 * nothing left to do.
 */
import { Effect, Schema } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { Database } from "./Database.ts"
import { type NumberedSteps, ordered } from "./MigrationOrder.ts"
import drive from "./migrations/0001_drive.ts"
import search from "./migrations/0002_search.ts"
import organize from "./migrations/0003_organize.ts"
import feed from "./migrations/0004_feed.ts"
import media from "./migrations/0005_media.ts"
import archives from "./migrations/0006_archives.ts"
import imports from "./migrations/0007_imports.ts"
import searchSegments from "./migrations/0008_search_segments.ts"
import revision from "./migrations/0009_revision.ts"
import usage from "./migrations/0010_usage.ts"
import jobTurns from "./migrations/0012_job_turns.ts"
import forms from "./migrations/0013_forms.ts"
import configuredTokens from "./migrations/0014_configured_tokens.ts"
import scrub from "./migrations/0017_scrub.ts"
import archiveBounds from "./migrations/0018_archive_bounds.ts"
import lastingLinks from "./migrations/0019_lasting_links.ts"
import lastingRemovals from "./migrations/0020_lasting_removals.ts"
import addedPermissions from "./migrations/0023_added_permissions.ts"
import folderArrivals from "./migrations/0024_folder_arrivals.ts"
import organizeBounds from "./migrations/0026_organize_bounds.ts"
import doomedOrder from "./migrations/0027_doomed_order.ts"
import words from "./migrations/0028_words.ts"
import uploadHolds from "./migrations/0029_upload_holds.ts"
import driveFeed from "./migrations/0030_drive_feed.ts"
import frameRate from "./migrations/0037_frame_rate.ts"
import dueJobs from "./migrations/0044_due_jobs.ts"
import * as StatementTime from "./StatementTime.ts"
import * as TransactionNumbers from "./TransactionNumbers.ts"
import * as WritePurpose from "./WritePurpose.ts"

type Step = Effect.Effect<void, unknown, Database>

/**
 * The steps that belong to no single feature, oldest first: the first ones made the tables of several. A step that belongs to
 * a feature is in its folder. Numbers count through all of them and only ever grow.
 */
export const steps: Readonly<Record<string, Step>> = {
  "0001_drive": drive,
  "0002_search": search,
  "0003_organize": organize,
  "0004_feed": feed,
  "0005_media": media,
  "0006_archives": archives,
  "0007_imports": imports,
  "0008_search_segments": searchSegments,
  "0009_revision": revision,
  "0010_usage": usage,
  "0012_job_turns": jobTurns,
  "0013_forms": forms,
  "0014_configured_tokens": configuredTokens,
  "0017_scrub": scrub,
  "0018_archive_bounds": archiveBounds,
  "0019_lasting_links": lastingLinks,
  "0020_lasting_removals": lastingRemovals,
  "0023_added_permissions": addedPermissions,
  "0024_folder_arrivals": folderArrivals,
  "0026_organize_bounds": organizeBounds,
  "0027_doomed_order": doomedOrder,
  "0028_words": words,
  "0029_upload_holds": uploadHolds,
  "0030_drive_feed": driveFeed,
  "0037_frame_rate": frameRate,
  "0044_due_jobs": dueJobs
}

/** The database was brought up to date by a later version of the drive. Run that version, or restore a backup. */
export class DatabaseTooNew extends Schema.TaggedError<DatabaseTooNew>()("DatabaseTooNew", {
  schema: Schema.String,
  found: Schema.Int,
  known: Schema.Int
}) {
  override get message() {
    return `The tables in the schema "${this.schema}" are at version ${this.found} and this release of filedrive knows`
      + ` only ${this.known}. Start the release that made them, or a newer one.`
  }
}

/** There is no drive in the database, or one of an earlier release that this one has not brought up to date yet. */
export class DatabaseNotMigrated extends Schema.TaggedError<DatabaseNotMigrated>()("DatabaseNotMigrated", {
  schema: Schema.String,
  found: Schema.NullOr(Schema.Int),
  needed: Schema.Int
}) {
  override get message() {
    return this.found === null
      ? `There are no tables of a drive in the schema "${this.schema}".`
      : `The tables in the schema "${this.schema}" are at version ${this.found}, and this release of filedrive needs`
        + ` ${this.needed}. Start the drive with it once: that brings them up to date.`
  }
}

/** The database can't hold a drive. The message says why, and what to do. */
export class DatabaseUnfit extends Schema.TaggedError<DatabaseUnfit>()("DatabaseUnfit", { because: Schema.String }) {
  override get message() {
    return this.because
  }
}

const oldestServer = 15

/** What of a database the drive depends on, and can't change. */
interface Facts {
  readonly encoding: string
  readonly version: number
  /** Whether there is a drive in the schema. */
  readonly made: boolean
}

const unfit = ({ encoding, version }: Facts): string | undefined => {
  if (version < oldestServer * 10_000) {
    return `The database's server is PostgreSQL ${
      Math.floor(version / 10_000)
    }; the drive needs ${oldestServer} or later.`
  }
  if (encoding !== "UTF8") {
    return `The encoding of the database is ${encoding}, which lacks characters of file names; the drive needs UTF8: ` +
      "make a database by CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0."
  }
  return undefined
}

/** Any number that nobody else locks; these are the letters of "filedriv". */
const lockKey = 0x66_69_6c_65n << 32n | 0x64_72_69_76n

/** The migrations of a drive: {@link steps}, and those that its features add. Throws when their numbers are not {@link ordered}. */
export const make = (features: ReadonlyArray<NumberedSteps<Step>>) => {
  const all = ordered([{ name: "database", migrations: steps }, ...features])
  const newestStep = Math.max(...Object.keys(all).map((name) => Number.parseInt(name, 10)))

  /** Whether there is a drive in the schema. Fails with {@link DatabaseUnfit} where there can be none. */
  const isMade = Effect.gen(function*() {
    const { schema, sql } = yield* Database
    const [facts] = yield* sql<Facts>`
      SELECT current_setting('server_encoding') AS encoding, current_setting('server_version_num')::int AS version,
        EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = ${schema} AND tablename = 'migrations') AS made
    `
    const because = unfit(facts!)
    if (because !== undefined) return yield* new DatabaseUnfit({ because })
    return facts!.made
  })

  /**
   * Fails with {@link DatabaseUnfit}, {@link DatabaseNotMigrated} or {@link DatabaseTooNew} unless all is as this version needs
   * it. Changes nothing.
   */
  const checkMigrated = Effect.gen(function*() {
    const { schema, sql } = yield* Database
    if (!(yield* isMade)) return yield* new DatabaseNotMigrated({ schema, found: null, needed: newestStep })
    const [at] = yield* sql<{ readonly found: number | null }>`
      SELECT max(migration_id) AS found FROM ${sql(`${schema}.migrations`)}
    `
    const found = at?.found ?? null
    if (found === null || found < newestStep) {
      return yield* new DatabaseNotMigrated({ schema, found, needed: newestStep })
    }
    if (found > newestStep) return yield* new DatabaseTooNew({ schema, found, known: newestStep })
  })

  /**
   * Returns the steps that were run. They and their record are one transaction:
   * all of them, or none.
   *
   * Fails with {@link DatabaseUnfit} and {@link DatabaseTooNew}, and with `SqlError` or `MigrationError`.
   */
  const migrate = Effect.gen(function*() {
    const database = yield* Database
    const { schema, sql } = database
    const table = `${schema}.migrations`

    const newestMade = Effect.map(
      sql<{ readonly found: number | null }>`SELECT max(migration_id) AS found FROM ${sql(table)}`,
      ([at]) => at?.found ?? 0
    )

    const refuseNewer = Effect.gen(function*() {
      const found = yield* newestMade
      if (found > newestStep) return yield* new DatabaseTooNew({ schema, found, known: newestStep })
    })

    /** As at nearly every start: three statements that lock nothing, instead of twelve that wait for each other. */
    const isCurrent = Effect.gen(function*() {
      if (!(yield* isMade) || (yield* newestMade) !== newestStep) return false
      return !(yield* TransactionNumbers.isRestored(database))
    })

    const run = Migrator.make({})({
      loader: Migrator.fromRecord(
        Object.fromEntries(
          Object.entries(all).map(([name, step]) => [name, Effect.provideService(step, Database, database)])
        )
      ),
      table
    }).pipe(
      // Ours, because the host's may change the names of tables on their way.
      Effect.provideService(SqlClient.SqlClient, sql)
    )

    if (yield* isCurrent) return []
    return yield* sql.withTransaction(Effect.gen(function*() {
      // Before anything is made: IF NOT EXISTS alone fails when two sessions make the same thing.
      yield* sql`SELECT pg_advisory_xact_lock(${lockKey}::bigint)::text`
      const made = yield* sql`SELECT 1 FROM pg_namespace WHERE nspname = ${schema}`
      // Where it is there already, the right to make one may not be.
      if (made.length === 0) {
        yield* sql`CREATE SCHEMA ${sql(schema)}`
      }
      const taken = yield* run
      yield* refuseNewer
      yield* TransactionNumbers.continueAfterRestore(database)
      return taken
    }))
  }).pipe(StatementTime.patiently, WritePurpose.freeing, Effect.withSpan("Database.migrate"))

  return { checkMigrated, migrate }
}
