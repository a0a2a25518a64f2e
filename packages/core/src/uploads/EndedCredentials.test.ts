import { assert, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Layer } from "effect"
import { dropFile, drops, makeRequest, startDrop } from "../../test/DropsTest.ts"
import { credentialOf, runJobs } from "../../test/TasksTest.ts"
import { as, TestAccounts } from "../../test/TestAccounts.ts"
import { TestDrive } from "../../test/TestDrive.ts"
import { balance, held, input, post, put, type UploadCall } from "../../test/UploadsTest.ts"
import { AccountsAdmin } from "../accounts/AccountsAdmin.ts"
import { ApiTokens } from "../accounts/ApiTokens.ts"
import { CurrentAccount, unlimited } from "../accounts/CurrentAccount.ts"
import { GrantTokens } from "../accounts/GrantTokens.ts"
import type { AccountId, ApiTokenId } from "../shared/Ids.ts"
import { FormEnds } from "./FormEnds.ts"
import { Forms } from "./Forms.ts"
import { Inserts } from "./Inserts.ts"
import { Uploads } from "./Uploads.ts"

const newOwner = TestAccounts.use((users) => users.add())
const file = (owner: AccountId, fileSize: number, name: string) =>
  input(owner, fileSize, { objectKey: `users/${owner}/${name}` })
const by = (id: AccountId, tokenId: ApiTokenId | null) =>
  Effect.provideService(CurrentAccount, { id, tokenId, limits: unlimited })

/** A form of 3 bytes that something was sent on, an upload of 5 that is open, and one of 7 that is complete. */
const begin = (owner: AccountId, name: string, tokenId: ApiTokenId | null) =>
  Effect.gen(function*() {
    const form = yield* Forms.use((forms) => forms.create(file(owner, 3, `${name}-form`)))
    assert.strictEqual(yield* post(form, "123"), 204)
    const uploads = yield* Uploads
    const open = yield* uploads.open(file(owner, 5, `${name}-open`))
    assert.strictEqual(yield* put(open.signed[0]!), 200)
    const complete = yield* uploads.open(file(owner, 7, `${name}-complete`))
    yield* put(complete.signed[0]!)
    yield* uploads.complete(complete.token)
    return { form, open }
  }).pipe(by(owner, tokenId))

const revoke = (owner: AccountId, id: ApiTokenId) => ApiTokens.use((tokens) => tokens.revoke(id)).pipe(as(owner))

const TestCredentials = Layer.mergeAll(AccountsAdmin.layer, GrantTokens.layer).pipe(Layer.provideMerge(TestDrive))

layer(TestCredentials, { timeout: "60 seconds" })("uploads of a credential that ends", (it) => {
  it.effect("UP-133 forms and uploads of a revoked token end with it and reserve nothing; those of others go on", () =>
    Effect.gen(function*() {
      const owner = yield* newOwner
      const [token, other] = [yield* credentialOf(owner), yield* credentialOf(owner)]
      const request = yield* makeRequest(owner)
      const drop = yield* startDrop(request.id)
      const sent = yield* drops((all) => all.createForm(drop.token, dropFile(2)))
      yield* begin(owner, "hosts", null)
      yield* begin(owner, "other", other.id)
      const before = yield* held(owner)
      const { form, open } = yield* begin(owner, "token", token.id)
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 0, heldBytes: 47 })
      yield* revoke(owner, token.id)
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 0, heldBytes: 32 })
      yield* FormEnds.use((ends) => ends.cleared)
      assert.strictEqual(yield* post(form, "123"), 403)
      yield* runJobs
      assert.strictEqual(yield* put(open.signed[0]!), 404)
      assert.deepStrictEqual(new Set(yield* held(owner)), new Set(before))
      // Whoever has the key or the upload's token makes no file of it.
      const left: ReadonlyArray<UploadCall> = [
        Inserts.use((inserts) => inserts.insert(file(owner, 3, "token-form"))),
        Inserts.use((inserts) => inserts.insert(file(owner, 7, "token-complete"))),
        Uploads.use((uploads) => uploads.complete(open.token))
      ]
      for (const call of left) yield* Effect.flip(call).pipe(as(owner))
      for (const name of ["hosts", "other"]) {
        yield* Inserts.use((inserts) => inserts.insert(file(owner, 3, `${name}-form`))).pipe(as(owner))
        yield* Inserts.use((inserts) => inserts.insert(file(owner, 7, `${name}-complete`))).pipe(as(owner))
      }
      assert.strictEqual(yield* post(sent, "12"), 204)
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 20, heldBytes: 12 })
    }))

  it.effect("UP-133 the same holds for a grant, and for all tokens of a user who is suspended", () =>
    Effect.gen(function*() {
      const owner = yield* newOwner
      const tokens = [yield* credentialOf(owner), yield* credentialOf(owner)]
      const grants = yield* GrantTokens
      const grant = yield* grants.create({
        accountId: owner,
        name: "App" as any,
        limits: unlimited,
        clientId: "app",
        expireTime: DateTime.addDuration(yield* DateTime.now, Duration.days(1))
      })
      yield* begin(owner, "hosts", null)
      yield* begin(owner, "grant", grant)
      for (const [at, { id }] of tokens.entries()) yield* begin(owner, `token-${at}`, id)
      assert.strictEqual((yield* balance(owner)).heldBytes, 60)
      yield* grants.end(owner, grant!)
      assert.strictEqual((yield* balance(owner)).heldBytes, 45)
      const admin = yield* AccountsAdmin
      yield* admin.create({ id: owner })
      yield* admin.suspend(owner)
      assert.strictEqual((yield* balance(owner)).heldBytes, 15)
    }))

  it.effect("UP-133 a call that was let in before its token was revoked begins nothing", () =>
    Effect.gen(function*() {
      const owner = yield* newOwner
      const token = yield* credentialOf(owner)
      yield* revoke(owner, token.id)
      const late: ReadonlyArray<UploadCall> = [
        Forms.use((forms) => forms.create(file(owner, 3, "form"))),
        Uploads.use((uploads) => uploads.open(file(owner, 5, "open")))
      ]
      for (const call of late) {
        assert.deepInclude(yield* Effect.flip(call).pipe(by(owner, token.id)), { code: "not_allowed" })
      }
      assert.deepStrictEqual(yield* balance(owner), { usedBytes: 0, heldBytes: 0 })
      assert.deepStrictEqual(yield* held(owner), [])
    }))
})
