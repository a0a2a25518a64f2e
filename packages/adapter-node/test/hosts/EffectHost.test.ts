/** A program written with Effect makes a drive of the published layers, as docs/embedding.md shows. */
import { NodeCrypto } from "@effect/platform-node"
import { assert, it } from "@effect/vitest"
import { DiskStore, NodeRemoteFile, NodeWebhookSender, ScryptPasswords, SealedSecrets } from "@filedrive/adapter-node"
import * as Pglite from "@filedrive/adapter-node/pglite"
import {
  AccountsAdmin,
  AccountsSql,
  Database,
  Drive,
  DriveHttp,
  HttpConfig,
  ImageGenerator,
  JobsSql,
  JobsWorker,
  migrate,
  Operations
} from "@filedrive/core"
import { FileTypeKinds, NodeMediaTools } from "@filedrive/media"
import { Config, ConfigProvider, Effect, Layer, Option } from "effect"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const Ports = Layer.mergeAll(
  Pglite.layerConfig({ directory: Config.String("DATABASE_DIRECTORY") }),
  DiskStore.layerConfig({
    root: Config.String("STORAGE_DIRECTORY"),
    endpoint: Config.String("STORAGE_URL")
  }),
  NodeRemoteFile.layerConfig({ allowPrivateAddresses: Config.Boolean("PRIVATE").pipe(Config.withDefault(false)) }),
  NodeWebhookSender.layer(),
  SealedSecrets.layerConfig({ keyFile: Config.String("SECRET_KEY_FILE") }),
  ScryptPasswords.layer,
  NodeMediaTools.layer(),
  ImageGenerator.none,
  FileTypeKinds.layer,
  NodeCrypto.layer
)

const MyDrive = Layer.mergeAll(DriveHttp.layer, JobsWorker.layer, AccountsAdmin.layer, Operations.Operations.layer)
  .pipe(
    Layer.provideMerge(Drive.layer),
    Layer.provide([AccountsSql.layer, JobsSql.layer]),
    Layer.provide(Layer.effectDiscard(migrate).pipe(Layer.provideMerge(Database.layer))),
    Layer.provideMerge(Ports),
    Layer.provide(HttpConfig.layerConfig({ origin: Config.String("ORIGIN") }))
  )

const program = Effect.gen(function*() {
  const ada = Option.getOrThrow(
    yield* AccountsAdmin.use((accounts) => accounts.create({ handle: "ada", plan: "pro" }))
  )
  const caller = { id: ada.id, tokenId: null, limits: { permissions: null, folderId: null } }
  const { uploadForm, uploadUrl } = yield* Operations.Operations.use((operations) =>
    operations.run("generateFileUrls", {
      objectKey: `users/${ada.id}/a.txt`,
      fileName: "a.txt",
      fileSize: 1,
      type: "Text",
      mimeType: "text/plain"
    }, caller)
  )
  const response = yield* DriveHttp.use(({ fetch }) =>
    Effect.promise(() => fetch(new Request("http://drive/api/openapi.json")))
  )
  const { servers } = (yield* Effect.promise(() => response.json())) as { servers: ReadonlyArray<{ url: string }> }
  return { uploadForm, uploadUrl, servers }
})

it.live("HOST-102 its database, storage and address are read from the environment", () =>
  Effect.acquireUseRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "filedrive-effect-"))),
    (directory) => {
      const variables = {
        DATABASE_DIRECTORY: join(directory, "database"),
        STORAGE_DIRECTORY: join(directory, "storage"),
        SECRET_KEY_FILE: join(directory, "secret-key"),
        STORAGE_URL: "https://files.example.com/storage",
        ORIGIN: "https://files.example.com"
      }
      return program.pipe(
        Effect.tap(({ servers, uploadUrl }) =>
          Effect.sync(() => {
            assert.isTrue(uploadUrl.startsWith("https://files.example.com/storage/"), uploadUrl)
            assert.isTrue(servers[0]!.url.startsWith("https://files.example.com"), servers[0]!.url)
          })
        ),
        Effect.provide(Layer.provide(MyDrive, ConfigProvider.layer(ConfigProvider.fromEnv({ env: variables }))))
      )
    },
    (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true }))
  ), 60_000)
