/** Registers which objects forms and uploads in parts need. */
import { Effect, Layer } from "effect"
import * as LiveKeys from "../objects/LiveKeys.ts"
import { FormsRepo } from "./FormsRepo.ts"
import { UploadsRepo } from "./UploadsRepo.ts"

export const UploadsLiveKeys = LiveKeys.registration(Effect.gen(function*() {
  const forms = yield* FormsRepo
  const uploads = yield* UploadsRepo
  return { forms: forms.liveKeys, uploads: uploads.liveKeys }
})).pipe(Layer.provide([FormsRepo.layer, UploadsRepo.layer]))
