/**
 * A process that looks into files until it is killed:
 * `node ExtractionProcess.ts <database url> <schema> <storage directory>`. Prints `working` when it is up.
 */
import { NodeCrypto } from "@effect/platform-node"
import { AccountsSql, Database, DatabaseSchema, Drive, JobsSql, JobsWorker, LeaseLifetime } from "@filedrive/core"
import { TestMediaTools } from "@filedrive/testing"
import { Duration, Effect, Layer } from "effect"
import { writeSync } from "node:fs"
import * as Postgres from "../../src/database/Postgres.ts"
import * as FileTypeKinds from "../../src/media/FileTypeKinds.ts"
import * as NodeRemoteFile from "../../src/remote/NodeRemoteFile.ts"
import * as DiskStore from "../../src/storage/disk/DiskStore.ts"

const [url, schema, root] = process.argv.slice(2) as [string, string, string]

const drive = JobsWorker.layer.pipe(
  Layer.provideMerge(Drive.layer),
  Layer.provideMerge(Layer.mergeAll(AccountsSql.layer, JobsSql.layer)),
  Layer.provideMerge(Database.layer),
  Layer.provideMerge(Layer.mergeAll(
    Postgres.layer({ url }),
    DiskStore.layer({ root, endpoint: "http://127.0.0.1/storage" }),
    FileTypeKinds.layer,
    TestMediaTools.layer,
    NodeRemoteFile.layer({ allowPrivateAddresses: true }),
    NodeCrypto.layer
  )),
  Layer.provide(Layer.mergeAll(
    Layer.succeed(DatabaseSchema, schema),
    Layer.succeed(LeaseLifetime, Duration.seconds(3))
  ))
)

const work = Effect.andThen(Effect.sync(() => void writeSync(1, "working\n")), Effect.never)

await Effect.runPromise(Effect.provide(work, drive))
