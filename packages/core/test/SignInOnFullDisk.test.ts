/** Signing in while the disk of the database is full: it continues, and takes no more room than is bounded. */
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Statement } from "effect/sql"
import { ApiTokens } from "../src/accounts/ApiTokens.ts"
import { CurrentAccount, unlimited } from "../src/accounts/CurrentAccount.ts"
import { Sessions } from "../src/accounts/Sessions.ts"
import * as WritePurpose from "../src/database/WritePurpose.ts"
import * as Limits from "../src/limits/Limits.ts"
import type { AccountId } from "../src/shared/Ids.ts"
import * as Checked from "./Checked.ts"
import { newUser, TestServices } from "./TestHttp.ts"

/** Whether the disk is full. */
const disk = { isFull: false }

const Disk = Layer.succeed(WritePurpose.TakesMore, Effect.sync(() => !disk.isFull))

const whileFull = Effect.acquireRelease(
  Effect.sync(() => disk.isFull = true),
  () => Effect.sync(() => disk.isFull = false)
)

const tokenOf = Effect.fnUntraced(function*(accountId: AccountId, name: string) {
  const tokens = yield* ApiTokens
  const token = { name: Checked.tokenName(name), limits: unlimited, expireTime: null }
  return (yield* Effect.provideService(tokens.create(token), CurrentAccount, {
    id: accountId,
    tokenId: null,
    limits: unlimited
  })).text
})

/** The purposes of what writes. */
const purposes = Effect.fnUntraced(function*<A, E, R>(effect: Effect.Effect<A, E, R>) {
  const found = new Set<WritePurpose.Purpose>()
  yield* effect.pipe(
    Effect.provideService(Statement.CurrentTransformer, (statement) =>
      Effect.withFiber((fiber) => {
        if (/\bINSERT\b/.test(statement.compile()[0])) found.add(fiber.getRef(WritePurpose.WritePurpose))
        return Effect.succeed(statement)
      }))
  )
  return [...found]
})

const most = Limits.sessionsOnFullDisk

layer(Layer.fresh(TestServices).pipe(Layer.provide(Disk)), { timeout: "60 seconds" })("a full disk", (it) => {
  it.effect("DB-46 signing in frees room, as deleting does, by an API token and by the host", () =>
    Effect.gen(function*() {
      const [sessions, tokens] = [yield* Sessions, yield* ApiTokens]
      const me = yield* newUser()
      const text = yield* tokenOf(me, "a")
      assert.deepStrictEqual(yield* purposes(tokens.exchange(text)), ["frees"])
      assert.deepStrictEqual(yield* purposes(sessions.open(me)), ["frees"])
    }))

  it.effect("DB-70 with room every session is added", () =>
    Effect.gen(function*() {
      const [sessions, tokens] = [yield* Sessions, yield* ApiTokens]
      const me = yield* newUser()
      const text = yield* tokenOf(me, "a")
      yield* Effect.replicateEffect(tokens.exchange(text), most + 5, { discard: true })
      assert.strictEqual((yield* sessions.list(me)).length, most + 5)
    }))

  it.effect("DB-70 without room a session takes the place of the oldest of its token, and ends no other's", () =>
    Effect.gen(function*() {
      const [sessions, tokens] = [yield* Sessions, yield* ApiTokens]
      const [me, other] = [yield* newUser(), yield* newUser()]
      const [mine, limited, others] = [yield* tokenOf(me, "mine"), yield* tokenOf(me, "b"), yield* tokenOf(other, "c")]
      const opened = yield* sessions.open(me)
      const first = yield* tokens.exchange(mine)
      yield* tokens.exchange(others)
      yield* whileFull
      yield* Effect.replicateEffect(tokens.exchange(limited), most + 20, { discard: true })
      assert.strictEqual((yield* sessions.list(me)).length, most + 2)
      assert.strictEqual((yield* sessions.list(other)).length, 1)
      // However many that token has, the user's others sign in beside their own.
      const second = yield* tokens.exchange(mine)
      const anew = yield* sessions.open(me)
      for (const { token } of [opened, first, second, anew]) {
        assert.strictEqual((yield* sessions.resolve(token, "/api")).id, me)
      }
      yield* Effect.replicateEffect(sessions.open(me), most, { discard: true })
      assert.strictEqual((yield* sessions.list(me)).length, 2 * most + 2)
      for (const { token } of [first, second]) assert.strictEqual((yield* sessions.resolve(token, "/api")).id, me)
      // One that has none is let in all the same.
      const late = yield* tokens.create({ name: Checked.tokenName("late"), limits: unlimited, expireTime: null }).pipe(
        Effect.provideService(CurrentAccount, { id: me, tokenId: null, limits: unlimited })
      )
      yield* tokens.exchange(late.text)
      assert.strictEqual((yield* sessions.list(me)).length, 2 * most + 3)
    }).pipe(Effect.scoped))

  it.effect("DB-70 what is refused ends no session", () =>
    Effect.gen(function*() {
      const [sessions, tokens] = [yield* Sessions, yield* ApiTokens]
      const me = yield* newUser()
      yield* whileFull
      yield* Effect.replicateEffect(sessions.open(me), most, { discard: true })
      const nowhere = { permissions: null, folderId: "019a0000-0000-7000-8000-000000000009" } as never
      assert.strictEqual((yield* Effect.flip(sessions.open(me, nowhere)))._tag, "NotFound")
      yield* Effect.flip(tokens.exchange(Checked.tokenText("fdt_nobody0000000000000000000000")))
      assert.strictEqual((yield* sessions.list(me)).length, most)
    }).pipe(Effect.scoped))
})
