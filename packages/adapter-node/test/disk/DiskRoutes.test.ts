import { assert, layer } from "@effect/vitest"
import { ObjectStore as Port } from "@filedrive/core"
import { DataPlane } from "@filedrive/testing/suites"
import { Duration, Effect, Layer, Option } from "effect"
import { formBody, formText } from "../formBody.ts"
import {
  answerOf,
  connect,
  eventually,
  filesIn,
  fresh,
  headers,
  lifetime,
  openFiles,
  Place,
  putBytes,
  served,
  turn
} from "./DiskStoreTest.ts"

const form = { headers, lifetime }

const withPlace = <A, E, R>(
  run: (place: Place["Service"], store: Port.ObjectStore["Service"]) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function*() {
    return yield* run(yield* Place, yield* Port.ObjectStore)
  })

const get = (url: string, init?: RequestInit) => Effect.promise(() => fetch(url, init))

layer(Layer.merge(served(), DataPlane.layerHttp), { excludeTestServices: true })("DiskRoutes", (it) => {
  it.effect("STO-23 a form cut off anywhere leaves no file and no descriptor", () =>
    withPlace(({ port, root }, store) =>
      Effect.gen(function*() {
        const before = yield* filesIn(root)
        const signed = yield* store.signForm({ ...form, at: fresh(), sizeBytes: 5_000_000 })
        const body = formText(signed.fields).before + "x".repeat(3_000_000)
        for (const cutAt of [10, 400, body.length - 2_999_990, body.length]) {
          const socket = yield* connect(
            port,
            `POST /storage/private HTTP/1.1\r\nHost: a\r\nContent-Type: multipart/form-data; boundary=XX\r\n` +
              `Content-Length: ${body.length + 2_000_000 + 8}\r\n\r\n${body.slice(0, cutAt)}`
          )
          if (cutAt === body.length) {
            yield* eventually(Effect.sync(() => openFiles(root).some((path) => path.includes("/t/"))))
          }
          socket.destroy()
        }
        yield* eventually(Effect.map(filesIn(root), (files) => files.length === before.length))
        yield* eventually(Effect.sync(() => openFiles(root).length === 0))
      })
    ))

  it.effect("STO-23 a part cut off leaves the part that was there before", () =>
    withPlace(({ port, root }, store) =>
      Effect.gen(function*() {
        const at = fresh()
        const uploadId = yield* store.createUpload(at, headers)
        const sizeBytes = 2_000_000
        const [url = ""] = yield* store.signParts({
          at,
          uploadId,
          parts: [{ partNumber: 1, sizeBytes }],
          lifetime: Duration.days(1)
        })
        yield* get(url, { method: "PUT", body: new Uint8Array(sizeBytes).fill(1) })
        const parts = yield* store.listParts(at, uploadId)
        const { pathname, search } = new URL(url)
        const socket = yield* connect(
          port,
          `PUT ${pathname}${search} HTTP/1.1\r\nHost: a\r\nContent-Length: ${sizeBytes}\r\n\r\n${"x".repeat(1_500_000)}`
        )
        yield* eventually(Effect.sync(() => openFiles(root).some((path) => path.includes("/t/"))))
        socket.destroy()
        yield* eventually(Effect.map(filesIn(root), (files) => files.every((file) => !file.startsWith("t/"))))
        yield* eventually(Effect.sync(() => openFiles(root).length === 0))
        assert.deepStrictEqual(yield* store.listParts(at, uploadId), parts)
      })
    ))

  it.effect("STO-23 a download cut off closes its file", () =>
    withPlace(({ port, root }, store) =>
      Effect.gen(function*() {
        const at = fresh("public")
        yield* putBytes(at, new Uint8Array(20_000_000))
        const socket = yield* connect(
          port,
          `GET ${new URL(store.publicUrl(at.key)).pathname} HTTP/1.1\r\nHost: a\r\n\r\n`
        )
        yield* eventually(Effect.sync(() => openFiles(root).length > 0))
        socket.destroy()
        yield* eventually(Effect.sync(() => openFiles(root).length === 0))
      })
    ))

  it.effect("STO-23 whatever is refused adds no file", () =>
    withPlace(({ root }, store) =>
      Effect.gen(function*() {
        const at = fresh()
        const signed = yield* store.signForm({ ...form, at, sizeBytes: 100 })
        const before = yield* filesIn(root)
        const send = (fields: Readonly<Record<string, string>>, bytes: number) => {
          const body = formBody(fields, new Uint8Array(bytes))
          return get(signed.url, { method: "POST", body })
        }
        for (
          const [fields, bytes] of [
            [signed.fields, 99],
            [signed.fields, 3_000_000],
            [{ ...signed.fields, key: "files/else" }, 100],
            [{}, 100]
          ] as const
        ) assert.isAtLeast((yield* send(fields, bytes)).status, 400)
        assert.deepStrictEqual(yield* filesIn(root), before)
        assert.strictEqual((yield* send(signed.fields, 100)).status, 204)
        assert.strictEqual((yield* send(signed.fields, 100)).status, 403)
        assert.strictEqual((yield* filesIn(root)).length, before.length + 1)
      })
    ))

  it.effect("STO-21 an SVG or HTML file is served so that no script of it runs", () =>
    withPlace((_, store) =>
      Effect.gen(function*() {
        const at = fresh("public")
        const own = { ...headers, contentType: "image/svg+xml", contentDisposition: `inline; filename="a.svg"` }
        yield* putBytes(at, new TextEncoder().encode("<svg onload='alert(1)'/>"), own)
        const link = yield* store.signGet({ at, headers: own, lifetime: Duration.hours(6) })
        for (const url of [store.publicUrl(at.key), link]) {
          const answer = yield* get(url)
          assert.strictEqual(answer.headers.get("content-disposition"), `attachment; filename="a.svg"`)
          assert.strictEqual(answer.headers.get("x-content-type-options"), "nosniff")
          assert.strictEqual(answer.headers.get("content-security-policy"), "sandbox; default-src 'none'")
        }
      })
    ))

  it.effect("STO-22 pages of any origin may send and read, and see why they are refused", () =>
    withPlace((_, store) =>
      Effect.gen(function*() {
        const url = store.publicUrl("files/none")
        const asked = yield* get(url, {
          method: "OPTIONS",
          headers: { "access-control-request-headers": "content-type" }
        })
        assert.strictEqual(asked.status, 204)
        assert.strictEqual(asked.headers.get("access-control-allow-headers"), "content-type")
        assert.include(asked.headers.get("access-control-allow-methods") ?? "", "PUT")
        const refused = yield* get(url)
        assert.deepStrictEqual([refused.status, refused.headers.get("access-control-allow-origin")], [404, "*"])
        assert.strictEqual(refused.headers.get("cross-origin-resource-policy"), "cross-origin")
        assert.include(yield* Effect.promise(() => refused.text()), "<Code>NoSuchKey</Code>")
        assert.strictEqual((yield* get(url, { method: "DELETE" })).status, 405)
        assert.strictEqual((yield* get(url.replace("/public/", "/other/"))).status, 404)
        assert.strictEqual((yield* get(`${url}/..%2f..`)).status, 404)
      })
    ))

  it.effect("STO-44 fields are found however the body is cut, and what is no form is refused", () =>
    withPlace(({ port }, store) =>
      Effect.gen(function*() {
        const head = (length: number, type = "multipart/form-data; boundary=XX") =>
          `POST /storage/private HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`
        const at = fresh()
        const signed = yield* store.signForm({ ...form, at, sizeBytes: 7 })
        // The file holds what looks like its own end.
        const { after, before } = formText(signed.fields)
        const body = `${before}\r\n--XX-${after}`
        const whole = head(body.length) + body
        const socket = yield* connect(port, whole.slice(0, 1))
        const answer = answerOf(socket)
        for (let from = 1; from < whole.length; from += 7) {
          socket.write(whole.slice(from, from + 7))
          yield* turn
        }
        assert.match(yield* answer, /^HTTP\/1.1 204/)
        assert.strictEqual(Option.getOrThrow(yield* store.head(at)).sizeBytes, 7)
        const bad = [
          ["no form", head(7) + "no form"],
          [
            "no file",
            `${head(150)}--XX\r\nContent-Disposition: form-data; name="key"\r\n\r\n1\r\n--XX--\r\n`.padEnd(400)
          ],
          [
            "a field twice",
            head(200) + `--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n`.repeat(2).padEnd(200)
          ],
          ["no boundary", head(2, "multipart/form-data") + "{}"],
          ["another type", head(2, "application/json") + "{}"],
          [
            "fields without end",
            head(70_000) + `--XX\r\nContent-Disposition: form-data; name="a"\r\n\r\n`.padEnd(70_000, "x")
          ]
        ] as const
        for (const [name, text] of bad) {
          const refused = yield* Effect.flatMap(connect(port, text), (socket) => {
            socket.end()
            return answerOf(socket)
          })
          assert.match(refused, /^HTTP\/1.1 400/, name)
        }
      })
    ))

  it.effect("STO-28 a signature holds with the mount cut off and with any Host header, and not for another mount", () =>
    withPlace(({ port }, store) =>
      Effect.gen(function*() {
        const at = fresh()
        yield* putBytes(at, new Uint8Array(3))
        const { pathname, search } = new URL(yield* store.signGet({ at, headers, lifetime: Duration.hours(6) }))
        const status = (path: string) =>
          Effect.flatMap(
            connect(port, `GET ${path} HTTP/1.1\r\nHost: proxy.test\r\nConnection: close\r\n\r\n`),
            (socket) => Effect.map(answerOf(socket), (text) => text.slice(9, 12))
          )
        assert.strictEqual(yield* status(pathname + search), "200")
        assert.strictEqual(yield* status(pathname.replace("/storage", "") + search), "200")
        assert.strictEqual(yield* status(`/elsewhere${pathname}${search}`), "404")
      })
    ))

  it.effect("STO-27 of sendings of one part at once, one is stored whole", () =>
    withPlace((_, store) =>
      Effect.gen(function*() {
        const at = fresh("public")
        const uploadId = yield* store.createUpload(at, headers)
        const sizeBytes = 1_000_000
        const [url = ""] = yield* store.signParts({
          at,
          uploadId,
          parts: [{ partNumber: 1, sizeBytes }],
          lifetime: Duration.days(1)
        })
        const answers = yield* Effect.forEach(
          [1, 2, 3, 4, 5, 6],
          (seed) => get(url, { method: "PUT", body: new Uint8Array(sizeBytes).fill(seed) }),
          { concurrency: "unbounded" }
        )
        const refused = answers.map(({ status }) => status).filter((status) => status !== 200)
        assert.isBelow(refused.length, answers.length)
        assert.isTrue(refused.every((status) => status === 403))
        yield* store.completeUpload(at, uploadId, Option.getOrThrow(yield* store.listParts(at, uploadId)))
        const answer = yield* get(store.publicUrl(at.key))
        const bytes = new Uint8Array(yield* Effect.promise(() => answer.arrayBuffer()))
        assert.strictEqual(bytes.length, sizeBytes)
        assert.strictEqual(new Set(bytes).size, 1)
      })
    ))

  it.effect("STO-27 of puts of one object at once, one is stored whole and nothing else is left", () =>
    withPlace(({ root }, store) =>
      Effect.gen(function*() {
        const at = fresh("public")
        const before = (yield* filesIn(root)).length
        yield* Effect.forEach(
          [1, 2, 3, 4, 5, 6, 7, 8],
          (seed) => putBytes(at, new Uint8Array(1000).fill(seed)),
          { concurrency: "unbounded" }
        )
        const answer = yield* get(store.publicUrl(at.key))
        const bytes = new Uint8Array(yield* Effect.promise(() => answer.arrayBuffer()))
        assert.deepStrictEqual([bytes.length, new Set(bytes).size], [1000, 1])
        assert.strictEqual((yield* filesIn(root)).length, before + 1)
      })
    ))
})
