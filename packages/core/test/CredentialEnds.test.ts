/** Whichever way an API token or grant ends, all that it has ends with it. docs/agent.md, "What ends with a credential". */
import { assert, layer } from "@effect/vitest"
import { MemoryWebhooks } from "@filedrive/testing"
import { Cause, DateTime, Duration, Effect, Exit, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { AccountsAdmin } from "../src/accounts/AccountsAdmin.ts"
import { ApiTokens, type NewApiToken } from "../src/accounts/ApiTokens.ts"
import type { Credential } from "../src/accounts/Credential.ts"
import { CurrentAccount, unlimited } from "../src/accounts/CurrentAccount.ts"
import { GrantTokens } from "../src/accounts/GrantTokens.ts"
import { Sessions } from "../src/accounts/Sessions.ts"
import { Database } from "../src/database/Database.ts"
import { FolderTree } from "../src/organize/FolderTree.ts"
import type { AccountId } from "../src/shared/Ids.ts"
import { OwnedTasks } from "../src/tasks/OwnedTasks.ts"
import { Tasks } from "../src/tasks/Tasks.ts"
import { Forms } from "../src/uploads/Forms.ts"
import { Uploads } from "../src/uploads/Uploads.ts"
import * as Checked from "./Checked.ts"
import { assertState, by, credentialOf, get, runJobs, send, TestAgent } from "./TasksTest.ts"
import { as, TestAccounts } from "./TestAccounts.ts"
import { balance, input, put } from "./UploadsTest.ts"
import { startWait } from "./WaitsTest.ts"

type Services = Layer.Success<typeof TestCredentials>
type Needed = Effect.Effect<void, unknown, Services>

interface Begun {
  readonly credential: Credential
  readonly end: Needed
}

const minute = Duration.minutes(1)
const inAMinute = Effect.map(DateTime.now, (now) => DateTime.addDuration(now, minute))
const expire = Effect.andThen(TestClock.adjust(minute), runJobs)

const token = (fields: Partial<NewApiToken> = {}): NewApiToken => ({
  name: Checked.tokenName("ends"),
  limits: unlimited,
  expireTime: null,
  ...fields
})

const created = Effect.fnUntraced(function*(owner: AccountId, fields: Partial<NewApiToken>) {
  const tokens = yield* ApiTokens
  const { text } = yield* tokens.create(token(fields)).pipe(as(owner))
  return yield* tokens.resolve(text)
})

const granted = Effect.fnUntraced(function*(accountId: AccountId, expireTime: DateTime.Utc) {
  const name = Checked.tokenName("An app")
  const grants = yield* GrantTokens
  const id = (yield* grants.create({ accountId, name, limits: unlimited, clientId: "app", expireTime }))!
  const credential: Credential = { id, accountId, name, limits: unlimited }
  return { credential, end: grants.end(accountId, id) }
})

const configured = (accountId: AccountId, to: Partial<NewApiToken> | null) =>
  ApiTokens.use((tokens) =>
    tokens.configure(
      to === null ? [] : [{ accountId, text: Checked.tokenText(`fdt_${accountId}`), token: token(to) }]
    )
  )

const configuredThen = Effect.fnUntraced(function*(owner: AccountId, to: Partial<NewApiToken> | null) {
  yield* configured(owner, {})
  const credential = yield* ApiTokens.use((tokens) => tokens.resolve(Checked.tokenText(`fdt_${owner}`)))
  return { credential, end: configured(owner, to) }
})

/** How a credential ends; `all`: with every other of its account. */
const ways: Readonly<
  Record<string, {
    readonly begin: (owner: AccountId) => Effect.Effect<Begun, unknown, Services>
    readonly all?: true
  }>
> = {
  "is revoked": {
    begin: (owner) =>
      Effect.map(created(owner, {}), (credential) => ({
        credential,
        end: ApiTokens.use((tokens) => tokens.revoke(credential.id)).pipe(as(owner))
      }))
  },
  "expires": {
    begin: Effect.fnUntraced(function*(owner) {
      return { credential: yield* created(owner, { expireTime: yield* inAMinute }), end: expire }
    })
  },
  "is registered and expires": {
    begin: Effect.fnUntraced(function*(owner) {
      const text = Checked.tokenText(`fdt_registered_${owner}`)
      const tokens = yield* ApiTokens
      yield* tokens.register(owner, text, token({ expireTime: yield* inAMinute }))
      return { credential: yield* tokens.resolve(text), end: expire }
    })
  },
  "is left out of the host's configuration": { begin: (owner) => configuredThen(owner, null) },
  "has other limits in the host's configuration": {
    begin: (owner) => configuredThen(owner, { limits: { permissions: ["read"], folderId: null } })
  },
  "is limited to a folder that is deleted": {
    begin: Effect.fnUntraced(function*(owner) {
      const tree = yield* FolderTree
      const folder = yield* tree.create(Checked.path("/own")).pipe(as(owner))
      const credential = yield* created(owner, { limits: { permissions: null, folderId: folder.id } })
      return { credential: { ...credential, limits: unlimited }, end: tree.delete(folder.id, "parent").pipe(as(owner)) }
    })
  },
  "is a grant and ends": { begin: (owner) => Effect.flatMap(inAMinute, (time) => granted(owner, time)) },
  "is a grant and expires": {
    begin: (owner) =>
      Effect.map(Effect.flatMap(inAMinute, (time) => granted(owner, time)), ({ credential }) => ({
        credential,
        end: expire
      }))
  },
  "is of a user who is suspended": {
    begin: Effect.fnUntraced(function*(owner) {
      const admin = yield* AccountsAdmin
      yield* admin.create({ id: owner })
      return { credential: yield* created(owner, {}), end: admin.suspend(owner) }
    }),
    all: true
  }
}

const asToken = ({ accountId, id }: Credential) =>
  Effect.provideService(CurrentAccount, { id: accountId, tokenId: id, limits: unlimited })

const file = ({ accountId }: Credential, fileSize: number, name: string) =>
  input(accountId, fileSize, { objectKey: `users/${accountId}/${name}` })

/** A task that waits, with a webhook, a form of 3 bytes and an upload of 5. */
const begin = Effect.fnUntraced(function*(credential: Credential, name: string) {
  const task = yield* startWait(credential, { kind: "folder_files", folder: `/${name}`, text: "Waits." })
  const url = `https://${credential.accountId}.test/${name}`
  yield* Tasks.use((tasks) => tasks.setWebhook(task.id, { url })).pipe(by(credential))
  yield* Forms.use((forms) => forms.create(file(credential, 3, `${name}-form`))).pipe(asToken(credential))
  const upload = yield* Uploads.use((uploads) => uploads.open(file(credential, 5, `${name}-upload`))).pipe(
    asToken(credential)
  )
  return { task, url, part: upload.signed[0]! }
})

/** What calls try that were let in before the credential ended. */
const late = (credential: Credential, { task }: Effect.Success<ReturnType<typeof begin>>) => {
  const calls: ReadonlyArray<Effect.Effect<unknown, unknown, Services>> = [
    Forms.use((forms) => forms.create(file(credential, 3, "late-form"))).pipe(asToken(credential)),
    Uploads.use((uploads) => uploads.open(file(credential, 5, "late-upload"))).pipe(asToken(credential)),
    send(credential, "late"),
    send(credential, { raw: new Uint8Array(7), mediaType: "text/plain", filename: "late.txt" }),
    Tasks.use((tasks) => tasks.setWebhook(task.id, { url: "https://late.test" })).pipe(by(credential))
  ]
  return Effect.forEach(calls, Effect.flip)
}

const reports = (url: string) =>
  Effect.flatMap(MemoryWebhooks, (hooks) => Effect.map(hooks.sent, (all) => all.filter((one) => one.url === url)))

const TestCredentials = Layer.mergeAll(AccountsAdmin.layer, GrantTokens.layer).pipe(Layer.provideMerge(TestAgent))

layer(TestCredentials, { timeout: "90 seconds" })("what a credential has when it", (it) => {
  for (const [way, { all, begin: beginWay }] of Object.entries(ways)) {
    it.effect(`AUTH-61 TASK-406 UP-133 ${way}, ends`, () =>
      Effect.gen(function*() {
        const owner = yield* TestAccounts.use((users) => users.add())
        const other = yield* credentialOf(owner)
        const others = yield* begin(other, "other")
        const { credential, end } = yield* beginWay(owner)
        const own = yield* begin(credential, "own")
        const sessions = yield* Sessions
        const session = Option.getOrThrow(yield* sessions.openFor(credential.id))
        yield* sessions.resolve(session.token, "")
        assert.strictEqual((yield* balance(owner)).heldBytes, 16)
        yield* end
        assert.strictEqual((yield* Effect.flip(sessions.resolve(session.token, "")))._tag, "Unauthenticated")
        assertState(yield* get(credential, own.task), "canceled")
        for (const refused of yield* late(credential, own)) assert.deepInclude(refused, { code: "not_allowed" })
        assert.deepStrictEqual(yield* balance(owner), { usedBytes: 0, heldBytes: all ? 0 : 8 })
        yield* runJobs
        assert.deepStrictEqual(yield* reports(own.url), [])
        assert.strictEqual(yield* put(own.part), 404)
        assert.strictEqual(yield* put(others.part), all ? 404 : 200)
        assertState(yield* get(other, others.task), all ? "canceled" : "working")
      }))
  }

  for (const way of ["is revoked", "is of a user who is suspended"] as const) {
    it.effect(`AUTH-61 TASK-406 UP-133 ${way}, ends, also what calls begin at that moment`, () =>
      Effect.gen(function*() {
        for (let round = 0; round < 8; round++) {
          const owner = yield* TestAccounts.use((users) => users.add())
          const { credential, end } = yield* ways[way]!.begin(owner)
          const beginning = (name: string): ReadonlyArray<Needed> => [
            Effect.asVoid(Forms.use((forms) => forms.create(file(credential, 3, `${name}-form`)))).pipe(
              asToken(credential)
            ),
            Effect.asVoid(Uploads.use((uploads) => uploads.open(file(credential, 5, `${name}-upload`)))).pipe(
              asToken(credential)
            ),
            Effect.asVoid(send(credential, name))
          ]
          const calls = [...beginning("a"), ...beginning("b"), end, ...beginning("c"), ...beginning("d")]
          const exits = yield* Effect.all(calls.map(Effect.exit), { concurrency: "unbounded" })
          for (const exit of exits) {
            if (Exit.isFailure(exit)) assert.deepInclude(Cause.squash(exit.cause), { code: "not_allowed" })
          }
          assert.deepStrictEqual(yield* balance(owner), { usedBytes: 0, heldBytes: 0 })
          const { tasks } = yield* OwnedTasks.use((all) => all.list({})).pipe(as(owner))
          assert.deepStrictEqual(tasks.filter(({ state }) => state !== "canceled"), [])
        }
      }))
  }

  it.effect("AUTH-61 was forgotten after its expiry, before a job looked, ends", () =>
    Effect.gen(function*() {
      const { sql, tables: t } = yield* Database
      const owner = yield* TestAccounts.use((users) => users.add())
      const credential = yield* created(owner, { expireTime: yield* inAMinute })
      const { task } = yield* begin(credential, "own")
      yield* TestClock.adjust(minute)
      yield* sql`DELETE FROM ${t.api_tokens} WHERE id = ${credential.id}`
      yield* runJobs
      assertState(yield* get(credential, task), "canceled")
      assert.strictEqual((yield* balance(owner)).heldBytes, 0)
    }))

  it.effect("AUTH-61 one whose end was moved meanwhile has everything until then, and a grant that has expired is not extended", () =>
    Effect.gen(function*() {
      const owner = yield* TestAccounts.use((users) => users.add())
      const grants = yield* GrantTokens
      const first = yield* inAMinute
      const { credential } = yield* granted(owner, first)
      const { task } = yield* begin(credential, "own")
      assert.isTrue(yield* grants.extend(owner, credential.id, DateTime.addDuration(first, minute)))
      yield* expire
      assertState(yield* get(credential, task), "working")
      assert.strictEqual((yield* balance(owner)).heldBytes, 8)
      yield* TestClock.adjust("59 seconds")
      yield* runJobs
      assertState(yield* get(credential, task), "working")
      yield* TestClock.adjust("1 second")
      yield* runJobs
      assertState(yield* get(credential, task), "canceled")
      assert.strictEqual((yield* balance(owner)).heldBytes, 0)
      assert.isFalse(yield* grants.extend(owner, credential.id, yield* inAMinute))
    }))
})
