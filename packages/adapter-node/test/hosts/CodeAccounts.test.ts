/** What a host's own code may not say of users, tokens, sessions and limits. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { DriveError } from "@filedrive/adapter-node"
import { inspect } from "node:util"
import { temporaryDrive, userOf } from "./hosts.ts"

type Refusal = Partial<DriveError>

const text = "x".repeat(40)
const nobody = "019845e1-682f-7b02-a706-3b2422d13aec"

const wrongIds = [undefined, null, "", "7", 7, `${nobody}\u0000`]
const wrongNames = [undefined, null, "", " ", "\u2800", "a\u0000", "a\ud800", "a\r\nb", "x".repeat(5_000), 7]
const wrongPermissions = ["read", [], ["fly"], [7], {}]

describe("users, tokens and sessions in code", () => {
  let host: Awaited<ReturnType<typeof temporaryDrive>>
  let userId: string

  beforeAll(async () => {
    host = await temporaryDrive({ url: "http://drive.test", rateLimits: false })
    userId = (await userOf(host.drive)()).userId
  })
  afterAll(() => host.close())

  const expectRefused = async (what: string, field: string, act: () => unknown) => {
    const error = await Promise.resolve().then(act).then((): Refusal => ({}), (error: Refusal) => error)
    assert.instanceOf(error, DriveError, `${what}: ${error.message}`)
    assert.include(["invalid_field", "missing_field", "unknown_field"], error.code, what)
    assert.strictEqual(error.field ?? "", field, what)
    assert.match(error.message ?? "", /^(?:The body|[\w.[\]]+) (?:must|is) .*[^.]\.$/, what)
  }
  const each = async (values: ReadonlyArray<unknown>, field: string, act: (value: never) => unknown) => {
    for (const value of values) {
      // oxlint-disable-next-line no-await-in-loop
      await expectRefused(`${act} of ${inspect(value).slice(0, 40)}`, field, () => act(value as never))
    }
  }

  it("HOST-32 users are refused with the field that is wrong, and nothing changes", async () => {
    const { accounts } = host.drive
    await each(wrongIds.slice(1), "userId", (id) => accounts.create({ userId: id }))
    await each(wrongNames.slice(2), "handle", (handle) => accounts.create({ handle }))
    await each(
      ["a\u0000", "a\nb", " ", 7, "x".repeat(300)],
      "displayName",
      (displayName) => accounts.create({ displayName })
    )
    await each(["gold", 7], "plan", (plan) => accounts.create({ plan }))
    await each([-1, 1.5, NaN, Infinity, "10", 2 ** 60], "quotaBytes", (quotaBytes) => accounts.create({ quotaBytes }))
    await each([-1, 1.5, 2 ** 31, "1"], "monthlyImages", (monthlyImages) => accounts.create({ monthlyImages }))
    await each(["yes", null], "showsViews", (showsViews) => accounts.create({ showsViews }))
    await each([null, "x", 7, []], "", (account) => accounts.create(account))
    const byId = [
      accounts.find,
      accounts.suspend,
      accounts.unsuspend,
      (id: never) => accounts.setPlan(id, null),
      (id: never) => accounts.setQuota(id, null)
    ]
    for (const act of byId) await each(wrongIds, "userId", act)
    await each([undefined, null, 7, "a\u0000"], "handle", accounts.findByHandle)
    const before = await accounts.find(userId)
    await each(["gold", undefined, 7], "plan", (plan) => accounts.setPlan(userId, plan))
    await each([-1, 1.5, NaN, "1", undefined], "quotaBytes", (quota) => accounts.setQuota(userId, quota))
    await each(["a\u0000", 7, undefined], "displayName", (name) => accounts.setDisplayName(userId, name))
    await each([-1, 2 ** 31, undefined], "monthlyImages", (count) => accounts.setMonthlyImages(userId, count))
    await each(["no", null, undefined], "showsViews", (shows) => accounts.setShowsViews(userId, shows))
    assert.deepStrictEqual(await accounts.find(userId), before)
  })

  it("HOST-32 tokens are refused with the field that is wrong, and none is made", async () => {
    const { tokens } = host.drive
    const ways: ReadonlyArray<readonly [where: string, make: (token: object) => unknown]> = [
      ["", (token) => tokens.create(userId, token as never)],
      ["", (token) => tokens.register(userId, text, token as never)],
      ["tokens[0].", (token) => tokens.configure([{ userId, text, ...token } as never])]
    ]
    for (const [where, make] of ways) {
      const named = (more: object) => make({ name: "a", ...more })
      await each(wrongNames, `${where}name`, (name) => make({ name }))
      await each(["2030-01-01", 7, new Date(NaN)], `${where}expireTime`, (expireTime) => named({ expireTime }))
      await each(wrongIds.slice(2), `${where}folder`, (folder) => named({ folder }))
      for (
        const other of ["limits", "permission", "scope", "scopes", "folderId", "expiresAt", "expires", "expiresIn"]
      ) {
        await each(
          [["read"], null, { permissions: ["read"] }],
          `${where}${other}`,
          (value) => named({ [other]: value })
        )
      }
      for (const permissions of wrongPermissions) {
        const at = Array.isArray(permissions) && permissions.length > 0 ? "permissions[0]" : "permissions"
        await each([permissions], `${where}${at}`, (value) => named({ permissions: value }))
      }
    }
    for (const act of [(id: never) => tokens.create(id, { name: "a" }), (id: never) => tokens.revoke(id, nobody)]) {
      await each(wrongIds, "userId", act)
    }
    await each(wrongIds, "tokenId", (id) => tokens.revoke(userId, id))
    await each([undefined, null, 7, "short"], "text", (value) => tokens.register(userId, value, { name: "a" }))
    await each(
      wrongIds,
      "tokens[1].userId",
      (id) => tokens.configure([{ userId, text, name: "a" }, { userId: id, text, name: "a" }])
    )
    await each([undefined, null, "x", {}], "tokens", (list) => tokens.configure(list))
    await each([null, 7, "x"], "", (token) => tokens.create(userId, token))
    // The folder is not the user's.
    const error = await tokens.register(userId, text, { name: "a", folder: nobody }).then(
      () => null,
      (error) => error
    )
    assert.strictEqual(error.code, "not_found")
    const answer = await host.drive.fetch(
      new Request("http://drive.test/auth/exchange-token", {
        method: "POST",
        headers: { authorization: `Bearer ${text}` }
      })
    )
    assert.strictEqual(answer.status, 401)
  })

  it("HOST-32 limits of sessions and calls are refused with the field that is wrong", async () => {
    const { sessions, ...drive } = host.drive
    for (const act of [(limits: never) => sessions.open(userId, limits), (limits: never) => drive.as(userId, limits)]) {
      await each(wrongIds.slice(2), "folder", (folder) => act({ folder } as never))
      await each([["read"], "read"], "permission", (permission) => act({ permission } as never))
      await each([{ permissions: ["read"] }], "limits", (limits) => act({ limits } as never))
      await each(["/a", nobody], "folderId", (folderId) => act({ folderId } as never))
      await each(["read", [], {}], "permissions", (permissions) => act({ permissions } as never))
      await each([["read", "fly"]], "permissions[1]", (permissions) => act({ permissions } as never))
      await each([null, 7, "read"], "", act)
    }
    await each(wrongIds, "userId", (id) => drive.as(id))
    await each(wrongIds, "userId", (id) => sessions.open(id))
    await each(wrongIds, "userId", (id) => sessions.endAll(id))
    const error = await sessions.open(userId, { folder: nobody }).then(() => null, (error) => error)
    assert.strictEqual(error.code, "not_found")
  })

  it("HOST-46 a field that is not known is refused by its name, and nothing changes", async () => {
    const { accounts, sessions, tokens, ...drive } = host.drive
    const ways: ReadonlyArray<readonly [where: string, act: (more: object) => unknown]> = [
      ["", (more) => accounts.create({ handle: "misspelt", ...more })],
      ["", (more) => sessions.open(userId, more)],
      ["", (more) => drive.as(userId, more)],
      ["", (more) => tokens.create(userId, { name: "a", ...more })],
      ["", (more) => tokens.register(userId, text, { name: "a", ...more })],
      ["tokens[0].", (more) => tokens.configure([{ userId, text, name: "a", ...more }])]
    ]
    for (const [where, act] of ways) {
      for (const field of ["quotaByte", "permisions", "folderID"]) {
        await expectRefused(field, `${where}${field}`, () => act({ [field]: 5 }))
      }
    }
    const error = await accounts.create({ quotaByte: 5 } as never).then(() => null, (error: Error) => error)
    assert.strictEqual(
      error?.message,
      "quotaByte is not a known field; the known ones are userId, handle, plan, quotaBytes, monthlyImages, displayName, showsViews."
    )
    for (
      const act of [
        () => drive.as(userId, { folderID: 5 } as never),
        () => sessions.open(userId, { folderID: 5 } as never)
      ]
    ) {
      const { message } = await Promise.resolve().then((): unknown => act()).then(
        () => new Error("None"),
        (error: Error) => error
      )
      assert.strictEqual(message, "folderID is not a known field; the known ones are permissions, folder.")
    }
    await expectRefused("id", "id", () => accounts.create({ id: nobody } as never))
    assert.isNull(await accounts.findByHandle("misspelt"))
    // What is undefined is not there.
    assert.isNotNull(await accounts.create({ handle: "spelt", quotaByte: undefined } as never))
  })

  it("HOST-32 what refers to itself or goes too deep is refused, and so are wrong options of an import", async () => {
    const me = host.drive.as(userId)
    const round: Record<string, unknown> = { id: nobody }
    round["round"] = round
    const list: Array<unknown> = []
    list.push(list)
    await each([list], "fileIds[0]", (fileIds) => me.selectShares({ fileIds }))
    await each([round], "", (type) =>
      me.generateFileUrls({ type } as never).catch((error: Refusal) => {
        assert.strictEqual(error.field, "type")
        throw Object.assign(error, { field: "" })
      }))
    await each([round], "id", (query) => me.searchFiles(query))
    await each([undefined, null, 7], "rows", (rows) => me.files.importMany(rows))
    await each(["no", 1, null], "verify", (verify) => me.files.importMany([], { verify }))
    await each(["no", 1], "extract", (extract) => me.files.importMany([], { extract }))
    await each(["no", {}], "onProgress", (onProgress) => me.files.importMany([], { onProgress }))
  })
})

describe("what a host's accounts.find answers", () => {
  const good = { plan: "pro", quotaBytes: 10, handle: undefined, displayName: null, email: "ada@app.example" } as const

  it("HOST-47 is taken when its fields are of the right types and by their names, else the host counts as one that can't be asked", async () => {
    let answer: unknown = good
    const { close, drive } = await temporaryDrive({
      url: "http://drive.test",
      accounts: { find: () => answer as never }
    })
    try {
      assert.property(await drive.sessions.open(nobody), "token")
      for (
        const wrong of [
          { plan: "gold" },
          { plan: "pro", quota: 5 },
          { isSuspended: true },
          { plan: "basic", imagesPerMonth: 2 },
          { suspended: "no" },
          { quotaBytes: "5" },
          { quotaBytes: 1.5 },
          { quotaBytes: -1 },
          "ada"
        ]
      ) {
        answer = wrong
        const refused = await drive.sessions.open(nobody).then(() => "opened", (error: { code?: string }) => error.code)
        assert.strictEqual(refused, "unavailable", inspect(wrong))
      }
      answer = null
      assert.strictEqual(await drive.sessions.open(nobody).catch(({ code }: { code: string }) => code), "not_allowed")
    } finally {
      await close()
    }
  })
})

describe("a user who is suspended in code", () => {
  it("AUTH-13 is out at once there too", async () => {
    const { close, drive } = await temporaryDrive({ url: "http://drive.test" })
    try {
      const { userId } = await userOf(drive)()
      const { selectCollections: collections } = drive.as(userId)
      await collections()
      await drive.accounts.suspend(userId)
      assert.strictEqual(
        await collections().then(() => "answered", ({ code }: { code: string }) => code),
        "not_allowed"
      )
      await drive.accounts.unsuspend(userId)
      await collections()
    } finally {
      await close()
    }
  })
})
