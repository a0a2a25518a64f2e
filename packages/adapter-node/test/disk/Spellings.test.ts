/** Signed links as hosts on their way write them anew. */
import { assert, layer } from "@effect/vitest"
import { ObjectStore as Port } from "@filedrive/core"
import { Duration, Effect } from "effect"
import { fresh, headers, putBytes, served } from "./DiskStoreTest.ts"

const get = (url: string, init?: RequestInit) => Effect.promise(() => fetch(url, init))

layer(served(), { excludeTestServices: true })("Spellings of signed links", (it) => {
  it.effect("DL-10 a link works however a host spells its query, and saves the file under the same name", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const at = fresh()
      yield* putBytes(at, new Uint8Array(3))
      const contentDisposition = "attachment; filename=\"a + b 100%.txt\"; filename*=UTF-8''a%20%2B%20%27(b)%27.txt"
      const signed = yield* store.signGet({
        at,
        headers: { ...headers, contentDisposition },
        lifetime: Duration.hours(6)
      })
      const rewritten = new URL(signed)
      rewritten.search = new URLSearchParams(rewritten.searchParams).toString()
      assert.notStrictEqual(rewritten.href, signed)
      const reordered = new URL(signed)
      reordered.search = new URLSearchParams([...reordered.searchParams].toReversed()).toString()
      const lower = signed.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase())
      const blanks = signed.replaceAll("%20", "+")
      for (const url of [signed, rewritten.href, reordered.href, lower, blanks]) {
        const answer = yield* get(url)
        assert.strictEqual(answer.status, 200, url)
        assert.strictEqual(answer.headers.get("content-disposition"), contentDisposition)
      }
      // A plus of the name's own is not a blank.
      assert.strictEqual((yield* get(signed.replaceAll("%2B", "+"))).status, 403)

      const parts = fresh()
      const uploadId = yield* store.createUpload(parts, headers)
      const [part = ""] = yield* store.signParts({
        at: parts,
        uploadId,
        parts: [{ partNumber: 1, sizeBytes: 3 }],
        lifetime: Duration.days(1)
      })
      const sent = new URL(part)
      sent.search = new URLSearchParams(sent.searchParams).toString()
      assert.strictEqual((yield* get(sent.href, { method: "PUT", body: new Uint8Array(3) })).status, 200)
    }))
})
