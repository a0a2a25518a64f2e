/** A store that has the bytes of every file that was seeded: zeros, as many as asked for, without keeping any. */
import { DriveError, ObjectStore } from "@filedrive/core"
import { MemoryObjectStore } from "@filedrive/testing"
import { Context, DateTime, Effect, Layer, Option, Stream } from "effect"

/** What each seeded object has; files of other sizes may be listed and found, but not read. */
export const seededBytes = 1_000

/** Where the bytes of imported files are said to be. */
const isSeeded = (key: string) => key.startsWith("imported/")

export class AnyBytes extends Context.Service<AnyBytes, {
  /** From now on the seeded bytes are gone. */
  readonly lose: Effect.Effect<void>
}>()("filedrive/bench/library/AnyBytes") {
  static readonly layer = Layer.effectContext(
    Effect.gen(function*() {
      const memory = yield* ObjectStore.ObjectStore
      const storedTime = DateTime.makeUnsafe(0)
      let isLost = false
      const there = (key: string) => isSeeded(key) && !isLost
      return Context.make(
        ObjectStore.ObjectStore,
        ObjectStore.ObjectStore.of({
          ...memory,
          head: (at) =>
            there(at.key)
              ? Effect.succeed(Option.some({ sizeBytes: seededBytes, etag: "none", storedTime }))
              : memory.head(at),
          get: (at, range) => {
            if (!there(at.key)) return memory.get(at, range)
            const { end, start } = range ?? { start: 0, end: seededBytes - 1 }
            return end < seededBytes
              ? Stream.make(new Uint8Array(end + 1 - start))
              : Stream.fail(
                new DriveError.Unavailable({ code: "fetching_file_failed", cause: new Error("no such bytes") })
              )
          },
          verify: () => Effect.succeed({ readBytes: 0, next: null })
        })
      ).pipe(Context.add(AnyBytes, AnyBytes.of({ lose: Effect.sync(() => void (isLost = true)) })))
    })
  ).pipe(Layer.provide(MemoryObjectStore.layer))
}
