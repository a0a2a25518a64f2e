/** Forms, uploads in parts and inserts, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"
import credentialsOfUploads from "./0048_credentials_of_uploads.ts"
import { UploadsApi } from "./UploadsApi.ts"
import { UploadsHandlers } from "./UploadsHandlers.ts"
import { UploadsLayer } from "./UploadsLayer.ts"
import { UploadsLiveKeys } from "./UploadsLiveKeys.ts"
import { uploadSweepJob } from "./UploadSweep.ts"

const tables = ["upload_forms", "uploads", "upload_tokens"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const UploadsFeature = {
  name: "uploads",
  layer: UploadsLayer,
  api: [UploadsApi],
  handlers: UploadsHandlers,
  tables,
  migrations: { "0048_credentials_of_uploads": credentialsOfUploads },
  liveKeys: UploadsLiveKeys,
  jobs: [uploadSweepJob]
} as const satisfies Feature
