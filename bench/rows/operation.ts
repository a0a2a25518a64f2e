/**
 * What it costs to run an operation by its id, over calling the service itself: decoding, checking the caller, encoding. The
 * call is one that the service answers without asking the database.
 */
import { NodeCrypto } from "@effect/platform-node"
import {
  AccountsAdmin,
  AccountsSql,
  CurrentAccount,
  Drive,
  HttpConfig,
  Ids,
  JobsSql,
  Operations,
  Trash
} from "@filedrive/core"
import { FileTypeKinds } from "@filedrive/media"
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
import { Effect, Layer, ManagedRuntime } from "effect"
import { interleave, median, seconds } from "../Rounds.ts"
import { quick } from "../Settings.ts"
import type { Outcome } from "../Table.ts"

const layer = Layer.merge(Operations.Operations.layer, AccountsAdmin.layer).pipe(
  Layer.provideMerge(Drive.layer),
  Layer.provideMerge(AccountsSql.layer),
  Layer.provideMerge(JobsSql.layer),
  Layer.provideMerge(TestDatabase.layer),
  Layer.provideMerge(Layer.mergeAll(
    FileTypeKinds.layer,
    HttpConfig.layer({}),
    MemoryObjectStore.layer,
    MemoryRemoteFile.layer,
    NodeCrypto.layer,
    TestMediaTools.layer,
    TestImageGenerator.layer,
    TestPasswordHasher.layer,
    MemoryWebhooks.layer,
    TestSecretBox.layer
  ))
)

const calls = quick ? 100 : 20_000
const fileId = Ids.FileId.make("019845e1-682f-7b02-a706-3b2422d13aec")
const refs = [{ id: fileId }]
const targetMicros = 30

export const operation = async (): Promise<ReadonlyArray<Outcome>> => {
  const runtime = ManagedRuntime.make(layer)
  try {
    const ada = await runtime.runPromise(
      AccountsAdmin.use((accounts) => Effect.flatMap(accounts.create({}), Effect.fromOption))
    )
    // Refused at once: it may only read.
    const caller = { id: ada.id, tokenId: null, limits: { permissions: ["read" as const], folderId: null } }
    const { byId, service } = await runtime.runPromise(Effect.all({ byId: Operations.Operations, service: Trash }))
    const repeat = (call: Effect.Effect<unknown, unknown>) =>
      seconds(() => runtime.runPromise(Effect.repeat(Effect.ignore(call), { times: calls - 1 }))).then((all) =>
        all / calls * 1e6
      )
    const micros = await interleave(5, {
      service: () => repeat(Effect.provideService(service.put([fileId]), CurrentAccount.CurrentAccount, caller)),
      operation: () => repeat(byId.run("trashFiles", refs, caller))
    })
    const [own, bare] = [median(micros.operation), median(micros.service)]
    const more = own - bare
    return [{
      what: "an operation run by its id",
      own: `${own.toFixed(1)} µs a call`,
      against: `the service itself: ${bare.toFixed(1)} µs`,
      result: `${more.toFixed(1)} µs more`,
      target: `at most ${targetMicros} µs more`,
      met: more <= targetMicros
    }]
  } finally {
    await runtime.dispose()
  }
}
