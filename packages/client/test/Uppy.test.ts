/** Uppy's core with the drive's uploader, without a page, through a proxy to a real drive. */
import { createClient, createPublicClient, type Upload, type Uploader } from "@filedrive/client"
import { FiledriveUpload, type FiledriveUploadOptions } from "@filedrive/client/uppy"
import Uppy, { type Body, type Meta } from "@uppy/core"
import { assert, describe, it, vi } from "vitest"
import { proxiedDrive } from "./proxiedDrive.ts"
import { content } from "./servedDrive.ts"

const on = proxiedDrive()
const { proxy } = on

const newClient = async () => {
  const { apiToken } = await on.served.user()
  return createClient({ url: on.url, apiToken })
}

const silent = { debug: () => {}, warn: () => {}, error: () => {} }
const uppyWith = (options: FiledriveUploadOptions<Meta, Body>, plugin = "FiledriveUpload") => {
  const uppy = new Uppy({ logger: silent }).use(FiledriveUpload, { ...options, id: plugin })
  return {
    uppy,
    add: (name: string, bytes: Uint8Array<ArrayBuffer>, meta: object = {}) =>
      uppy.addFile({ name, type: "application/octet-stream", data: new Blob([bytes]), meta: { ...meta } })
  }
}

const partSize = 64 * 1024 ** 2
const large = content(2 * partSize + 70_000)
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())
const same = (one: Uint8Array, other: Uint8Array) => assert.strictEqual(Buffer.compare(one, other), 0)

