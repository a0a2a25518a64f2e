/** Registers which objects archives need. */
import { Effect, Layer } from "effect"
import * as LiveKeys from "../objects/LiveKeys.ts"
import { ArchivesRepo } from "./ArchivesRepo.ts"

export const ArchivesLiveKeys = LiveKeys.registration(
  Effect.map(ArchivesRepo, ({ liveKeys }) => ({ archives: liveKeys }))
).pipe(Layer.provide(ArchivesRepo.layer))
