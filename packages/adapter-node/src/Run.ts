/** How a user's drive calls the services. */
import type { Effect } from "effect"
import type { DriveServices } from "./DriveLayer.ts"

/** Runs an effect with the drive's services; rejects with a `DriveError`, or with what a host's own code threw. */
export type Run = <A, E>(effect: Effect.Effect<A, E, DriveServices>) => Promise<A>
