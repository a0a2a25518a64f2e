/** Links of the embedded store, and a clock that is set back after they were made. */
import { assert, describe, it } from "@effect/vitest"
import { DateTime } from "effect"
import { presign, type SigningStore } from "../Signature.ts"
import { verifyUrl } from "./Verification.ts"

const store: SigningStore = {
  endpoint: "http://127.0.0.1:4500/storage",
  region: "local",
  forcePathStyle: true,
  credentials: { accessKeyId: "filedrive", secretAccessKey: "secret" }
}
const now = DateTime.makeUnsafe("2026-01-31T12:00:00Z")

/** Looks at a link of an hour, so long after it was made. */
const after = (hours: number) => {
  const signed = presign(store, { method: "GET", bucket: "private", key: "a", query: {}, now, lifetimeSeconds: 3_600 })
  return () =>
    verifyUrl(store, {
      method: "GET",
      bucket: "private",
      key: "a",
      query: [...new URL(signed).searchParams],
      headers: {},
      nowMillis: now.epochMilliseconds + hours * 3_600_000
    })
}

describe("links of the embedded store", () => {
  it("STO-136 they work after the clock was set back by up to a day, and otherwise until they expire", () => {
    for (const hours of [-23.9, -2, 0, 1]) assert.deepStrictEqual(after(hours)(), ["host"])
    assert.throws(after(1.1), "Request has expired.")
    assert.throws(after(-24.1), "Request is not valid yet.")
  })
})
