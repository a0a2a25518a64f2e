import { assert, describe, it } from "@effect/vitest"
import { DatabaseFault, WritePurpose } from "@filedrive/core"
import { Effect } from "effect"
import type { RoomLeft } from "../DiskReserve.ts"
import { isWrite, roomAdmission } from "./RoomAdmission.ts"

describe("the room on the embedded database's disk", () => {
  it.each([
    ["INSERT INTO a (b) VALUES ($1)", true],
    ["WITH c AS (UPDATE a SET b = $1 RETURNING b) SELECT b FROM c", true],
    ["DELETE FROM a WHERE b = $1", false],
    ["SELECT b FROM a FOR UPDATE", false],
    ["SELECT b FROM a\n  FOR NO KEY\n UPDATE SKIP LOCKED", false],
    ["SELECT update_time FROM a", false],
    ["VACUUM a", false],
    ["COMMIT", false]
  ])("DB-45 %s makes rows: %s", (sql, expected) => {
    assert.strictEqual(isWrite(sql), expected)
  })

  it.effect("DB-45 who frees may use all of the reserve, who serves half of it, who adds nothing", () =>
    Effect.gen(function*() {
      let left: RoomLeft = "ample"
      const admission = roomAdmission({ room: () => left, lookAtRoom: () => Promise.resolve(left) })
      const ask = admission.check("INSERT INTO a (b) VALUES ($1)")
      const told = (effect: typeof ask) =>
        Effect.match(DatabaseFault.told(effect), {
          onSuccess: () => "taken",
          onFailure: (error) => "code" in error ? error.code : error._tag
        })
      const all = Effect.all([told(ask), told(WritePurpose.serving(ask)), told(WritePurpose.freeing(ask))])
      assert.isTrue(admission.isOpen())
      assert.deepStrictEqual(yield* all, ["taken", "taken", "taken"])
      left = "low"
      assert.isFalse(admission.isOpen())
      assert.deepStrictEqual(yield* all, ["no_space", "taken", "taken"])
      left = "scarce"
      assert.deepStrictEqual(yield* all, ["no_space", "no_space", "taken"])
      // What serves within what frees, as a job does that is asked for by a deletion, is part of that.
      assert.strictEqual(yield* told(WritePurpose.freeing(WritePurpose.serving(ask))), "taken")
      yield* admission.check("DELETE FROM a")
    }))
})
