/** Registers which objects imports need. */
import { Effect, Layer } from "effect"
import * as LiveKeys from "../objects/LiveKeys.ts"
import { ImportsRepo } from "./ImportsRepo.ts"

export const ImportsLiveKeys = LiveKeys.registration(
  Effect.map(ImportsRepo, ({ liveKeys }) => ({ imports: liveKeys }))
).pipe(Layer.provide(ImportsRepo.layer))
