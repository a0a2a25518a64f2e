/** Operations on the disk as effects, which fail in the drive's words. */
import { DriveError } from "@filedrive/core"
import { Effect } from "effect"
import { isFull } from "./Room.ts"

/** A full disk has its own code, whatever was tried. */
export const unavailable = (code: DriveError.Unavailable["code"]) => (cause: unknown) =>
  new DriveError.Unavailable({ code: isFull(cause) ? "no_space" : code, cause })

export const attempt = <A>(run: () => Promise<A>) =>
  Effect.tryPromise({ try: run, catch: unavailable("storage_unavailable") })
