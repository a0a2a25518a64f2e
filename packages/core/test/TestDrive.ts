/** A whole drive below HTTP for one test file: a database of its own, storage in memory, jobs that run when told. */
import {
  MemoryObjectStore,
  MemoryRemoteFile,
  MemoryWebhooks,
  TestDatabase,
  TestImageGenerator,
  TestMediaTools,
  TestPasswordHasher,
  TestSecretBox
} from "@filedrive/testing"
import { Effect, Layer } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../src/accounts/AccountTransaction.ts"
import type { Database } from "../src/database/Database.ts"
import * as Features from "../src/Features.ts"
import * as JobsSql from "../src/jobs/JobsSql.ts"
import { JobsWorker } from "../src/jobs/JobsWorker.ts"
import type { Accounts } from "../src/ports/Accounts.ts"
import { MediaKinds } from "../src/ports/MediaKinds.ts"
import type { ObjectStore } from "../src/ports/ObjectStore.ts"
import { TestAccounts } from "./TestAccounts.ts"

/** Knows one kind: what begins with `PNG` is an image. */
const TestMediaKinds = Layer.succeed(
  MediaKinds,
  MediaKinds.of({
    detect: (head) => Effect.succeed(new TextDecoder().decode(head.subarray(0, 3)) === "PNG" ? "image/png" : null)
  })
)

type AccountsLayer<A> = Layer.Layer<A | Accounts, never, AccountTransaction | SecureRandom.SecureRandom>

/** The drive on a database and object store of the test's choice, for users of its own. */
export const testDriveOn = <S, SE, E, R, A>(
  store: Layer.Layer<ObjectStore | S, SE>,
  database: Layer.Layer<Database, E, R>,
  accounts: AccountsLayer<A>
) =>
  Layer.provideMerge(JobsWorker.layerManual, Features.layer).pipe(
    Layer.provideMerge(Layer.mergeAll(accounts, JobsSql.layer)),
    Layer.provideMerge(AccountTransaction.layer),
    Layer.provideMerge(
      Layer.mergeAll(
        database,
        store,
        MemoryRemoteFile.layer,
        TestPasswordHasher.layer,
        MemoryWebhooks.layer,
        TestSecretBox.layer,
        TestMediaKinds,
        TestMediaTools.layer,
        TestImageGenerator.layer,
        Digest.layerWebCrypto,
        SecureRandom.layerWebCrypto
      )
    )
  )

/** The same with a store in memory. */
export const testDrive = <E, R, A>(database: Layer.Layer<Database, E, R>, accounts: AccountsLayer<A>) =>
  testDriveOn(MemoryObjectStore.layer, database, accounts)

export const TestDrive = testDrive(TestDatabase.layer, TestAccounts.layer)
