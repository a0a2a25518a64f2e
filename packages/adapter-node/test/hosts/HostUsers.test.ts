/** Users of a host with ids of its own. */
import { assert, describe, it } from "@effect/vitest"
import { createDrive, type HostAccount } from "@filedrive/adapter-node"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { postgresUrl } from "../../../testing/src/SharedPostgres.ts"
import { refusal } from "./failures.ts"
import { temporaryDrive } from "./hosts.ts"

/** The account of `user_2abc`. */
const known = "ca52390f-16e1-5fff-830b-2d9609e13e91"

const names = ["user_2abc", "42", "ada@example.com", "a b/ü\n🏳️‍🌈", "e\u0301", "\u00e9", "x".repeat(1_024), " "]

/** A host's table of users, and whom the drive has asked for. */
const usersOf = (...known: ReadonlyArray<string>) => {
  const asked: Array<string> = []
  const users = new Map<string, HostAccount>(known.map((id) => [id, { plan: "pro" }]))
  const find = (userId: string) => {
    asked.push(userId)
    return users.get(userId) ?? null
  }
  return { asked, users, accounts: { find } }
}

describe("a host's own ids of users", () => {
  it("HOST-108 a host passes its own ids everywhere, is asked for them, and gets them in events", async () => {
    const { accounts, asked } = usersOf(...names)
    const { close, drive } = await temporaryDrive({ accounts })
    for (const name of names) {
      const { id } = await drive.as(name).files.put(new Uint8Array(1), { fileName: "a" })
      assert.deepStrictEqual((await drive.as(name).selectUserFiles()).map((file) => file.id), [id])
      const { token } = await drive.sessions.open(name)
      assert.isNotEmpty(token)
      await drive.sessions.endAll(name)
      const made = await drive.tokens.create(name, { name: "a" })
      await drive.tokens.revoke(name, made.id)
    }
    assert.sameMembers([...new Set(asked)], names)
    const told = new Set<string>()
    for await (const { userId } of drive.events()) {
      told.add(userId)
      if (told.size === names.length) break
    }
    assert.sameMembers([...told], names)
    await close()
  }, 60_000)

  it("HOST-108 a session over HTTP and another process ask the host by the same text", async () => {
    const dataDirectory = await mkdtemp(join(tmpdir(), "filedrive-users-"))
    const database = { url: await postgresUrl(), schema: `users_${process.pid}` }
    const first = usersOf("user_2abc")
    const one = createDrive({ dataDirectory, database, accounts: first.accounts, log: "off" })
    await one.tokens.configure([{ userId: "user_2abc", name: "a", text: "x".repeat(40) }])
    const account = await one.accountIdOf("user_2abc")
    const { token } = await one.sessions.open("user_2abc")
    await one.close()
    const second = usersOf("user_2abc")
    const two = createDrive({ dataDirectory, database, accounts: second.accounts, log: "off" })
    const answer = await two.fetch(
      new Request("http://127.0.0.1:4500/api/select-user-files", {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "x-service-app": "filedrive", "content-type": "application/json" },
        body: "{}"
      })
    )
    assert.strictEqual(answer.status, 200)
    // `close` waits for answers that are not read to their end.
    assert.deepStrictEqual(await answer.json(), [])
    assert.deepStrictEqual([...new Set(second.asked)], ["user_2abc"])
    assert.strictEqual(await two.userIdOf(account), "user_2abc")
    await two.close()
    await rm(dataDirectory, { recursive: true })
  }, 60_000)

  it("HOST-108 files are shared with the account of another user's text", async () => {
    const { accounts } = usersOf("ada", "bob")
    const { close, drive } = await temporaryDrive({ accounts })
    const { id } = await drive.as("ada").files.put(new Uint8Array(1), { fileName: "a" })
    await drive.as("ada").shareFiles({ fileIds: [id], userIds: [await drive.accountIdOf("bob")] })
    const { files: [shared] } = await drive.as("bob").selectSharedFiles({})
    assert.strictEqual(shared?.id, id)
    await close()
  }, 60_000)

  it("HOST-109 the same text always leads to the same UUID; a UUID is its own account", async () => {
    const uuid = "019845E1-682F-7B02-A706-3B2422D13AEC"
    const { accounts, asked } = usersOf("user_2abc", uuid.toLowerCase())
    const { close, drive } = await temporaryDrive({ accounts })
    // The value is fixed here: with any other one, users would lose access to their files.
    assert.strictEqual(await drive.accountIdOf("user_2abc"), known)
    assert.strictEqual(await drive.accountIdOf(uuid), uuid.toLowerCase())
    await drive.as(uuid).files.put(new Uint8Array(1), { fileName: "a" })
    assert.deepStrictEqual([...new Set(asked)], [uuid.toLowerCase()])
    await close()
  }, 60_000)

  it("HOST-109 the UUID of another user's text is refused, whichever came first", async () => {
    const { accounts } = usersOf("user_2abc", known, "user_3")
    const { close, drive } = await temporaryDrive({ accounts })
    await drive.as("user_2abc").selectUserFiles()
    const error = await refusal(() => drive.as(known.toUpperCase()).selectUserFiles())
    assert.deepInclude(error, { code: "invalid_field", field: "userId" })
    await close()
    const other = await temporaryDrive({ accounts: usersOf("user_2abc", known).accounts })
    await other.drive.as(known).selectUserFiles()
    assert.deepInclude(await refusal(() => other.drive.as("user_2abc").selectUserFiles()), { field: "userId" })
    await other.close()
  }, 60_000)

  it("HOST-109 a UUID that no user has does not keep out a user whose text gives this UUID later", async () => {
    const { accounts, users } = usersOf()
    let now = Date.UTC(2026, 0, 1)
    const { close, drive } = await temporaryDrive({ accounts, clock: () => now })
    const refused = await refusal(() => drive.as(known).selectUserFiles())
    assert.strictEqual(refused.code, "not_allowed")
    users.set("user_2abc", { plan: "pro" })
    // The host's answer about a user is cached for seconds.
    now += 10_000
    const { id } = await drive.as("user_2abc").files.put(new Uint8Array(1), { fileName: "a" })
    assert.deepStrictEqual((await drive.as("user_2abc").selectUserFiles()).map((file) => file.id), [id])
    await close()
  })

  it("HOST-110 what can't be an id is refused, naming the field; without `accounts` only UUIDs are ids", async () => {
    const { accounts } = usersOf()
    const { close, drive } = await temporaryDrive({ accounts })
    for (const wrong of ["", "a\0b", "\ud800", "x".repeat(1_025), "é".repeat(513), 42, null, undefined, {}]) {
      const id = wrong as string
      for (
        const act of [
          () => drive.as(id).selectUserFiles(),
          () => drive.sessions.open(id),
          () => drive.sessions.endAll(id),
          () => drive.tokens.create(id, { name: "a" }),
          () => drive.accountIdOf(id)
        ]
      ) {
        assert.deepInclude(await refusal(act), { code: "invalid_field", field: "userId" })
      }
    }
    const configured = await refusal(() => drive.tokens.configure([{ userId: "", name: "a", text: "x".repeat(40) }]))
    assert.strictEqual(configured.field, "tokens[0].userId")
    assert.strictEqual((await refusal(() => drive.as("nobody").selectUserFiles())).code, "not_allowed")
    await close()
    const own = await temporaryDrive()
    const refused = await refusal(() => own.drive.as("user_2abc").selectUserFiles())
    assert.deepInclude(refused, { code: "invalid_field", field: "userId" })
    await own.close()
  }, 60_000)
})
