/** A drive on real PostgreSQL and disk storage for tests in which processes at work are killed. */
import { NodeCrypto } from "@effect/platform-node"
import {
  AccountsAdmin,
  AccountsSql,
  Database,
  DatabaseSchema,
  Drive,
  type ImageGenerator,
  JobsSql
} from "@filedrive/core"
import { FileTypeKinds } from "@filedrive/media"
import {
  MemoryWebhooks,
  TestDatabase,
  TestImageGenerator,
  TestMediaTools,
  TestPasswordHasher,
  TestSecretBox
} from "@filedrive/testing"
import { Effect, Layer } from "effect"
import * as NodeRemoteFile from "../src/remote/NodeRemoteFile.ts"
import * as DiskStore from "../src/storage/disk/DiskStore.ts"

/** All but the database. Its objects are below `root`. */
export const driveOn = (
  root: string,
  images: Layer.Layer<ImageGenerator.ImageGenerator> = TestImageGenerator.layer
) =>
  Drive.layer.pipe(
    Layer.provideMerge(Layer.mergeAll(AccountsSql.layer, JobsSql.layer)),
    Layer.provideMerge(Layer.mergeAll(
      DiskStore.layer({ root, endpoint: "http://127.0.0.1/storage" }),
      FileTypeKinds.layer,
      TestMediaTools.layer,
      images,
      NodeRemoteFile.layer({ allowPrivateAddresses: true }),
      NodeCrypto.layer,
      TestPasswordHasher.layer,
      MemoryWebhooks.layer,
      TestSecretBox.layer
    ))
  )

/** A database of its own, whose schema every layer knows. */
const database = Layer.effect(DatabaseSchema, Effect.map(Database, ({ schema }) => schema)).pipe(
  Layer.provideMerge(TestDatabase.layerPostgres)
)

/** The drive in the test's own process, which runs no job. */
export const driveHere = (root: string) =>
  AccountsAdmin.layer.pipe(Layer.provideMerge(driveOn(root)), Layer.provideMerge(database))
