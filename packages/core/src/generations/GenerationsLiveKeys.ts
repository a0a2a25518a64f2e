/** Registers which objects generations need. */
import { Effect, Layer } from "effect"
import * as LiveKeys from "../objects/LiveKeys.ts"
import { GenerationsRepo } from "./GenerationsRepo.ts"

export const GenerationsLiveKeys = LiveKeys.registration(
  Effect.map(GenerationsRepo, ({ liveKeys }) => ({ generations: liveKeys }))
).pipe(Layer.provide(GenerationsRepo.layer))
