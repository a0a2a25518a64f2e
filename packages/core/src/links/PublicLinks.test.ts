/** Who may use a public link, over HTTP and in the service. */
import { assert, layer } from "@effect/vitest"
import { DateTime, Effect, Exit, Layer } from "effect"
import { TestClock } from "effect/testing"
import { newRequest, open, proxy, unknownId } from "../../test/LinksTest.ts"
import { ManualJobs } from "../../test/ManualJobs.ts"
import { TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { signedIn, testHttp, TestLog } from "../../test/TestHttp.ts"
import { AccountsAdmin } from "../accounts/AccountsAdmin.ts"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { ActiveAccounts } from "../accounts/ActiveAccounts.ts"
import { Database } from "../database/Database.ts"
import { JobsWorker } from "../jobs/JobsWorker.ts"
import { PasswordHasher } from "../ports/PasswordHasher.ts"
import type { AccountId } from "../shared/Ids.ts"
import type { Link } from "./Link.ts"
import { LinkAccessesRepo } from "./LinkAccessesRepo.ts"
import { LinkCall } from "./LinkCall.ts"
import { PublicLinks } from "./PublicLinks.ts"

layer(testHttp({ rateLimits: false, trustedProxies: proxy }))("a public link", (it) => {
  it.effect("LINK-2 what leads nowhere and a wrong password answer alike", () =>
    Effect.gen(function*() {
      const { id, userId } = yield* newRequest({ password: "correct horse" })
      const other = yield* newRequest()
      const wrong = yield* open(id, "wrong")
      assert.deepStrictEqual([wrong.status, wrong.body.code], [404, "not_found"])
      assert.notInclude(JSON.stringify(wrong.body), id)
      for (const requestId of [unknownId, "nothing", "", "00000000-0000-0000-0000-000000000000", `${id} `]) {
        assert.deepStrictEqual((yield* open(requestId, "wrong")).body, wrong.body)
        assert.deepStrictEqual((yield* open(requestId)).body, wrong.body)
      }
      yield* AccountsAdmin.use((admin) => admin.suspend(userId))
      assert.deepStrictEqual((yield* open(id, "correct horse")).body, wrong.body)
      assert.strictEqual((yield* open(other.id.toUpperCase())).status, 200)
    }))

  it.effect("LINK-3 LINK-4 a password opens its link, and its access token is good for a day there", () =>
    Effect.gen(function*() {
      const { id } = yield* newRequest({ password: "correct horse" })
      const other = yield* newRequest({ password: "correct horse" })
      const needed = yield* open(id)
      assert.deepStrictEqual([needed.status, needed.body.code], [403, "password_needed"])
      const { body, status } = yield* open(id, "correct horse")
      assert.strictEqual(status, 200)
      const access = { "x-link-access": body.accessToken as string }
      const again = yield* open(id, undefined, access)
      assert.strictEqual(again.status, 200)
      assert.notProperty(again.body, "accessToken")
      assert.strictEqual((yield* open(other.id, undefined, access)).status, 403)
      assert.strictEqual((yield* open(id, undefined, { "x-link-access": "guess" })).status, 403)
      yield* TestClock.adjust("23 hours")
      assert.strictEqual((yield* open(id, undefined, access)).status, 200)
      yield* TestClock.adjust("1 hour")
      assert.strictEqual((yield* open(id, undefined, access)).status, 403)
    }))

  it.effect("LINK-3 a link without a password gives no access token, whatever is sent", () =>
    Effect.gen(function*() {
      const { id } = yield* newRequest()
      for (const password of [undefined, "anything"]) {
        const { body, status } = yield* open(id, password, { "x-link-access": "anything" })
        assert.strictEqual(status, 200)
        assert.notProperty(body, "accessToken")
      }
    }))

  it.effect("LINK-7 two spellings of a password that look the same are the same", () =>
    Effect.gen(function*() {
      const { id } = yield* newRequest({ password: "café" })
      assert.strictEqual((yield* open(id, "cafe\u0301")).status, 200)
    }))

  it.effect("LINK-9 neither passwords nor tokens nor ids of links are logged, or stored as they are", () =>
    Effect.gen(function*() {
      const { id } = yield* newRequest({ password: "correct horse battery" })
      const { body } = yield* open(id, "correct horse battery")
      yield* open(id, "wrong horse battery")
      const lines = (yield* TestLog).join("\n")
      const { sql, tables: t } = yield* Database
      const stored = JSON.stringify([
        yield* sql`SELECT r.*::text FROM ${t.file_requests} r`,
        yield* sql`SELECT a.*::text FROM ${t.link_accesses} a`
      ])
      for (const secret of ["horse battery", body.accessToken as string]) {
        assert.notInclude(lines, secret)
        assert.notInclude(stored, secret)
      }
      assert.notInclude(lines, id)
    }))

  it.effect("LINK-4 a token that is given while the password changes opens nothing", () =>
    Effect.gen(function*() {
      const links = yield* PublicLinks
      const hasher = yield* PasswordHasher
      const { userId: accountId } = yield* signedIn
      const link = { id: unknownId, accountId, passwordHash: yield* hasher.hash("old") }
      const asSomebody = Effect.provideService(LinkCall, {
        accessToken: null,
        network: null,
        limits: { count: () => Effect.void, guess: (_id, check) => check }
      })
      const opened = (password: string) => asSomebody(links.open(link.id, password, () => Effect.succeed(link)))
      const { accessToken } = yield* opened("old")
      const entering = (link: Link, token: string | undefined) =>
        Effect.exit(
          links.enter(link.id, () => Effect.succeed(link)).pipe(Effect.provideService(LinkCall, {
            accessToken: token ?? null,
            network: null,
            limits: { count: () => Effect.void, guess: (_id, check) => check }
          }))
        )
      assert.isTrue(Exit.isSuccess(yield* entering(link, accessToken)))
      const changed = { ...link, passwordHash: yield* hasher.hash("old") }
      assert.isTrue(Exit.isFailure(yield* entering(changed, accessToken)))
      assert.isTrue(Exit.isSuccess(yield* entering({ ...link, passwordHash: null }, undefined)))
      yield* links.forget(accountId, link.id)
      assert.isTrue(Exit.isFailure(yield* entering(link, accessToken)))
    }))

  it.effect("LINK-4 a link has at most 1,000 access tokens, and ended ones are swept", () =>
    Effect.gen(function*() {
      const { id } = yield* newRequest({ password: "p" })
      const { sql, tables: t } = yield* Database
      const first = (yield* open(id, "p")).body.accessToken as string
      const later = DateTime.toDateUtc(DateTime.add(yield* DateTime.now, { days: 2 }))
      yield* sql`
        INSERT INTO ${t.link_accesses} (token_hash, account_id, link_id, expire_time)
        SELECT decode(lpad(to_hex(n), 64, '0'), 'hex'), a.account_id, a.link_id, ${later}
        FROM ${t.link_accesses} a, generate_series(1, 1000) n WHERE a.link_id = ${id}
      `
      const last = (yield* open(id, "p")).body.accessToken as string
      const [row] = yield* sql<{ readonly count: number }>`
        SELECT count(*)::int AS count FROM ${t.link_accesses} WHERE link_id = ${id}
      `
      assert.strictEqual(row!.count, 1_000)
      assert.strictEqual((yield* open(id, undefined, { "x-link-access": first })).status, 403)
      assert.isString(last)
    }))
})

const byAnyone = Effect.provideService(LinkCall, {
  accessToken: null,
  network: null,
  limits: { count: () => Effect.void, guess: (_id, check) => check }
})

/** A hasher for which "right" is the password of every link, and that notes what it was asked. */
const noting = Effect.gen(function*() {
  const asked: Array<readonly [password: string, stored: string | null]> = []
  const hasher = PasswordHasher.of({
    hash: (password) => Effect.succeed(`stored ${password}`),
    verify: (password, stored) =>
      Effect.sync(() => asked.push([password, stored]) > 0 && stored === `stored ${password}`)
  })
  const links = yield* Effect.provide(
    PublicLinks,
    Layer.fresh(PublicLinks.layerNoDeps).pipe(
      Layer.provide([
        LinkAccessesRepo.layer,
        ActiveAccounts.layer,
        Layer.fresh(ManualJobs.layer),
        Layer.succeed(PasswordHasher, hasher)
      ])
    )
  )
  return { asked, links }
})

layer(TestDrive)("a link in the service", (it) => {
  it.effect("LINK-2 a password is compared whether the link is there or not", () =>
    Effect.gen(function*() {
      const { asked, links } = yield* noting
      const [owner, gone] = [
        yield* TestAccounts.use((users) => users.add({})),
        yield* TestAccounts.use((users) => users.add({ suspended: true }))
      ]
      const linkOf = (accountId: AccountId): Link => ({ id: unknownId, accountId, passwordHash: "stored right" })
      for (const link of [linkOf(owner), linkOf(gone), null]) {
        const code = yield* byAnyone(Effect.flip(links.open(unknownId, "wrong", () => Effect.succeed(link))))
        assert.strictEqual(code.code, "not_found")
      }
      yield* byAnyone(Effect.flip(links.open("no id", "wrong", () => Effect.succeed(null))))
      assert.deepStrictEqual(asked, [["wrong", "stored right"], ["wrong", null], ["wrong", null], ["wrong", null]])
    }))

  it.effect("LINK-4 access that has ended is swept", () =>
    Effect.gen(function*() {
      const accountId = yield* TestAccounts.use((users) => users.add({}))
      yield* AccountTransaction.use((transaction) => transaction.open(accountId))
      const links = yield* PublicLinks
      const passwordHash = yield* PasswordHasher.use((hasher) => hasher.hash("right"))
      const link: Link = { id: unknownId, accountId, passwordHash }
      yield* byAnyone(links.open(unknownId, "right", () => Effect.succeed(link)))
      const { sql, tables: t } = yield* Database
      const count = Effect.map(
        sql<{ readonly count: number }>`SELECT count(*)::int AS count FROM ${t.link_accesses}`,
        ([row]) => row!.count
      )
      const sweep = JobsWorker.use((worker) => worker.runDue)
      yield* TestClock.adjust("23 hours")
      yield* sweep
      assert.strictEqual(yield* count, 1)
      yield* TestClock.adjust("2 hours")
      yield* sweep
      assert.strictEqual(yield* count, 0)
    }))
})
