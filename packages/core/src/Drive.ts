/**
 * The whole drive: every service of the core, each made once, from the ports.
 *
 * ```ts
 * const MyDrive = DriveHttp.layer.pipe(
 *   Layer.provideMerge(Drive.layer),
 *   Layer.provide([MyDatabase, MyObjectStore, MyAccounts, MyJobs, MyMediaKinds, MyMediaTools, MyImageGenerator, MyRemoteFile,
 *     SecureRandom.layerWebCrypto, Digest.layerWebCrypto])
 * )
 * ```
 *
 * It asks for a `SqlClient` whose database is migrated ({@link migrate}),
 * the ports, a queue for {@link Jobs}, and random numbers and digests from `effect/crypto`.
 */
import { Layer } from "effect"
import { AccountTransaction } from "./accounts/AccountTransaction.ts"
import { Database } from "./database/Database.ts"
import * as Migrations from "./database/Migrations.ts"
import * as Features from "./Features.ts"

export const layer = Features.layer.pipe(
  Layer.provideMerge(AccountTransaction.layer),
  Layer.provideMerge(Database.layer)
)

export const { checkMigrated, migrate } = Migrations.make(Features.features)
