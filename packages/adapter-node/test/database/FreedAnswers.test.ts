/** What a connection keeps of answers that it has handed out. */
import { assert, layer as testLayer } from "@effect/vitest"
import { Effect, Fiber, Layer, Ref } from "effect"
import { SqlClient } from "effect/sql"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import * as Postgres from "../../src/database/Postgres.ts"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

const server = Layer.unwrap(
  Effect.promise(async () => Postgres.layer({ url: await postgresUrl(), maxConnections: 1 }))
)

testLayer(server, { timeout: "60 seconds" })("A connection that is never without a statement", (it) => {
  it.effect("DB-120 keeps no answer that its caller has received", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const isOver = yield* Ref.make(false)
      // Each of them is sent before the other is answered.
      const always = sql`SELECT pg_sleep(0.002)::text`.pipe(Effect.repeat({ until: () => Ref.get(isOver) }))
      const busy = yield* Effect.forkChild(Effect.all(Array.from({ length: 3 }, () => always), {
        concurrency: "unbounded"
      }))
      const refs = yield* Effect.forEach(Array.from({ length: 20 }), () =>
        Effect.map(sql`SELECT repeat('x', 100000) AS text`, ([row]) => new WeakRef(row as object)))
      // A row lives until the turn of the event loop ends in which it was looked at.
      yield* Effect.promise(() =>
        new Promise((resolve) => setImmediate(resolve))
      )
      collect()
      // The last one may still be on the stack of whoever has read it.
      const kept = refs.slice(0, -1).filter((ref) => ref.deref() !== undefined).length
      yield* Ref.set(isOver, true)
      yield* Fiber.join(busy)
      assert.strictEqual(kept, 0)
    }))
})