describe("Uppy", () => {
  it("CLIENT-320 refuses an option that is not known when it is told to use the uploader", async () => {
    const client = await newClient()
    assert.throws(
      () => uppyWith({ client, foldr: "/In" } as never),
      /^foldr is not a known field; the known ones are id, client, type, folder, /
    )
  })

  it(
    "CLIENT-87 sends files by form or in parts, into folders of their directories, by the names they have in Uppy",
    async () => {
      const client = await newClient()
      const { add, uppy } = uppyWith({
        client,
        folder: "/In",
        tags: ["raw"],
        optionsOf: ({ meta }) => ({ description: String(meta.caption ?? "") })
      })
      const small = content(300_000)
      const one = add("a.bin", small, { relativePath: "trip/day/a.bin", caption: "The last tram" })
      const two = add("large.bin", large)
      uppy.setFileMeta(one, { name: "renamed.bin" })
      const told: Array<number> = []
      uppy.on(
        "upload-progress",
        (file, { bytesUploaded }) => void (file?.id === two && told.push(Number(bytesUploaded)))
      )
      const { failed, successful } = (await uppy.upload())!
      assert.deepStrictEqual([failed!.length, successful!.length], [0, 2])
      const { files } = await client.searchFiles({ sort: "name" })
      assert.deepStrictEqual(
        files.map(({ fileName, folder }) => `${folder!.path}/${fileName}`),
        [
          "/In/large.bin",
          "/In/trip/day/renamed.bin"
        ]
      )
      assert.strictEqual(files[1]!.description, "The last tram")
      assert.deepStrictEqual(files.map(({ tags }) => tags.map(({ text }) => text)), [["raw"], ["raw"]])
      const idOf = (id: string) => String(uppy.getFile(id).response!.body!.id)
      same(await bytesOf(await client.download(idOf(one))), small)
      same(await bytesOf(await client.download(idOf(two))), large)
      assert.strictEqual(proxy.count("PUT"), 3)
      assert.strictEqual(uppy.getState().totalProgress, 100)
      assert.deepStrictEqual(told, told.toSorted((one, other) => one - other))
      assert.strictEqual(told.at(-1), large.length)
      uppy.destroy()
    },
    90_000
  )

  it("CLIENT-88 a file that fails stops no other; retried, it goes on with the parts that are there", async () => {
    const client = await newClient()
    const { add, uppy } = uppyWith({ client, parallel: 1 })
    let puts = 0
    proxy.fault = ({ method }) => method === "PUT" && ++puts === 3 ? { status: 400 } : undefined
    const id = add("large.bin", large)
    add("a.bin", content(10))
    const { failed, successful } = (await uppy.upload())!
    assert.deepStrictEqual([failed!.map(({ name }) => name), successful!.length], [["large.bin"], 1])
    assert.isString(uppy.getFile(id).error)
    assert.strictEqual(proxy.count("PUT"), 2)
    const again = await uppy.retryUpload(id)
    assert.lengthOf(again!.successful!, 1)
    assert.strictEqual(proxy.count("PUT"), 3)
    const { files } = await client.searchFiles()
    assert.lengthOf(files, 2)
    same(await bytesOf(await client.download(String(uppy.getFile(id).response!.body!.id))), large)
    assert.strictEqual((await client.getUserStorageUsage()).pendingBytes, 0)
    uppy.destroy()
  }, 90_000)

  it("CLIENT-163 a file that has failed gives its bytes back when it is removed", async () => {
    const client = await newClient()
    const { add, uppy } = uppyWith({ client })
    proxy.fault = ({ path }) => path.startsWith("/storage") ? { status: 400 } : undefined
    const id = add("a.bin", content(10))
    await uppy.upload()
    assert.strictEqual((await client.getUserStorageUsage()).pendingBytes, 10)
    uppy.removeFile(id)
    await vi.waitUntil(async () => (await client.getUserStorageUsage()).pendingBytes === 0)
    uppy.destroy()
  })

  it("CLIENT-155 refuses to send no file at once, instead of waiting for ever", async () => {
    const client = await newClient()
    assert.throws(() => uppyWith({ client, files: 0 }), /files must be a number from 1/)
  })

  it("CLIENT-88 by its key an upload goes on in another Uppy, which has restored the file's state", async () => {
    const client = await newClient()
    const first = uppyWith({ client, parallel: 1 })
    proxy.fault = ({ method, path }) =>
      method === "POST" && path.endsWith("/complete-multipart-upload") ? { status: 400 } : undefined
    const id = first.add("large.bin", large)
    await first.uppy.upload()
    const { filedriveKey } = first.uppy.getFile(id) as unknown as { readonly filedriveKey: string }
    assert.match(filedriveKey, /^uploads\//)
    proxy.fault = () => undefined
    proxy.passed.length = 0
    const second = uppyWith({ client: createClient({ url: on.url, session: () => client.session() }) })
    const restored = second.add("large.bin", large)
    second.uppy.setFileState(restored, { filedriveKey } as object)
    assert.lengthOf((await second.uppy.upload())!.successful!, 1)
    assert.strictEqual(proxy.count("PUT"), 0)
    second.uppy.destroy()
  }, 90_000)

  it(
    "CLIENT-89 pauses and goes on; a removed file gives its bytes back, and one that waits is never begun",
    async () => {
      const client = await newClient()
      const uploads: Array<Upload> = []
      const watched: Uploader = {
        ...client,
        upload: (source, options) => {
          const upload = client.upload(source, options)
          uploads.push(upload)
          return upload
        }
      }
      const { add, uppy } = uppyWith({ client: watched, files: 1, parallel: 1 })
      assert.isTrue(uppy.getState().capabilities.resumableUploads)
      const id = add("large.bin", large)
      const waiting = add("waiting.bin", content(10))
      const last = add("last.bin", content(20))
      const begun = new Promise<void>((resolve) =>
        uppy.on("upload-progress", (file, { bytesUploaded }) => {
          if (file?.id === id && Number(bytesUploaded) > partSize) resolve()
        })
      )
      const done = uppy.upload()
      await begun
      uppy.pauseResume(id)
      assert.strictEqual(uploads[0]!.state, "paused")
      assert.strictEqual((await client.getUserStorageUsage()).pendingBytes, large.length)
      uppy.pauseResume(id)
      await vi.waitFor(() => assert.strictEqual(uploads[0]!.state, "sending"))
      uppy.pauseAll()
      assert.strictEqual(uploads[0]!.state, "paused")
      uppy.resumeAll()
      await vi.waitFor(() => assert.strictEqual(uploads[0]!.state, "sending"))
      uppy.removeFile(waiting)
      uppy.removeFile(id)
      uppy.resumeAll()
      assert.deepStrictEqual((await done)!.successful!.map(({ id }) => id), [last])
      assert.deepStrictEqual(uploads.map(({ state }) => state), ["cancelled", "done"])
      assert.deepStrictEqual((await client.searchFiles()).files.map(({ fileName }) => fileName), ["last.bin"])
      assert.strictEqual((await client.getUserStorageUsage()).pendingBytes, 0)
      uppy.destroy()
    },
    90_000
  )

  it("CLIENT-89 what is under way when Uppy is destroyed is cancelled, and nothing listens any more", async () => {
    const client = await newClient()
    const { add, uppy } = uppyWith({ client })
    const off = vi.spyOn(uppy, "off")
    // One of its parts is never answered, so it can't be done before.
    const begun = new Promise<void>((resolve) => {
      proxy.fault = ({ method, nth }) => {
        if (method !== "PUT" || nth < 3) return undefined
        resolve()
        return { isSilent: true }
      }
    })
    add("large.bin", large)
    void uppy.upload().catch(() => {})
    await begun
    uppy.destroy()
    await vi.waitFor(async () => assert.strictEqual((await client.getUserStorageUsage()).pendingBytes, 0), 20_000)
    assert.includeMembers(off.mock.calls.map(([event]) => event as string), [
      "file-removed",
      "upload-pause",
      "pause-all",
      "resume-all"
    ])
    assert.isEmpty((await client.searchFiles()).files)
  }, 90_000)

  it("CLIENT-90 delivers to a file request, and says why a file of a provider can't be sent", async () => {
    const client = await newClient()
    const { id: requestId } = await client.createFileRequest({ title: "Photos" })
    const open = createPublicClient({ url: on.url })
    const { dropToken } = await open.startDrop({ requestId, senderName: "Grace" })
    const delivery = open.delivery(dropToken)
    const { add, uppy } = uppyWith({ client: delivery })
    add("one.bin", content(1_000))
    const remote = uppy.addFile({
      name: "remote.bin",
      isRemote: true,
      data: { size: 5 },
      remote: { companionUrl: "http://127.0.0.1:9", requestClientId: "none", url: "/" }
    } as never)
    const { failed, successful } = (await uppy.upload())!
    assert.deepStrictEqual([failed!.length, successful!.length], [1, 1])
    assert.strictEqual(uppy.getFile(remote).error, "remote.bin is not on this device.")
    assert.deepStrictEqual((await delivery.select()).files.map(({ fileName }) => fileName), ["one.bin"])
    uppy.destroy()
  })
})
