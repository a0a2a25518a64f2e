/** What a queue and an upload are given: one file or many, and things that are neither. */
import {
  type Client,
  createClient,
  DriveError,
  type QueueList,
  type QueueResult,
  type UploadSource
} from "@filedrive/client"
import { memoryDrive } from "@filedrive/testing"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { walkPath } from "../src/node/paths.ts"

let drive: Awaited<ReturnType<typeof memoryDrive>>
let directory: string
beforeAll(async () => {
  drive = await memoryDrive()
  directory = await mkdtemp(join(tmpdir(), "filedrive-given-"))
})
afterAll(async () => {
  await drive.close()
  await rm(directory, { recursive: true })
})

const newClient = async (): Promise<Client> => {
  const { apiToken } = await drive.user()
  return createClient({ url: "http://drive.test", apiToken, fetch: drive.fetch })
}

const failureOf = (promise: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(promise).then(() => undefined, (error: unknown) => error)

/** A directory as a browser's handle of it; what is null in it can't be read. */
const handleOf = (name: string, inside: Readonly<Record<string, string | null>>) => ({
  kind: "directory",
  name,
  isSameEntry: async () => false,
  values: async function*() {
    for (const [name, text] of Object.entries(inside)) {
      yield {
        kind: "file",
        name,
        isSameEntry: async () => false,
        getFile: async () => {
          if (text === null) throw new DOMException("It was removed.", "NotFoundError")
          return new File([text], name)
        }
      }
    }
  }
})

const namesOf = async (client: Client) =>
  (await client.searchFiles({ sort: "name" })).files.map(({ fileName, folder }) => `${folder?.path ?? ""}/${fileName}`)

describe("a queue that is given one thing", () => {
  it("CLIENT-150 takes a file, bytes, a path, an address, an object, a directory or a handle as it takes a list of it", async () => {
    const client = await newClient()
    await mkdir(join(directory, "trip"))
    for (const name of ["path.txt", "address.txt", "trip/inside.txt"]) await writeFile(join(directory, name), name)
    const given: ReadonlyArray<readonly [QueueList, string]> = [
      [new File(["1"], "file.txt"), "/file.txt"],
      [{ source: new Uint8Array(300), fileName: "bytes.txt" }, "/bytes.txt"],
      [join(directory, "path.txt"), "/path.txt"],
      [pathToFileURL(join(directory, "address.txt")), "/address.txt"],
      [{ stream: new Blob(["stream"]).stream(), size: 6, name: "stream.txt" }, "/stream.txt"],
      [{ directory: join(directory, "trip") }, "/trip/inside.txt"],
      [handleOf("day", { "handle.txt": "5" }) as unknown as FileSystemHandle, "/day/handle.txt"],
      [{ length: 1, 0: new File(["6"], "list.txt") } as unknown as FileList, "/list.txt"]
    ]
    for (const [one] of given) {
      const queue = client.uploads.queue()
      queue.add(one)
      assert.deepInclude(await queue.done, { doneFiles: 1, failedFiles: 0 })
    }
    assert.sameMembers(await namesOf(client), given.map(([, name]) => name))
  })

  it("CLIENT-150 takes bytes as one file: without a name that is one failure", async () => {
    const client = await newClient()
    for (const bytes of [new Uint8Array(300), new ArrayBuffer(300), new DataView(new ArrayBuffer(300))]) {
      const queue = client.uploads.queue()
      queue.add(bytes)
      const { failedFiles, failures } = await queue.done
      assert.strictEqual(failedFiles, 1)
      assert.deepInclude(failures[0]!.error, { code: "invalid_option", field: "fileName" })
    }
  })

  it("CLIENT-150 takes null, as a field of a page may have, for no files", async () => {
    const queue = (await newClient()).uploads.queue()
    queue.add(null)
    assert.deepInclude(await queue.done, { doneFiles: 0, failedFiles: 0 })
  })

  it.each<readonly [string, unknown]>([
    ["a number", 5],
    ["nothing", undefined],
    ["an object", {}],
    ["a source that is not valid", { source: null }],
    ["a directory that is not valid", { directory: 7 }],
    ["a function", () => {}]
  ])("CLIENT-150 refuses %s at once, and goes on with what else it is given", async (_, given) => {
    const queue = (await newClient()).uploads.queue()
    assert.throws(() => queue.add(given as QueueList), DriveError, /^list must be/)
    try {
      queue.add(given as QueueList)
    } catch (error) {
      assert.deepInclude(error, { code: "invalid_option", field: "list", status: 0, retryable: false })
    }
    queue.add(new File(["1"], "file.txt"))
    assert.deepInclude(await queue.done, { doneFiles: 1, failedFiles: 0 })
  })

  it("CLIENT-150 takes what was dropped before the event ends, and no texts", async () => {
    const client = await newClient()
    let isOver = false
    const item = (name: string) => ({
      kind: "file",
      getAsFile: () => isOver ? null : new File([name], name)
    })
    const items = [item("a.txt"), { kind: "string", getAsFile: () => null }, item("b.txt")]
    const queue = client.uploads.queue()
    queue.add({ items, dropEffect: "copy" } as unknown as DataTransfer)
    queue.add(items as unknown as Iterable<DataTransferItem>)
    queue.add(items[0] as unknown as DataTransferItem)
    isOver = true
    assert.deepInclude(await queue.done, { doneFiles: 5, failedFiles: 0 })
  })
})

describe("a queue that is given a list", () => {
  it("CLIENT-151 fails once for what is no file in it, by its place, and sends the others", async () => {
    const client = await newClient()
    const told: Array<QueueResult> = []
    const queue = client.uploads.queue({ onFile: (file) => void (file.error !== undefined && told.push(file)) })
    const list: ReadonlyArray<unknown> = [
      new File(["1"], "a"),
      5,
      null,
      {},
      [new File(["2"], "b")],
      new File(["3"], "c")
    ]
    queue.add(list as ReadonlyArray<UploadSource>)
    const { doneFiles, failedFiles } = await queue.done
    assert.deepStrictEqual([doneFiles, failedFiles, queue.progress.totalFiles], [2, 4, 6])
    assert.deepStrictEqual(told.map(({ name }) => name), ["list[1]", "list[2]", "list[3]", "list[4]"])
    for (const { error, name } of told) assert.deepInclude(error, { code: "invalid_option", field: name })
    assert.deepStrictEqual(await namesOf(client), ["/a", "/c"])
  })

  it("CLIENT-151 sends the rest when a directory, or a file of one, can't be read", async () => {
    const client = await newClient()
    const queue = client.uploads.queue()
    queue.add([
      { directory: join(directory, "missing") },
      handleOf("day", { "a.txt": "1", "gone.txt": null, "c.txt": "3" }) as unknown as FileSystemHandle,
      new File(["4"], "d.txt")
    ])
    const { failures } = await queue.done
    assert.deepStrictEqual(failures.map(({ name }) => name), ["list[0]", "day/gone.txt"])
    for (const { error } of failures) assert.deepInclude(error, { code: "source_unreadable" })
    assert.sameMembers(await namesOf(client), ["/day/a.txt", "/day/c.txt", "/d.txt"])
  })

  it("CLIENT-151 sends the rest of a directory in which another one can't be read", async () => {
    const client = await newClient()
    const house = join(directory, "house")
    for (const room of ["a", "b"]) {
      await mkdir(join(house, room), { recursive: true })
      await writeFile(join(house, room, "inside.txt"), room)
    }
    const queue = client.uploads.queue()
    queue.add(async function*() {
      for await (const { path, source } of walkPath(house)) {
        yield { source, fileName: path }
        // The other one, whichever comes first.
        await rm(join(house, path.includes("/a/") ? "b" : "a"), { recursive: true, force: true })
      }
    }())
    const { doneFiles, failures } = await queue.done
    assert.strictEqual(doneFiles, 1)
    assert.lengthOf(failures, 1)
    assert.match(failures[0]!.name, /^house\/[ab]$/)
    assert.deepInclude(failures[0]!.error, { code: "source_unreadable" })
  })

  it("CLIENT-151 tells once that a list ended by an error, and sends what came before and after it", async () => {
    const client = await newClient()
    const queue = client.uploads.queue()
    const broken = new Error("The list broke.")
    queue.add(function*() {
      yield new File(["1"], "a.txt")
      throw broken
    }())
    queue.add([new File(["2"], "b.txt")])
    const { doneFiles, failures } = await queue.done
    assert.strictEqual(doneFiles, 2)
    assert.deepStrictEqual(failures.map(({ error }) => error), [broken])
  })

  it("CLIENT-31 sends a stream too when it has a name: nothing tells whether it has sent it before", async () => {
    const { apiToken } = await drive.user()
    const client = createClient({ url: "http://drive.test", apiToken, fetch: drive.fetch, store: new Map() })
    const queue = client.uploads.queue({ name: "streams" })
    queue.add({ stream: new Blob(["stream"]).stream(), size: 6, name: "stream.txt" })
    assert.deepInclude(await queue.done, { doneFiles: 1, failedFiles: 0 })
  })

  it("CLIENT-152 that is empty is done, and so is a queue that was given nothing", async () => {
    const client = await newClient()
    await mkdir(join(directory, "empty"))
    const nothing = { doneFiles: 0, failedFiles: 0, sentBytes: 0, failures: [] }
    const never = client.uploads.queue()
    assert.deepStrictEqual(await never.done, nothing)
    for (const list of [[], { directory: join(directory, "empty") }, new Set<File>()]) {
      const queue = client.uploads.queue()
      queue.add(list)
      assert.deepStrictEqual(await queue.done, nothing)
      assert.deepInclude(queue.progress, { totalFiles: 0, isComplete: true })
      // Again, after it was done.
      queue.add([])
      assert.deepStrictEqual(await queue.done, nothing)
    }
  })
})

describe("an upload that is given nonsense", () => {
  it.each<readonly [string, unknown, object, string]>([
    ["null", null, { fileName: "a" }, "source"],
    ["an object", {}, { fileName: "a" }, "source"],
    ["a size that is not valid", { stream: new Blob(["1"]).stream(), size: Number.NaN, name: "a" }, {}, "size"],
    ["a stream without a name", { stream: new Blob(["1"]).stream(), size: 1 }, {}, "fileName"],
    [
      "a stream of texts",
      {
        stream: (async function*() {
          yield "1"
        })(),
        size: 1,
        name: "a"
      },
      {},
      "stream"
    ],
    ["no parts at once", new File(["1"], "a"), { parallel: 0 }, "parallel"],
    ["parts at once that are no number", new File(["1"], "a"), { parallel: Number.NaN }, "parallel"]
  ])("CLIENT-155 refuses %s, naming the option", async (_, source, options, field) => {
    const client = await newClient()
    const failed = await failureOf(client.upload(source as UploadSource, options))
    assert.instanceOf(failed, DriveError)
    assert.deepInclude(failed, { code: "invalid_option", field, status: 0, retryable: false })
    assert.deepStrictEqual(await namesOf(client), [])
  })

  it("CLIENT-155 refuses a value that is not a stream, and a stream that another reader has locked", async () => {
    const client = await newClient()
    const read = new Blob(["1"]).stream()
    read.getReader()
    for (const stream of [null, 5, {}, read] as ReadonlyArray<unknown>) {
      const failed = await failureOf(client.upload({ stream, size: 1, name: "a" } as UploadSource))
      assert.instanceOf(failed, DriveError)
      assert.deepInclude(failed, { code: "source_unreadable", retryable: false })
    }
  })

  it("CLIENT-155 refuses a queue that sends no file at once, instead of waiting for ever", async () => {
    const client = await newClient()
    for (const files of [0, -1, Number.NaN]) {
      assert.throws(() => client.uploads.queue({ files }), DriveError, "files must be a number from 1.")
    }
  })
})
