/** A program written with Effect calls a drive's server by the declaration that `core` exports. */
import { assert, it } from "@effect/vitest"
import { serve } from "@filedrive/adapter-node"
import { Api, FileName, Ids, SearchQuery } from "@filedrive/core"
import { DriveClient } from "@filedrive/testing"
import { Effect } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient } from "effect/http-api"
import { temporaryDrive, userOf } from "./hosts.ts"

/** Calls as the user of a client, whose session it uses. */
const program = (url: string, sent: DriveClient) =>
  Effect.gen(function*() {
    const { gelToken } = yield* Effect.promise(() => sent.session())
    const drive = yield* HttpApiClient.make(Api, {
      baseUrl: `${url}/api`,
      transformClient: HttpClient.mapRequest((request) =>
        request.pipe(HttpClientRequest.bearerToken(gelToken), HttpClientRequest.setHeader("x-service-app", "filedrive"))
      )
    })
    const id = yield* Effect.promise(() => sent.upload({ fileName: "lighthouse.txt", bytes: new Uint8Array(3) }))
    const { files } = yield* drive.search.searchFiles({ payload: SearchQuery.SearchQuery.make({ text: "light" }) })
    const renamed = yield* drive.files.renameFile({
      payload: { fileId: files[0]!.id, fileName: FileName.make("b.txt") }
    })
    const listed = yield* drive.library.selectUserFiles()
    const unknown = Ids.FileId.make("019845e1-682f-7b02-a706-3b2422d13aff")
    const refused = yield* Effect.flip(drive.files.toggleFileAccess({ payload: { id: unknown } }))
    return { id, files, renamed, listed, refused }
  }).pipe(Effect.provide(FetchHttpClient.layer))

it("HOST-93 an HttpApiClient of Api calls a served drive, and its errors are typed", async () => {
  const { close, drive } = await temporaryDrive()
  const server = await serve(drive, { port: 0 })
  try {
    const url = drive.urls.site
    const { apiToken } = await userOf(drive)()
    const { files, id, listed, refused, renamed } = await Effect.runPromise(
      program(url, new DriveClient({ url, apiToken }))
    )
    assert.deepStrictEqual(files.map((file) => file.id as string), [id])
    assert.strictEqual(renamed.fileName, "b.txt")
    assert.deepInclude(refused, { code: "not_found", retryable: false })
    assert.deepStrictEqual(listed.map(({ fileName }) => fileName), ["b.txt"])
  } finally {
    await server.stop()
    await close()
  }
})
