/** The drive's services in this process, on a database that is given, without HTTP and with made-up bytes. */
import { NodeCrypto } from "@effect/platform-node"
import {
  AccountsAdmin,
  AccountsSql,
  CurrentAccount,
  Database,
  Drive,
  Ids,
  ImageGenerator,
  JobsSql,
  JobsWorker,
  MediaKinds,
  MediaTools,
  migrate,
  RemoteFile,
  WebhookSender
} from "@filedrive/core"
import { TestSecretBox } from "@filedrive/testing"
import { Effect, Layer, ManagedRuntime } from "effect"
import type { SqlClient } from "effect/sql"
import * as Pglite from "../../packages/adapter-node/src/database/Pglite.ts"
import * as Postgres from "../../packages/adapter-node/src/database/Postgres.ts"
import * as ScryptPasswords from "../../packages/adapter-node/src/ScryptPasswords.ts"
import { AnyBytes } from "./AnyBytes.ts"

const migrated = Layer.effectDiscard(migrate).pipe(Layer.provideMerge(Database.layer))

/** The drive with the ports that a measurement has chosen. */
export const driveOn = <E, Ports>(
  client: Layer.Layer<SqlClient.SqlClient, E>,
  ports: Layer.Layer<Ports>
) =>
  Layer.mergeAll(AccountsAdmin.layer, JobsWorker.layerManual).pipe(
    Layer.provideMerge(Drive.layer),
    Layer.provideMerge(Layer.mergeAll(
      AccountsSql.layer,
      JobsSql.layer,
      MediaTools.none,
      TestSecretBox.layer,
      WebhookSender.none,
      ports
    )),
    Layer.provideMerge(migrated),
    Layer.provideMerge(client),
    Layer.provideMerge(NodeCrypto.layer)
  )

const services = <E>(client: Layer.Layer<SqlClient.SqlClient, E>) =>
  driveOn(
    client,
    Layer.mergeAll(
      AnyBytes.layer,
      ImageGenerator.none,
      RemoteFile.none,
      ScryptPasswords.layer,
      Layer.succeed(MediaKinds.MediaKinds, MediaKinds.MediaKinds.of({ detect: () => Effect.succeed(null) }))
    )
  )

export const onPostgres = (url: string) => ManagedRuntime.make(services(Postgres.layer({ url, maxConnections: 4 })))
export const onPglite = (directory: string) => ManagedRuntime.make(services(Pglite.layer({ directory })))

export type LibraryDrive = ReturnType<typeof onPostgres> | ReturnType<typeof onPglite>

/** Runs a call as the user, with all rights. */
export const as = (userId: string) =>
  Effect.provideService(
    CurrentAccount.CurrentAccount,
    CurrentAccount.CurrentAccount.of({
      id: Ids.AccountId.make(userId),
      tokenId: null,
      limits: CurrentAccount.unlimited
    })
  )
