/** New embedded databases: from the one prepared with the release, or by initdb where that can't be used. */
import { assert, describe, it } from "@effect/vitest"
import { Database, DatabaseSchema, migrate } from "@filedrive/core"
import { TestDatabase } from "@filedrive/testing"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll } from "vitest"
import * as Pglite from "../../src/database/Pglite.ts"
import { checkDirectory } from "../../src/database/PgliteDirectory.ts"
import { makeDatabase } from "../../src/database/PgliteMaking.ts"
import { type Prepared, preparedFile, readPrepared } from "../../src/database/PreparedDatabase.ts"
import { start } from "./ChildProcess.ts"
import { shape } from "./Shape.ts"

const root = mkdtempSync(join(tmpdir(), "filedrive-prepared-test-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const prepared = readPrepared()!

/** Cut off, so that PGlite can't open it, as another version of PGlite may refuse it. */
const refused: Prepared = {
  ...prepared,
  pglite: "0.0.0",
  files: prepared.files.filter(({ path }) => !path.startsWith("pg_xact/"))
}

/** Each initdb makes a new id, so the id tells which one made a database. */
const idOf = (data: string) => readFileSync(join(data, "global/pg_control")).toString("hex", 0, 8)

const preparedId = () => {
  const { offset } = prepared.files.find(({ path }) => path === "global/pg_control")!
  return prepared.bytes.toString("hex", offset, offset + 8)
}

const inDirectory = <A, E>(directory: string, work: Effect.Effect<A, E, Database | SqlClient.SqlClient>) =>
  Effect.provide(work, Layer.provideMerge(Database.layer, Pglite.layer({ directory })))

describe("a new embedded database", () => {
  it.live(
    "DB-91 is a copy of the prepared one, in which migrations make what they make anywhere",
    () =>
      Effect.gen(function*() {
        const directory = join(root, "first")
        const made = yield* inDirectory(directory, Effect.andThen(migrate, shape))
        assert.strictEqual(idOf(join(directory, "data")), preparedId())
        assert.deepStrictEqual(made, yield* Effect.provide(shape, TestDatabase.layerMemoryNew))
      }),
    120_000
  )

  it.live("DB-112 has no tables but the drive's, under whatever name their schema has", () =>
    Effect.gen(function*() {
      const directory = join(root, "named")
      const schemas = SqlClient.SqlClient.use((sql) =>
        sql<{ readonly name: string }>`SELECT nspname AS name FROM pg_namespace WHERE oid >= 16384`
      )
      const found = yield* Effect.andThen(migrate, schemas).pipe(
        Effect.provide(
          Database.layer.pipe(
            Layer.provideMerge(Pglite.layer({ directory })),
            Layer.provide(Layer.succeed(DatabaseSchema, "elsewhere"))
          )
        )
      )
      assert.deepStrictEqual(found, [{ name: "elsewhere" }])
      assert.strictEqual(idOf(join(directory, "data")), preparedId())
    }), 60_000)

  it.live(
    "DB-92 is made anew by the next start when the process was killed while it made it",
    () =>
      Effect.gen(function*() {
        const directory = join(root, "killed")
        for (const millis of [60, 120, 240, 480, 960, 1_920]) {
          const child = start(["migrate", directory])
          yield* Effect.sleep(millis)
          yield* Effect.promise(child.kill)
        }
        const found = yield* inDirectory(directory, Effect.andThen(migrate, shape))
        assert.isAbove(found.length, 100)
        assert.notInclude(readdirSync(directory).join(" "), "unfinished")
      }),
    120_000
  )

  it.live(
    "DB-92 is not the unfinished one that a killed process left",
    () =>
      Effect.gen(function*() {
        const directory = join(root, "half")
        const data = join(directory, "data")
        const half = { ...prepared, files: prepared.files.slice(0, 100), pglite: "0.0.0" }
        const crash = makeDatabase(directory, `${data}.unfinished`, { prepared: () => half })
        yield* Effect.promise(() => crash.catch(() => undefined))
        yield* inDirectory(directory, migrate)
        assert.strictEqual(idOf(data), preparedId())
        assert.notInclude(readdirSync(directory), "data.unfinished")
      }),
    60_000
  )

  it.live("DB-93 is made by initdb when there is no prepared one, or PGlite refuses it", () =>
    Effect.gen(function*() {
      for (const [name, given] of [["none", undefined], ["refused", refused]] as const) {
        const directory = join(root, name)
        const data = join(directory, "data")
        yield* Effect.promise(() => makeDatabase(directory, data, { prepared: () => given }))
        checkDirectory(data)
        assert.notStrictEqual(idOf(data), preparedId())
      }
    }), 120_000)

  it.live("DB-93 is a copy for another version of PGlite too, if that opens it", () =>
    Effect.gen(function*() {
      const directory = join(root, "other")
      const data = join(directory, "data")
      yield* Effect.promise(() => makeDatabase(directory, data, { prepared: () => ({ ...prepared, pglite: "0.0.0" }) }))
      checkDirectory(data)
      assert.strictEqual(idOf(data), preparedId())
    }), 60_000)
})

it("DB-93 a prepared database that is cut off or missing is not used", () => {
  const file = join(root, "cut.br")
  writeFileSync(file, readFileSync(preparedFile).subarray(0, 10_000))
  assert.isUndefined(readPrepared(pathToFileURL(file)))
  assert.isUndefined(readPrepared(pathToFileURL(`${file}.missing`)))
})
