/** One PGlite for each process. It begins with prepared schemas, because making a database takes seconds. */
import { PgliteMemory } from "@filedrive/adapter-node/pglite-memory"
import { Context, Effect, Layer, Scope } from "effect"
import { preparedSchemas } from "./PreparedSchemas.ts"

let opened: Promise<PgliteMemory["Service"]> | undefined

const open = Effect.map(
  Layer.build(PgliteMemory.layer({ prepared: preparedSchemas })),
  (built) => Context.get(built, PgliteMemory)
)

/** Lives as long as the process, so that only the first test layer waits for it. */
export const sharedMemory = Layer.effect(
  PgliteMemory,
  Effect.promise(() => opened ??= Effect.runPromise(Effect.provideService(open, Scope.Scope, Scope.makeUnsafe())))
)
