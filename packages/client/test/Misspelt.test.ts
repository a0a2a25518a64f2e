/** Options of the client that are misspelt, and the name that an upload answers. */
import { type Client, createCalls, createClient, createPublicClient, type QueueOptions } from "@filedrive/client"
import { memoryDrive } from "@filedrive/testing"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { createUploads } from "../src/react/index.ts"

let drive: Awaited<ReturnType<typeof memoryDrive>>
let client: Client
beforeAll(async () => {
  drive = await memoryDrive()
  const { apiToken } = await drive.user()
  client = createClient({ url: "http://drive.test", apiToken, fetch: drive.fetch, store: new Map() })
})
afterAll(() => drive.close())

const failureOf = async (act: () => unknown): Promise<unknown> => {
  try {
    await act()
    return undefined
  } catch (error) {
    return error
  }
}

const first = async (feed: AsyncGenerator<unknown>) => {
  const { value } = await feed.next()
  return value
}

const bytes = new Uint8Array(3)
const options = { url: "http://drive.test", apiToken: "fdt_x" }
const id = "00000000-0000-4000-8000-000000000000"

describe("a misspelt option", () => {
  it.each<readonly [field: string, known: string, act: () => unknown]>([
    ["stor", "url, apiToken,", () => createClient({ ...options, stor: 3, retrys: 2 } as never)],
    ["retrys", "url, apiToken,", () => createCalls({ ...options, retrys: 2 } as never)],
    ["appID", "url, apiToken,", () => createPublicClient({ url: options.url, appID: "a" } as never)],
    ["foldr", "fileName, key,", () => client.upload(bytes, { fileName: "a", foldr: "/x" } as never)],
    ["foldr", "mimeType, type,", () => client.uploads.queue({ foldr: "/x", onProgres: () => {} } as never)],
    [
      "onProgres",
      "mimeType, type,",
      () => createUploads(client, { onProgres: () => {} } as never).add([new File([], "a")])
    ],
    ["rnge", "signal, retries, access, range.", () => client.download(id, { rnge: { start: 0, end: 1 } } as never)],
    [
      "paralel",
      "signal, retries, access, parallel, onProgress.",
      () => client.downloadTo(id, "/nowhere/a", { paralel: 2 } as never)
    ],
    ["sgnal", "signal, retries, access.", () => client.searchFiles({}, { sgnal: null } as never)],
    ["sgnal", "signal, retries, access.", () => client.public.openFileReview({ reviewId: id }, { sgnal: 1 } as never)],
    ["after", "since, kinds,", () => first(client.events({ after: "now" } as never))],
    [
      "revewId",
      "reviewId, after, access.",
      () =>
        first(
          createPublicClient({ ...options, fetch: drive.fetch }).followFileReview(
            { reviewId: id, revewId: id } as never
          )
        )
    ]
  ])("ERR-30 CLIENT-320 %s is refused by its name, with the known ones", async (field, known, act) => {
    const error = await failureOf(act) as Error
    assert.deepInclude(error as object, {
      name: "DriveError",
      code: "unknown_field",
      field,
      status: 400,
      retryable: false
    })
    assert.include(error.message, `${field} is not a known field; the known ones are ${known}`)
  })

  it("CLIENT-320 of a file of a queue is a failure of that file, and nothing else", async () => {
    const queue = client.uploads.queue()
    queue.add([
      { source: bytes, fileName: "misspelt.bin", tagz: ["a"] } as never,
      { directory: "/nowhere", foldr: "/x" } as never,
      { source: bytes, fileName: "well.bin", tags: undefined } as never
    ])
    const { doneFiles, failures } = await queue.done
    assert.strictEqual(doneFiles, 1)
    assert.deepStrictEqual(
      failures.map(({ error }) => [(error as { code: string }).code, (error as { field: string }).field]),
      [["unknown_field", "list[0].tagz"], ["unknown_field", "list[1].foldr"]]
    )
    const { files } = await client.searchFiles()
    assert.deepStrictEqual(files.map(({ fileName }) => fileName), ["well.bin"])
  })

  it("CLIENT-320 that is undefined is no option, and null is no options of a call", async () => {
    const { files } = await client.searchFiles({}, { sgnal: undefined } as never)
    assert.isArray(files)
    await client.searchFiles({}, null as never)
  })
})

describe("the name of an uploaded file", () => {
  it("UP-132 CLIENT-321 is the drive's, of a single upload, of a queue, and of a queue that finds it sent", async () => {
    const fileName = "inv\u202Efdp.exe"
    const kept = "invfdp.exe"
    assert.strictEqual((await client.upload(bytes, { fileName })).fileName, kept)
    const named: Array<string | undefined> = []
    const sentBy: QueueOptions = { name: "names", onFile: ({ file }) => named.push(file?.fileName) }
    for (const _ of [1, 2]) {
      const queue = client.uploads.queue(sentBy)
      queue.add([new File(["1"], fileName, { lastModified: 1 }), new File(["2"], "plain.txt", { lastModified: 1 })])
      await queue.done
    }
    assert.deepStrictEqual(named.toSorted(), [kept, kept, "plain.txt", "plain.txt"])
    const { files } = await client.searchFiles()
    assert.lengthOf(files.filter(({ fileName }) => fileName === kept), 2)
  })
})
