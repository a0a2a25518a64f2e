/** Senders over HTTP: without a session, with whatever they like to send. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type Answer, call, send, signedIn, testHttp, TestLog } from "../../test/TestHttp.ts"
import { post, put } from "../../test/UploadsTest.ts"
import { Database } from "../database/Database.ts"

/** A call that somebody without an account makes. */
const sent = (route: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
  send(`/api${route}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body)
  })

const ok = Effect.fnUntraced(function*(route: string, body: unknown) {
  const answer = yield* sent(route, body)
  assert.strictEqual(answer.status, 200, `${route}: ${JSON.stringify(answer.body)}`)
  return answer.body
})

const begun = Effect.fnUntraced(function*(request: object = {}) {
  const { token, userId } = yield* signedIn
  const made = yield* call(token, "/create-file-request", { title: "Photos", ...request })
  assert.strictEqual(made.status, 200, JSON.stringify(made.body))
  const requestId: string = made.body.id
  const started = yield* ok("/start-drop", { requestId, senderName: "Grace", note: "hello" })
  return { token, userId, requestId, dropToken: started.dropToken as string, dropId: started.dropId as string }
})

type Begun = Effect.Success<ReturnType<typeof begun>>

const fileOf = ({ dropToken }: Begun, clientKey = "a", fileSize = 10) => ({
  dropToken,
  clientKey,
  type: "Other",
  fileName: `${clientKey}.bin`,
  fileSize
})

const byForm = Effect.fnUntraced(function*(drop: Begun, clientKey: string) {
  const file = fileOf(drop, clientKey)
  const { uploadForm, uploadUrl } = yield* ok("/drop-file-urls", file)
  yield* post({ url: uploadUrl, fields: uploadForm }, "x".repeat(10))
  return file
})

const inParts = Effect.fnUntraced(function*(drop: Begun, clientKey: string) {
  const file = fileOf(drop, clientKey)
  const { signedParts, token } = yield* ok("/create-drop-upload", file)
  yield* put({ ...signedParts[0], sizeBytes: 10 })
  return { file, token: token as string }
})

/** What owner and sender see of it. */
const seen = Effect.fnUntraced(function*({ dropToken, requestId, token }: Begun) {
  const drop = yield* sent("/select-drop", { dropToken })
  const request = yield* sent("/open-file-request", { requestId })
  const look = (route: string) => Effect.map(call(token, route), (answer) => answer.body)
  const { sql, tables: t } = yield* Database
  return [
    drop.body,
    request.body,
    yield* look("/select-user-files"),
    yield* look("/get-user-storage-usage"),
    yield* look("/select-drive-events"),
    yield* sql`SELECT count(*)::int AS drops FROM ${t.drops} WHERE request_id = ${requestId}`
  ]
})

type Prepared = { readonly route: string; readonly body: unknown }

/** Each operation, after what comes before it. */
const operations: Readonly<Record<string, (drop: Begun) => Effect.Effect<Prepared, never, any>>> = {
  startDrop: ({ requestId }) => Effect.succeed({ route: "/start-drop", body: { requestId, senderName: "Ada" } }),
  dropFileUrls: (drop) => Effect.succeed({ route: "/drop-file-urls", body: fileOf(drop) }),
  createDropUpload: (drop) => Effect.succeed({ route: "/create-drop-upload", body: fileOf(drop) }),
  signDropParts: (drop) =>
    Effect.map(inParts(drop, "a"), ({ token }) => ({
      route: "/sign-drop-parts",
      body: { dropToken: drop.dropToken, token, partNumbers: [1] }
    })),
  completeDropUpload: (drop) =>
    Effect.map(inParts(drop, "a"), ({ token }) => ({
      route: "/complete-drop-upload",
      body: { dropToken: drop.dropToken, token }
    })),
  abortDropUpload: (drop) =>
    Effect.map(inParts(drop, "a"), ({ token }) => ({
      route: "/abort-drop-upload",
      body: { dropToken: drop.dropToken, token }
    })),
  insertDropFile: (drop) => Effect.map(byForm(drop, "a"), (body) => ({ route: "/insert-drop-file", body })),
  removeDropFile: (drop) =>
    Effect.gen(function*() {
      const { id } = yield* ok("/insert-drop-file", yield* byForm(drop, "a"))
      return { route: "/remove-drop-file", body: { dropToken: drop.dropToken, fileId: id } }
    }),
  finishDrop: (drop) =>
    Effect.gen(function*() {
      yield* ok("/insert-drop-file", yield* byForm(drop, "a"))
      return { route: "/finish-drop", body: { dropToken: drop.dropToken } }
    })
}

/** What these do is seen in their answers alone. */
const unseen = new Set(["signDropParts", "completeDropUpload"])

layer(testHttp({ rateLimits: false }), { timeout: "60 seconds" })("drops over HTTP", (it) => {
  const twice = Effect.fnUntraced(function*(operation: string) {
    const drop = yield* begun({ maxBytes: 1_000 })
    const { body, route } = yield* operations[operation]!(drop)
    const before = yield* seen(drop)
    const once = yield* ok(route, body)
    const after = yield* seen(drop)
    const again = yield* ok(route, body)
    if (!unseen.has(operation)) assert.notDeepEqual(after, before)
    return { after, later: yield* seen(drop), once, again }
  })

  const same = Effect.fnUntraced(function*(operation: string) {
    const { after, again, later, once } = yield* twice(operation)
    assert.deepStrictEqual(later, after)
    return { once, again }
  })

  it.effect("OPS-7 startDrop starts another drop", () =>
    Effect.gen(function*() {
      const { after, again, later, once } = yield* twice("startDrop")
      assert.notDeepEqual(later, after)
      assert.notStrictEqual(once.dropToken, again.dropToken)
    }))
  it.effect("OPS-7 dropFileUrls leaves the drive as one call does", () => same("dropFileUrls"))
  it.effect("OPS-7 createDropUpload leaves the drive as one call does", () => same("createDropUpload"))
  it.effect("OPS-7 signDropParts leaves the drive as one call does", () => same("signDropParts"))
  it.effect("OPS-7 completeDropUpload leaves the drive as one call does, and answers the same", () =>
    Effect.gen(function*() {
      const { again, once } = yield* same("completeDropUpload")
      assert.deepStrictEqual([once, again], [{ bucket: "private", fileSize: 10 }, { bucket: "private", fileSize: 10 }])
    }))
  it.effect("OPS-7 abortDropUpload leaves the drive as one call does", () => same("abortDropUpload"))
  it.effect("OPS-7 insertDropFile leaves the drive as one call does, and answers the same id", () =>
    Effect.gen(function*() {
      const { again, once } = yield* same("insertDropFile")
      assert.strictEqual(again.id, once.id)
    }))
  it.effect("OPS-7 removeDropFile leaves the drive as one call does", () =>
    Effect.gen(function*() {
      const { again, once } = yield* same("removeDropFile")
      assert.deepStrictEqual([once, again], [{ removed: true }, { removed: false }])
    }))
  it.effect("OPS-7 finishDrop leaves the drive as one call does", () => same("finishDrop"))

  it.effect("REQ-51 a delivery by HTTP alone, from the link to the event", () =>
    Effect.gen(function*() {
      const drop = yield* begun({ maxBytes: 1_000 })
      const { id } = yield* ok("/insert-drop-file", yield* byForm(drop, "one"))
      const { file, token } = yield* inParts(drop, "two")
      const { dropToken } = drop
      assert.deepStrictEqual((yield* ok("/select-drop", { dropToken })).uploads, [
        { clientKey: "two", fileName: "two.bin", fileSize: 10, storedBytes: 10 }
      ])
      yield* ok("/complete-drop-upload", { dropToken, token })
      const second = yield* ok("/insert-drop-file", file)
      assert.strictEqual((yield* ok("/open-file-request", { requestId: drop.requestId })).remainingBytes, 980)
      assert.deepStrictEqual(yield* ok("/finish-drop", { dropToken }), { finished: true })
      assert.deepStrictEqual(yield* ok("/select-drop", { dropToken }), {
        id: drop.dropId,
        senderName: "Grace",
        note: "hello",
        files: [
          { id, clientKey: "one", fileName: "one.bin", fileSize: 10 },
          { id: second.id, clientKey: "two", fileName: "two.bin", fileSize: 10 }
        ],
        uploads: [],
        finished: true
      })
      const { body } = yield* call(drop.token, "/select-drive-events")
      assert.deepInclude(body.events[0], {
        kind: "drop",
        sender: { name: "Grace" },
        note: "hello",
        request: { id: drop.requestId, title: "Photos" },
        fileCount: 2
      })
      assert.deepStrictEqual(body.events[0].files.map((one: { readonly id: string }) => one.id), [id, second.id])
      assert.strictEqual(body.events.length, 1)
    }))

  it.effect("REQ-66 names, notes and keys that could mislead or break anything are refused, naming the field", () =>
    Effect.gen(function*() {
      const drop = yield* begun()
      const { requestId } = drop
      const refused = Effect.fnUntraced(function*(answer: Effect.Effect<Answer, never, any>, field: string) {
        const { body, status } = yield* answer
        assert.deepStrictEqual([status, body.field], [400, field], JSON.stringify(body))
      })
      for (
        const senderName of [
          "",
          " ",
          "x".repeat(101),
          "a\nb",
          "a\u2028b",
          "\u202e",
          "\u200b",
          "a\u0000",
          "\ud800",
          7,
          null
        ]
      ) {
        yield* refused(sent("/start-drop", { requestId, senderName }), "senderName")
      }
      yield* refused(sent("/start-drop", { requestId }), "senderName")
      for (const note of ["x".repeat(2_001), "a\u0000", "a\u0007", "\u001b[31m", "\udfff", 7]) {
        yield* refused(sent("/start-drop", { requestId, senderName: "Ada", note }), "note")
      }
      yield* ok("/start-drop", { requestId, senderName: "=cmd|' /C calc'!A0", note: "x".repeat(2_000) })
      const turned = yield* ok("/start-drop", { requestId, senderName: "Ada", note: "\u202egnp.exe\nof Saturday" })
      assert.strictEqual((yield* ok("/select-drop", { dropToken: turned.dropToken })).note, "gnp.exe\nof Saturday")
      for (const route of ["/drop-file-urls", "/create-drop-upload", "/insert-drop-file"]) {
        for (const clientKey of ["", "x".repeat(201), "a\nb", "a\u0000", 7]) {
          yield* refused(sent(route, { ...fileOf(drop), clientKey }), "clientKey")
        }
        for (const fileName of ["", "a\u0000", "a\u2029cod.exe", "a\r\nb", "x".repeat(1_025)]) {
          yield* refused(sent(route, { ...fileOf(drop), fileName }), "fileName")
        }
        for (const fileSize of [-1, 0.5, 2 ** 41 + 1, "10", null]) {
          yield* refused(sent(route, { ...fileOf(drop), fileSize }), "fileSize")
        }
        yield* refused(sent(route, { ...fileOf(drop), dropToken: 7 }), "dropToken")
      }
      // What is not of their concern is ignored, and nothing of the owner's can be named.
      yield* ok("/drop-file-urls", { ...fileOf(drop), objectKey: "users/x/y", creator: { id: "x" }, folder: "/Secret" })
    }))

  it.effect("REQ-66 a name that looks like a path, and one in any script, are names and nothing else", () =>
    Effect.gen(function*() {
      const drop = yield* begun()
      for (const name of ["../../etc/passwd", "<img src=x onerror=alert(1)>.png", "日本語 🇵🇹.mov", "a".repeat(200)]) {
        const file = { ...fileOf(drop, name), fileName: name }
        const { uploadForm, uploadUrl } = yield* ok("/drop-file-urls", file)
        yield* post({ url: uploadUrl, fields: uploadForm }, "x".repeat(10))
        const { id } = yield* ok("/insert-drop-file", file)
        const { body } = yield* call(drop.token, "/search-files", {})
        const record = body.files.find((one: { readonly id: string }) => one.id === id)
        assert.deepStrictEqual([record.fileName, record.folder.path], [name, "/Photos"])
        assert.match(record.objectKey, /^users\/[0-9a-f-]{36}\/drops\/[0-9a-f-]{36}\/[A-Za-z0-9_-]{43}$/)
      }
    }))

  it.effect("REQ-68 a request with a password needs the access token to start a drop, and the drop's own token from then on", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      const { body } = yield* call(token, "/create-file-request", { title: "Photos", password: "correct horse" })
      const start = { requestId: body.id, senderName: "Grace" }
      const needed = yield* sent("/start-drop", start)
      assert.deepStrictEqual([needed.status, needed.body.code], [403, "password_needed"])
      const { accessToken } = yield* ok("/open-file-request", { requestId: body.id, password: "correct horse" })
      const started = yield* sent("/start-drop", start, { "x-link-access": accessToken })
      assert.strictEqual(started.status, 200)
      assert.deepInclude(yield* ok("/select-drop", { dropToken: started.body.dropToken }), {
        senderName: "Grace",
        finished: false
      })
      const unknown = yield* sent("/start-drop", { ...start, requestId: "5e0c1a7d-93b4-4f28-a6d1-c07e94b2385f" })
      assert.deepStrictEqual([unknown.status, unknown.body.code], [404, "not_found"])
      assert.include(unknown.body.error, "link")
      const lost = yield* sent("/select-drop", { dropToken: "fdd_unknown" })
      assert.deepStrictEqual([lost.status, lost.body.code], [404, "not_found"])
      assert.match(lost.body.error, /^This dropToken does not exist or has expired/)
    }))

  it.effect("REQ-68 no token of a drop is logged", () =>
    Effect.gen(function*() {
      const drop = yield* begun()
      yield* ok("/insert-drop-file", yield* byForm(drop, "one"))
      yield* sent("/finish-drop", { dropToken: `${drop.dropToken}x` })
      yield* ok("/finish-drop", { dropToken: drop.dropToken })
      const lines = (yield* TestLog).join("\n")
      assert.notInclude(lines, drop.dropToken.slice(4))
    }))
})
