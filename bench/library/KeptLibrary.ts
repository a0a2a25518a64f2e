/**
 * A PostgreSQL server with one library of a million files and 200 of 5,000. Made once, in minutes, and kept below the
 * system's temporary directory for later runs, under a name that changes with the schema and with how it is made.
 */
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { glob, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startPostgres } from "../../packages/testing/src/PostgresServer.ts"
import { libraryFiles, smallLibraries } from "../Settings.ts"
import { type LibraryDrive, onPostgres } from "./LibraryDrive.ts"
import { seed, type SeededLibrary } from "./Seed.ts"

/** What the rows of the kept database depend on. */
const sources = [
  "bench/library/Seed.ts",
  "bench/library/Shape.ts",
  "packages/core/src/database/migrations/*.ts",
  "packages/core/src/catalog/SearchableFile.ts",
  "packages/core/src/search/{Doc,NameKey,Segment,SegmentColumns,SegmentOfDocs,Words}.ts"
]

const root = join(import.meta.dirname, "../..")

const fingerprint = async (): Promise<string> => {
  const hash = createHash("sha256").update(`${libraryFiles} ${smallLibraries}`)
  const paths: Array<string> = []
  for await (const path of glob(sources, { cwd: root })) paths.push(path)
  for (const path of paths.sort()) hash.update(await readFile(join(root, path)))
  return hash.digest("hex").slice(0, 12)
}

const userId = (at: number) => `019845e1-682f-7b02-a706-${at.toString(16).padStart(12, "0")}`

/** The library that is measured. */
export const largest: SeededLibrary = { userId: userId(1), seed: 1, files: libraryFiles, folders: 2_000, tags: 400 }

const small = (at: number): SeededLibrary => ({ userId: userId(at), seed: at, files: 5_000, folders: 40, tags: 40 })

const libraries = [largest, ...Array.from({ length: smallLibraries }, (_, at) => small(at + 2))]

/** As a server of a few gigabytes of memory is set up; autovacuum stays, but would only disturb what does not change. */
const settings = ["shared_buffers=2GB", "effective_cache_size=6GB", "max_wal_size=8GB", "checkpoint_timeout=30min"]
const whileSeeding = ["fsync=off", "synchronous_commit=off", "autovacuum=off"]

const make = async (keptAt: string) => {
  console.error(`Making ${libraries.length} libraries at ${keptAt}; this takes some minutes, once.`)
  await rm(keptAt, { recursive: true, force: true })
  const server = await startPostgres({ keptAt, settings: [...settings, ...whileSeeding] })
  try {
    const drive = onPostgres(server.url)
    await drive.runPromise(seed(libraries))
    await drive.dispose()
  } finally {
    await server.stop()
  }
  await writeFile(join(keptAt, "whole"), "")
}

/** Hands the kept libraries to `work`, which leaves them as they were. */
export const withKeptLibrary = async <A>(work: (drive: LibraryDrive, url: string) => Promise<A>): Promise<A> => {
  const keptAt = join(tmpdir(), `filedrive-bench-library-${await fingerprint()}`)
  if (!existsSync(join(keptAt, "whole"))) await make(keptAt)
  const server = await startPostgres({ keptAt, settings })
  const drive = onPostgres(server.url)
  try {
    await drive.runPromise(Effect.void)
    return await work(drive, server.url)
  } finally {
    await drive.dispose()
    await server.stop()
  }
}
