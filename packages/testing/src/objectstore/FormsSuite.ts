/** Forms: what a store must accept and what it must refuse. */
import { assert, type Vitest } from "@effect/vitest"
import { ObjectStore as Port } from "@filedrive/core"
import { DateTime, Duration, Effect, Option } from "effect"
import { ago, content, type DataPlane, freshAddress, headers, read, sendForm } from "./DataPlane.ts"
import type { ObjectStoreSuiteOptions } from "./SuiteOptions.ts"

type Fields = Readonly<Record<string, string>>

const nameOf = (fields: Fields, lowerCase: string) =>
  Object.keys(fields).find((name) => name.toLowerCase() === lowerCase) ?? lowerCase

const changed = (name: string, change: (value: string) => string) => (fields: Fields): Fields => {
  const own = nameOf(fields, name)
  return { ...fields, [own]: change(fields[own] ?? "") }
}

const without = (name: string) => (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([own]) => own !== nameOf(fields, name)))

const laterPolicy = (policy: string) => btoa(atob(policy).replace(/"expiration":"\d{4}/, `"expiration":"9999`))

const tamperings: ReadonlyArray<{ readonly name: string; readonly edit: (fields: Fields) => Fields }> = [
  { name: "another content type", edit: changed("content-type", () => "text/html") },
  { name: "another disposition", edit: changed("content-disposition", () => "inline") },
  { name: "a field left out", edit: without("cache-control") },
  { name: "another key", edit: changed("key", (key) => `${key}0`) },
  { name: "a field more", edit: (fields) => ({ "x-amz-meta-more": "1", ...fields }) },
  {
    name: "another signature",
    edit: changed("x-amz-signature", (hex) => (hex.startsWith("0") ? "1" : "0") + hex.slice(1))
  },
  { name: "an edited policy", edit: changed("policy", laterPolicy) }
]

export const formsSuite = (
  it: Vitest.MethodsNonLive<Port.ObjectStore | DataPlane>,
  options: ObjectStoreSuiteOptions
) => {
  const sign = Effect.fnUntraced(function*(sizeBytes: number, at = freshAddress("private", "incoming")) {
    const store = yield* Port.ObjectStore
    const form = yield* store.signForm({ at, headers, sizeBytes, lifetime: Duration.days(2) })
    return { at, form }
  })

  const storedAt = Effect.fnUntraced(function*(at: Port.ObjectAddress) {
    const store = yield* Port.ObjectStore
    return Option.getOrUndefined(yield* store.head(at))?.sizeBytes
  })

  it.effect.each([0, 1, 100_000])(
    "STO-2 a form stores exactly the file of its %i bytes",
    (sizeBytes) =>
      Effect.gen(function*() {
        const { at, form } = yield* sign(sizeBytes)
        const answer = yield* sendForm(form, content(sizeBytes))
        assert.isTrue(answer.status >= 200 && answer.status < 300, `answered ${answer.status}`)
        assert.strictEqual(yield* storedAt(at), sizeBytes)
        assert.deepStrictEqual(yield* read(at), content(sizeBytes))
      })
  )

  it.effect.each([
    { planned: 100, sent: 99 },
    { planned: 100, sent: 0 },
    { planned: 100, sent: 101 },
    { planned: 100, sent: 200_000 },
    { planned: 0, sent: 1 }
  ])(
    "STO-3 a form for $planned bytes refuses $sent bytes and keeps nothing",
    ({ planned, sent }) =>
      Effect.gen(function*() {
        const { at, form } = yield* sign(planned)
        assert.strictEqual((yield* sendForm(form, content(sent))).status, 400)
        assert.strictEqual(yield* storedAt(at), undefined)
      })
  )

  it.effect.each(tamperings)(
    "STO-4 a form with $name is refused and nothing kept",
    ({ edit }) =>
      Effect.gen(function*() {
        const { at, form } = yield* sign(100)
        const fields = edit(form.fields)
        assert.notDeepEqual(fields, form.fields)
        assert.strictEqual((yield* sendForm({ ...form, fields }, content(100))).status, 403)
        assert.strictEqual(yield* storedAt(at), undefined)
        assert.strictEqual(yield* storedAt({ ...at, key: `${at.key}0` }), undefined)
      })
  )

  it.effect("STO-4 a form past its lifetime is refused and nothing kept", () =>
    Effect.gen(function*() {
      const { at, form } = yield* ago("49 hours", sign(100))
      assert.strictEqual((yield* sendForm(form, content(100))).status, 403)
      assert.strictEqual(yield* storedAt(at), undefined)
    }))

  it.effect("STO-5 a copy keeps its bytes whatever its form is used for afterwards", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const { at, form } = yield* sign(100)
      yield* sendForm(form, content(100))
      const copy = freshAddress()
      yield* store.copy(at, copy, headers)
      yield* sendForm(form, content(100, 1))
      assert.deepStrictEqual(yield* read(copy), content(100))
    }))

  it.effect.runIf(options.refusesReplay)(
    "STO-5 a form that stored its file is spent (only of stores that refuse replays)",
    () =>
      Effect.gen(function*() {
        const store = yield* Port.ObjectStore
        const { at, form } = yield* sign(100)
        yield* sendForm(form, content(100))
        assert.strictEqual((yield* sendForm(form, content(100, 1))).status, 403)
        assert.deepStrictEqual(yield* read(at), content(100))
        yield* store.remove([at])
        assert.strictEqual((yield* sendForm(form, content(100, 1))).status, 403)
        assert.strictEqual(yield* storedAt(at), undefined)
      })
  )

  it.effect.runIf(options.refusesReplay)(
    "STO-5 of one form sent many times at once, one sending is taken (only of stores that refuse replays)",
    () =>
      Effect.gen(function*() {
        const { at, form } = yield* sign(50_000)
        const answers = yield* Effect.forEach(
          Array.from({ length: 8 }, (_, seed) => seed),
          (seed) => Effect.map(sendForm(form, content(50_000, seed)), ({ status }) => ({ seed, status })),
          { concurrency: "unbounded" }
        )
        const taken = answers.filter(({ status }) => status < 300)
        assert.strictEqual(taken.length, 1)
        assert.deepStrictEqual(answers.filter(({ status }) => status === 403).length, 7)
        assert.deepStrictEqual(yield* read(at), content(50_000, taken[0]?.seed))
      })
  )

  it.effect("STO-55 a revoked form stores nothing more, where the store says so, and what it stored before stays", () =>
    Effect.gen(function*() {
      const store = yield* Port.ObjectStore
      const [unsent, sent, other] = yield* Effect.all([sign(100), sign(100), sign(100)])
      yield* sendForm(sent.form, content(100))
      const until = DateTime.addDuration(yield* DateTime.now, Duration.days(2))
      yield* store.revokeForms([unsent.at, sent.at], until)
      yield* store.revokeForms([unsent.at], until)
      assert.strictEqual((yield* sendForm(unsent.form, content(100))).status, store.revokesForms ? 403 : 204)
      assert.strictEqual(yield* storedAt(unsent.at), store.revokesForms ? undefined : 100)
      assert.deepStrictEqual(yield* read(sent.at), content(100))
      assert.isBelow((yield* sendForm(other.form, content(100))).status, 300)
    }))

  it.effect("STO-5 a form that was refused can still be used rightly", () =>
    Effect.gen(function*() {
      const { at, form } = yield* sign(100)
      yield* sendForm(form, content(99))
      assert.isBelow((yield* sendForm(form, content(100))).status, 300)
      assert.deepStrictEqual(yield* read(at), content(100))
    }))
}
