/** Modules of the client that few need, and that are loaded when they are needed. */
import { failure } from "../DriveError.ts"

export const loaded = <A>(module: Promise<A>): Promise<A> =>
  module.catch((cause: unknown) => {
    throw failure("network", "The module could not be reached.", true, cause)
  })
