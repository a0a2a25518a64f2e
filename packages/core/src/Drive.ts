/**
 * The whole drive: every service of the core, each made once, from the ports.
 *
 * ```ts
 * const MyDrive = DriveHttp.layer.pipe(
 *   Layer.provideMerge(Drive.layer),
 *   Layer.provide([MyDatabase, MyObjectStore, MyAccounts, MyJobs, MyMediaKinds, MyMediaTools, MyRemoteFile,
 *     SecureRandom.layerWebCrypto, Digest.layerWebCrypto])
 * )
 * ```
 *
 * It asks for a `SqlClient` whose database is migrated ({@link "./database/Migrations.ts"}),
 * the ports, a queue for {@link Jobs}, and random numbers and digests from `effect/crypto`.
 */
import { Layer } from "effect"
import { AccountTransaction } from "./accounts/AccountTransaction.ts"
import { ApiTokens } from "./accounts/ApiTokens.ts"
import { Sessions } from "./accounts/Sessions.ts"
import { ArchivesLayer } from "./archives/ArchivesLayer.ts"
import { BulkImport } from "./bulk/BulkImport.ts"
import { Database } from "./database/Database.ts"
import { Events } from "./events/Events.ts"
import { FilesLayer } from "./files/FilesLayer.ts"
import { Imports } from "./imports/Imports.ts"
import { Library } from "./library/Library.ts"
import { Search } from "./library/Search.ts"
import { MediaLayer } from "./media/MediaLayer.ts"
import { OrganizeLayer } from "./organize/OrganizeLayer.ts"
import { Shares } from "./shares/Shares.ts"
import { UploadsLayer } from "./uploads/UploadsLayer.ts"
import { Views } from "./views/Views.ts"

/** From the top down: each line may use what is on the lines below it. */
export const layer = Layer.mergeAll(
  UploadsLayer,
  BulkImport.layer,
  Imports.layer,
  MediaLayer,
  Library.layer,
  Search.layer,
  Views.layer,
  Shares.layer,
  ArchivesLayer,
  ApiTokens.layer
).pipe(
  Layer.provideMerge(OrganizeLayer),
  Layer.provideMerge(Layer.mergeAll(FilesLayer, Sessions.layer)),
  Layer.provideMerge(Events.layer),
  Layer.provideMerge(AccountTransaction.layer),
  Layer.provideMerge(Database.layer)
)
