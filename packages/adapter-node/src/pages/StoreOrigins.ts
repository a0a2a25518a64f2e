/**
 * Where the links of the drive's storage lead. The store itself is asked, by links that nobody gets: so it is right for any store, a host's
 * own among them.
 */
import { type DriveError, ObjectStore } from "@filedrive/core"
import { Duration, Effect } from "effect"

const key = "pages/origin"
const lifetime = Duration.minutes(1)
const headers = { contentType: "application/octet-stream", contentDisposition: "attachment", cacheControl: "no-store" }

const originOf = (url: string): ReadonlyArray<string> => URL.canParse(url) ? [new URL(url).origin] : []

/** The origins, without repetition. */
export const origins: Effect.Effect<
  ReadonlyArray<string>,
  DriveError.Unavailable,
  ObjectStore.ObjectStore
> = Effect.gen(function*() {
  const store = yield* ObjectStore.ObjectStore
  const at = { bucket: "private", key } as const
  const form = yield* store.signForm({ at, headers, sizeBytes: 1, lifetime })
  const parts = yield* store.signParts({
    at,
    uploadId: "origin",
    parts: [{ partNumber: 1, sizeBytes: 1 }],
    lifetime
  })
  const link = yield* store.signGet({ at, headers, lifetime })
  return [...new Set([form.url, ...parts, link, store.publicUrl(key)].flatMap(originOf))]
})
