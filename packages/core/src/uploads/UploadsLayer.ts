/** Every service of uploads, from the files, the accounts, the jobs and the ports. */
import { Layer } from "effect"
import { CredentialEnds } from "../accounts/CredentialEnds.ts"
import { Admission } from "./Admission.ts"
import { Deliveries } from "./Deliveries.ts"
import { DeliveriesRepo } from "./DeliveriesRepo.ts"
import * as EndedCredentials from "./EndedCredentials.ts"
import { FormEnds } from "./FormEnds.ts"
import { Forms } from "./Forms.ts"
import { FormsRepo } from "./FormsRepo.ts"
import { HostUploads } from "./HostUploads.ts"
import { Inserts } from "./Inserts.ts"
import { IssuedForms } from "./IssuedForms.ts"
import { LeftUploads } from "./LeftUploads.ts"
import { Uploads } from "./Uploads.ts"
import { UploadsLiveKeys } from "./UploadsLiveKeys.ts"
import { UploadsRepo } from "./UploadsRepo.ts"
import { UploadSweep } from "./UploadSweep.ts"
import { UploadTokens } from "./UploadTokens.ts"

export const UploadsLayer = HostUploads.layerNoDeps.pipe(
  Layer.provideMerge(Layer.mergeAll(
    Deliveries.layerNoDeps,
    EndedCredentials.layerNoDeps,
    Forms.layerNoDeps,
    Inserts.layerNoDeps,
    LeftUploads.layerNoDeps,
    UploadSweep.layerNoDeps,
    UploadsLiveKeys
  )),
  Layer.provideMerge(Uploads.layerNoDeps),
  Layer.provideMerge(FormEnds.layerNoDeps),
  Layer.provide([UploadTokens.layerNoDeps, Admission.layerNoDeps]),
  Layer.provide([CredentialEnds.layer, DeliveriesRepo.layer, FormsRepo.layer, IssuedForms.layer, UploadsRepo.layer])
)
