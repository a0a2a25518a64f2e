/** Operations on the disk as effects, which fail with the drive's errors. */
import { DriveError } from "@filedrive/core"
import { Effect } from "effect"
import { ObjectDamaged } from "./ObjectDamaged.ts"
import { isFull } from "./Room.ts"

/** A full disk has its own code, whatever was tried; damage is told as what no other try mends. */
export const unavailable = (code: DriveError.Unavailable["code"]) => (cause: unknown) =>
  new DriveError.Unavailable({
    code: isFull(cause) ? "no_space" : code,
    cause,
    ...(cause instanceof ObjectDamaged ? { isLost: true, isDamaged: true } : {})
  })

export const attempt = <A>(run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: unavailable("storage_unavailable") })
