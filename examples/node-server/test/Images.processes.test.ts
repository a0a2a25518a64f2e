/** Generated images through the server's HTTP API, with every provider on a local server, and without any. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { ImageGenerator } from "@filedrive/core"
import { DriveClient } from "@filedrive/testing"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  json,
  key,
  picture,
  type ProviderServers,
  startProviders
} from "../../../packages/images/test/ProviderServers.ts"
import { type ServerProcess, startServer } from "./ServerProcess.ts"

const ended: Array<() => Promise<unknown>> = []
afterAll(async () => {
  for (const end of ended.toReversed()) await end()
})

const providers = async (): Promise<ProviderServers> => {
  const servers = await startProviders({ pollsMin: 1 })
  ended.push(servers.close)
  return servers
}

const start = async (variables: Readonly<Record<string, string>>) => {
  const directory = await mkdtemp(join(tmpdir(), "filedrive-images-"))
  ended.push(() => rm(directory, { recursive: true, force: true }))
  const server: ServerProcess = startServer({
    FILEDRIVE_DATA: join(directory, "data"),
    FILEDRIVE_CALLS_PER_MINUTE: "0",
    ...variables
  })
  ended.push(() => {
    server.signal("SIGKILL")
    return server.ended
  })
  const { accounts, siteUrl } = await server.ready
  return { server, client: new DriveClient({ url: siteUrl, ...accounts[0]! }) }
}

/** The generations of these ids, once none is working. */
const settled = async (client: DriveClient, ids: ReadonlyArray<string>): Promise<ReadonlyArray<any>> => {
  for (;;) {
    const { generations } = await client.ok("/select-generations", { ids })
    if (generations.every(({ status }: { readonly status: string }) => status !== "working")) return generations
  }
}

const models = ImageGenerator.imageModels

const stop = async ({ ended, signal }: ServerProcess) => {
  signal("SIGTERM")
  return ended
}

describe("generated images", () => {
  it("IMG-13 all seven models end as the images that their providers made, each submitted once", async () => {
    const { calls, environment } = await providers()
    const { client, server } = await start({ ...environment, FILEDRIVE_ALLOW_PRIVATE_ADDRESSES: "1" })
    const ids: Array<string> = []
    for (const model of models) ids.push((await client.ok("/generate-image", { prompt: `By ${model}`, model })).id)
    const generations = await settled(client, ids)
    assert.deepStrictEqual(
      generations.map(({ error, model, status }) => [model, status, error]),
      models.map((model) => [
        model,
        "done",
        null
      ])
    )
    for (const { image, model } of generations) {
      assert.deepInclude(image, { type: "Image", mimeType: "image/png", isPublic: false, description: `By ${model}` })
      assert.deepStrictEqual(Buffer.from(await client.download(image.id)), picture)
    }
    const prompts = calls.filter(({ method }) => method === "POST").map(({ body }) =>
      /By \w+/.exec(JSON.stringify(body))![0]
    )
    assert.sameMembers(prompts, models.map((model) => `By ${model}`))
    const { code, stderr, stdout } = await stop(server)
    assert.strictEqual(code, 0)
    assert.include(stdout, "Images     by OpenAI, Google, Black Forest Labs, fal")
    assert.notInclude(stdout + stderr, key)
  }, 120_000)

  it("IMG-13 what a provider forbids has failed with a sentence of the drive's own, and is given back", async () => {
    const { answer, calls, environment } = await providers()
    answer(
      "POST /openai/",
      (_, response) =>
        json(response, 400, { error: { code: "moderation_blocked", message: `${key} asked for something vile` } })
    )
    answer("GET /bfl/", (_, response) => json(response, 200, { status: "Request Moderated", result: null }))
    const { client, server } = await start({ ...environment, FILEDRIVE_ALLOW_PRIVATE_ADDRESSES: "1" })
    const ids: Array<string> = []
    for (const model of ["gptImage2", "flux2Pro"] as const) {
      ids.push((await client.ok("/generate-image", { prompt: "A cat", model })).id)
    }
    for (const { code, error, image, status } of await settled(client, ids)) {
      assert.deepStrictEqual([status, code, image], ["failed", "moderated", null])
      assert.notMatch(error, /vile|secret|moderation_blocked/)
    }
    assert.deepInclude(await client.ok("/get-image-allowance"), { used: 0 })
    assert.lengthOf(calls.filter(({ method }) => method === "POST"), 2)
    const { stderr, stdout } = await stop(server)
    assert.notInclude(stdout + stderr, key)
  }, 120_000)

  it("IMG-7 an image behind a private address is not fetched unless the host allows it", async () => {
    const { calls, environment } = await providers()
    const { client } = await start(environment)
    const { id } = await client.ok("/generate-image", { prompt: "A cat", model: "flux2Pro" })
    const [generation] = await settled(client, [id])
    assert.strictEqual(generation.status, "failed")
    assert.isEmpty(calls.filter(({ path }) => path.startsWith("/images/")))
  }, 120_000)

  it(
    "IMG-2 IMG-13 with one key the other models are refused, without naming it to the caller; there are no samples",
    async () => {
      const { calls, environment } = await providers()
      const { BFL_API_KEY, BFL_BASE_URL } = environment
      const { client, server } = await start({ BFL_API_KEY: BFL_API_KEY!, BFL_BASE_URL: BFL_BASE_URL! })
      const { body, status } = await client.call("/generate-image", { prompt: "A cat" })
      assert.strictEqual(status, 502)
      assert.include(JSON.stringify(body), "generator_unavailable")
      assert.notMatch(JSON.stringify(body), /OPENAI|API_KEY/)
      assert.isEmpty(calls)
      const { stderr, stdout } = await stop(server)
      assert.include(stdout + stderr, "OPENAI_API_KEY is not set")
    },
    120_000
  )

  it("IMG-13 without a key samples are drawn, and with FILEDRIVE_SAMPLE_IMAGES=0 none", async () => {
    const { client, server } = await start({})
    const ids: Array<string> = []
    for (const model of models) ids.push((await client.ok("/generate-image", { prompt: "A cat", model })).id)
    const generations = await settled(client, ids)
    assert.deepStrictEqual(generations.map(({ status }) => status), models.map(() => "done"))
    assert.deepInclude(generations[0].image, { mimeType: "image/png", type: "Image" })
    assert.include((await stop(server)).stdout, "Images     samples")

    const without = await start({ FILEDRIVE_SAMPLE_IMAGES: "0" })
    assert.strictEqual((await without.client.call("/generate-image", { prompt: "A cat" })).status, 502)
  }, 120_000)
})
