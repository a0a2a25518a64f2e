/** Every service of uploads, from the files, the books, the jobs and the ports. */
import { Layer } from "effect"
import { LiveKeys } from "../objects/LiveKeys.ts"
import { Admission } from "./Admission.ts"
import { FormEnds } from "./FormEnds.ts"
import { Forms } from "./Forms.ts"
import { FormsRepo } from "./FormsRepo.ts"
import { HostUploads } from "./HostUploads.ts"
import { Inserts } from "./Inserts.ts"
import { OrphanSweep } from "./OrphanSweep.ts"
import { UnknownObjects } from "./UnknownObjects.ts"
import { Uploads } from "./Uploads.ts"
import { UploadsRepo } from "./UploadsRepo.ts"
import { UploadSweep } from "./UploadSweep.ts"
import { UploadTokens } from "./UploadTokens.ts"

export const UploadsLayer = HostUploads.layerNoDeps.pipe(
  Layer.provideMerge(Layer.mergeAll(
    Forms.layerNoDeps,
    Inserts.layerNoDeps,
    OrphanSweep.layerNoDeps,
    UploadSweep.layerNoDeps
  )),
  Layer.provideMerge(Uploads.layerNoDeps),
  Layer.provide([UploadTokens.layerNoDeps, Admission.layerNoDeps, FormEnds.layerNoDeps, UnknownObjects.layerNoDeps]),
  Layer.provide([FormsRepo.layer, UploadsRepo.layer, LiveKeys.layer])
)
