/** Registers which objects files and their copies to the other bucket need. */
import { Effect, Layer } from "effect"
import * as LiveKeys from "../objects/LiveKeys.ts"
import { BucketTransfersRepo } from "./BucketTransfersRepo.ts"
import { FilesRepo } from "./FilesRepo.ts"

export const FilesLiveKeys = LiveKeys.registration(Effect.gen(function*() {
  const files = yield* FilesRepo
  const transfers = yield* BucketTransfersRepo
  return { files: files.liveKeys, transfers: transfers.liveKeys }
})).pipe(Layer.provide([FilesRepo.layer, BucketTransfersRepo.layer]))
