/** The layers that take options read them by Effect's `Config` too. */
import { assert, describe, it } from "@effect/vitest"
import { ObjectStore, RemoteFile } from "@filedrive/core"
import { NodeMediaTools } from "@filedrive/media"
import { Config, ConfigProvider, Duration, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Pglite from "../src/database/Pglite.ts"
import * as Postgres from "../src/database/Postgres.ts"
import * as NodeRemoteFile from "../src/remote/NodeRemoteFile.ts"
import * as DiskStore from "../src/storage/disk/DiskStore.ts"
import * as S3Store from "../src/storage/s3/S3Store.ts"
import { serveFakeS3 } from "./FakeS3.ts"

/** An environment with these variables and no others. */
const environment = (env: Readonly<Record<string, string>>) => ConfigProvider.layer(ConfigProvider.fromEnv({ env }))

const withDirectory = <A, E, R>(use: (directory: string) => Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "filedrive-config-"))),
    use,
    (directory) => Effect.promise(() => rm(directory, { recursive: true, force: true }))
  )

const disk = DiskStore.layerConfig({
  root: Config.String("STORAGE"),
  endpoint: Config.String("STORAGE_URL"),
  reserveBytes: Config.Int("RESERVE").pipe(Config.withDefault(0))
})

const s3Options = {
  endpoint: Config.String("S3_ENDPOINT").pipe(Config.withDefault(undefined)),
  region: Config.String("S3_REGION"),
  privateBucket: Config.String("S3_PRIVATE_BUCKET"),
  publicBucket: Config.String("S3_PUBLIC_BUCKET"),
  forcePathStyle: Config.Boolean("S3_FORCE_PATH_STYLE").pipe(Config.withDefault(false)),
  credentials: Config.all({
    accessKeyId: Config.String("AWS_ACCESS_KEY_ID"),
    secretAccessKey: Config.String("AWS_SECRET_ACCESS_KEY")
  })
}
const s3 = S3Store.layerConfig(s3Options)
const relayed = S3Store.layerWithRelayConfig(s3Options, {
  url: Config.String("RELAY_URL"),
  secret: Config.Redacted("RELAY_SECRET")
})

const postgres = Postgres.layerConfig({
  url: Config.Redacted("DATABASE_URL"),
  applicationName: Config.String("APPLICATION").pipe(Config.withDefault("filedrive"))
})

const pglite = Pglite.layerConfig({ directory: Config.String("DATABASE") })

const remote = NodeRemoteFile.layerConfig({ allowPrivateAddresses: Config.Boolean("PRIVATE_ADDRESSES") })

const media = NodeMediaTools.layerConfig({ processes: Config.Int("MEDIA_PROCESSES") })

/** The variables of a store that a fake engine serves. */
const fakeEnvironment = Effect.gen(function*() {
  const { options } = yield* serveFakeS3(() => undefined)
  return environment({
    S3_ENDPOINT: options.endpoint!,
    S3_REGION: "us-east-1",
    S3_PRIVATE_BUCKET: "drive-private",
    S3_PUBLIC_BUCKET: "drive-public",
    S3_FORCE_PATH_STYLE: "true",
    AWS_ACCESS_KEY_ID: "key",
    AWS_SECRET_ACCESS_KEY: "secret",
    RELAY_URL: "https://drive.example.com/storage",
    RELAY_SECRET: "signs forms"
  })
})

