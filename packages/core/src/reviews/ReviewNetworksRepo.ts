/** Counts of the notes that each address left on a review, in SQL. The only module that reads or writes `review_networks`. */
import { Context, Effect, Layer } from "effect"
import { Hex } from "effect/encoding"
import * as Column from "../database/Column.ts"
import { Database } from "../database/Database.ts"
import type { AccountId, ReviewId } from "../shared/Ids.ts"
import type { FromNetwork, NetworkDelta, ReviewBounds } from "./ReviewDelta.ts"

const make = Effect.gen(function*() {
  const { sql, tables: t } = yield* Database

  /** Adds to the counts of an address. False, and nothing is added, if they would exceed `most`. */
  const take = (
    accountId: AccountId,
    reviewId: ReviewId,
    networkHash: Uint8Array,
    { held, textBytes }: NetworkDelta,
    most: ReviewBounds
  ) =>
    sql`
      INSERT INTO ${t.review_networks} AS w (review_id, network_hash, account_id, held_notes, text_bytes)
      VALUES (${reviewId}, ${networkHash}, ${accountId}, ${held}::int, ${textBytes}::bigint)
      ON CONFLICT (review_id, network_hash) DO UPDATE
      SET held_notes = w.held_notes + ${held}::int, text_bytes = w.text_bytes + ${textBytes}::bigint
      WHERE w.account_id = ${accountId}
        AND (${held}::int <= 0 OR w.held_notes + ${held}::int <= ${most.notes}::int)
        AND (${textBytes}::bigint <= 0 OR w.text_bytes + ${textBytes}::bigint <= ${most.textBytes}::bigint)
      RETURNING 1
    `.pipe(Effect.map((rows) => rows.length > 0), Effect.orDie)

  /** Subtracts the counts of deleted notes. The row of an address without notes is deleted. */
  const giveBack = Effect.fnUntraced(
    function*(accountId: AccountId, reviewId: ReviewId, gone: ReadonlyArray<FromNetwork>) {
      const sums = new Map<string, NetworkDelta>()
      for (const { held, networkHash, textBytes } of gone) {
        if (networkHash === null) continue
        const hash = Hex.encode(networkHash)
        const sum = sums.get(hash) ?? { held: 0, textBytes: 0 }
        sums.set(hash, { held: sum.held + held, textBytes: sum.textBytes + textBytes })
      }
      if (sums.size === 0) return
      const returned = sql`
        unnest(
          ${Column.of([...sums.keys()])}::text::text[], ${
        Column.of([...sums.values()].map(({ held }) => held))
      }::text::int[],
          ${Column.of([...sums.values()].map(({ textBytes }) => textBytes))}::text::bigint[]
        ) AS g (hash, held, bytes)
        WHERE w.review_id = ${reviewId} AND w.account_id = ${accountId} AND w.network_hash = decode(g.hash, 'hex')
      `
      yield* sql`DELETE FROM ${t.review_networks} w USING ${returned} AND w.held_notes <= g.held`
      yield* sql`
        UPDATE ${t.review_networks} w SET held_notes = w.held_notes - g.held, text_bytes = w.text_bytes - g.bytes FROM ${returned}
      `
    },
    Effect.orDie
  )

  return { take, giveBack }
})

export class ReviewNetworksRepo extends Context.Service<ReviewNetworksRepo, Effect.Success<typeof make>>()(
  "@filedrive/core/reviews/ReviewNetworksRepo"
) {
  static readonly layer = Layer.effect(ReviewNetworksRepo, make)
}