/** What a client tells a server of PostgreSQL's first: its user, database and name. */
const startupOf = (connect: (port: number) => Effect.Effect<unknown, unknown>) =>
  Effect.scoped(Effect.gen(function*() {
    let told = ""
    const server = createServer((socket) => {
      socket.on("error", () => {})
      socket.once("data", (data) => {
        told = data.toString("latin1")
        socket.destroy()
      })
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () => Effect.sync(() => server.close())
    )
    yield* Effect.exit(connect((server.address() as AddressInfo).port))
    return told
  }))

describe("layers whose options are read by Config", () => {
  it.effect("HOST-100 the disk's", () =>
    withDirectory((directory) =>
      Effect.gen(function*() {
        const root = join(directory, "storage")
        const url = yield* ObjectStore.ObjectStore.useSync((store) => store.publicUrl("files/a")).pipe(
          Effect.provide(Layer.provide(
            disk,
            environment({ STORAGE: root, STORAGE_URL: "https://drive.example.com/storage" })
          ))
        )
        assert.isTrue(url.startsWith("https://drive.example.com/storage/"), url)
        assert.isTrue(existsSync(root))
      })
    ))

  it.live("HOST-100 S3's, with a relay of forms or without", () =>
    Effect.scoped(Effect.gen(function*() {
      const variables = yield* fakeEnvironment
      const form = ObjectStore.ObjectStore.use((store) =>
        store.signForm({
          at: { bucket: "private", key: "incoming/a/b" },
          headers: { contentType: "text/plain", contentDisposition: "attachment", cacheControl: "no-store" },
          sizeBytes: 1,
          lifetime: Duration.hours(1)
        })
      )
      const direct = yield* Effect.provide(form, Layer.provide(s3, variables))
      assert.match(direct.url, /^http:\/\/127\.0\.0\.1:\d+\/drive-private/)
      const passedOn = yield* Effect.provide(form, Layer.provide(relayed, variables))
      assert.isTrue(passedOn.url.startsWith("https://drive.example.com/storage"), passedOn.url)
    })))

  it.live("HOST-100 PostgreSQL's", () =>
    Effect.gen(function*() {
      const told = yield* startupOf((port) =>
        SqlClient.SqlClient.use((sql) => sql`SELECT 1`).pipe(
          Effect.provide(Layer.provide(
            postgres,
            environment({ DATABASE_URL: `postgres://ada:secret@127.0.0.1:${port}/files`, APPLICATION: "drive of ada" })
          )),
          Effect.timeout("10 seconds")
        )
      )
      for (const part of ["ada", "files", "drive of ada"]) assert.include(told, `\0${part}\0`)
    }))

  it.live("HOST-100 the embedded database's", () =>
    withDirectory((directory) =>
      Effect.gen(function*() {
        const variables = environment({ DATABASE: join(directory, "database") })
        const rows = yield* SqlClient.SqlClient.use((sql) => sql`SELECT 1 AS one`).pipe(
          Effect.provide(Layer.provide(pglite, variables))
        )
        assert.deepStrictEqual(rows, [{ one: 1 }])
        assert.isTrue(existsSync(join(directory, "database")))
      })
    ), 60_000)

  it.effect("HOST-100 those of imports", () =>
    Effect.gen(function*() {
      const check = (allowed: string) =>
        RemoteFile.RemoteFile.use((files) => files.check("http://127.0.0.1/a")).pipe(
          Effect.provide(Layer.provide(remote, environment({ PRIVATE_ADDRESSES: allowed }))),
          Effect.exit
        )
      assert.isTrue(Exit.isSuccess(yield* check("true")))
      assert.isTrue(Exit.isFailure(yield* check("false")))
    }))

  it.live("HOST-100 those of opening files", () =>
    Effect.scoped(Effect.asVoid(Layer.build(Layer.provide(media, environment({ MEDIA_PROCESSES: "1" }))))))

  it.effect.each<{ readonly variable: string; readonly layer: Layer.Layer<never, unknown> }>([
    { variable: "STORAGE", layer: disk },
    { variable: "S3_REGION", layer: s3 },
    { variable: "RELAY_URL", layer: relayed },
    { variable: "DATABASE_URL", layer: postgres },
    { variable: "DATABASE", layer: pglite },
    { variable: "PRIVATE_ADDRESSES", layer: remote },
    { variable: "MEDIA_PROCESSES", layer: media }
  ])(
    "HOST-101 without $variable nothing is opened, and the error names it",
    ({ layer, variable }) =>
      Effect.gen(function*() {
        // Whatever is read before it is there.
        const others = environment({
          STORAGE_URL: "https://drive.example.com/storage",
          ...(variable === "RELAY_URL" && {
            S3_REGION: "us-east-1",
            S3_PRIVATE_BUCKET: "a",
            S3_PUBLIC_BUCKET: "b",
            AWS_ACCESS_KEY_ID: "key",
            AWS_SECRET_ACCESS_KEY: "secret",
            RELAY_SECRET: "signs forms"
          })
        })
        const failure = yield* Effect.flip(Effect.scoped(Layer.build(Layer.provide(layer, others))))
        assert.instanceOf(failure, Config.ConfigError)
        assert.include((failure as Config.ConfigError).message, variable)
      })
  )
})
