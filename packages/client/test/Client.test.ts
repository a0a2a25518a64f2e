/** The client over a real server. */
import { createClient, createPublicClient, DriveError, type Progress } from "@filedrive/client"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { content, type ServedDrive, servedDrive } from "./servedDrive.ts"

let served: ServedDrive
beforeAll(async () => {
  served = await servedDrive()
})
afterAll(() => served.close())

const newClient = async (options: object = {}) => {
  const { apiToken, userId } = await served.user()
  return { userId, client: createClient({ url: served.url, apiToken, ...options }) }
}

const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())
const same = (one: Uint8Array, other: Uint8Array) => assert.strictEqual(Buffer.compare(one, other), 0)

describe("uploads", () => {
  it("CLIENT-20 a small file goes by form, with folder, tags and description", async () => {
    const { client } = await newClient()
    const bytes = content(300_000)
    const progress: Array<Progress> = []
    const states: Array<string> = []
    const { id } = await client.upload(new File([bytes], "Ferien “2026”.bin"), {
      folder: "/Photos/2026",
      tags: ["a", "b"],
      description: "Lisbon",
      onProgress: (one) => progress.push(one),
      onState: (state) => states.push(state)
    })
    same(await bytesOf(await client.download(id)), bytes)
    const { files: [file] } = await client.searchFiles()
    assert.deepInclude(file, { id, fileName: "Ferien “2026”.bin", description: "Lisbon", fileSize: 300_000 })
    assert.strictEqual(file!.folder!.path, "/Photos/2026")
    assert.sameMembers(file!.tags.map(({ text }) => text), ["a", "b"])
    assert.deepInclude(progress.at(-1)!, { sentBytes: 300_000, totalBytes: 300_000, secondsLeft: 0 })
    assert.deepStrictEqual(states, ["sending", "done"])
    assert.strictEqual((await client.getUserStorageUsage()).pendingBytes, 0)
  })

  it("CLIENT-21 a large path goes in parts, and comes down to a path", async () => {
    const { client } = await newClient()
    const bytes = content(150_000_000)
    const path = join(served.directory, "film.bin")
    await writeFile(path, bytes)
    const { fileName, id } = await client.upload(path, { parallel: 3 })
    assert.strictEqual(fileName, "film.bin")
    const down = join(served.directory, "down", "film.bin")
    await client.downloadTo(id, down)
    same(await readFile(down), bytes)
  }, 60_000)

  it("CLIENT-22 a stream of known length goes in parts, in order", async () => {
    const { client } = await newClient()
    const bytes = content(70_000_000)
    const { id } = await client.upload({ stream: new Blob([bytes]).stream(), size: bytes.length, name: "s.bin" })
    same(await bytesOf(await client.download(id)), bytes)
    const wrong = client.upload({ stream: new Blob([content(10)]).stream(), size: 11, name: "s.bin" })
    assert.deepInclude(await Promise.resolve(wrong).catch((error: unknown) => error), { code: "source_changed" })
  }, 60_000)

  it("CLIENT-23 a directory goes into folders of the same names", async () => {
    const { client } = await newClient()
    const directory = join(served.directory, "tree")
    await mkdir(join(directory, "inner"), { recursive: true })
    for (const name of ["a.txt", "b.txt", "inner/c.txt"]) await writeFile(join(directory, name), name)
    const queue = client.uploads.queue({ folder: "/In" })
    queue.add([{ directory }, new File(["x"], "alone.txt"), { source: join(directory, "missing.txt") }])
    const { doneFiles, failedFiles, failures } = await queue.done
    assert.deepStrictEqual([doneFiles, failedFiles], [4, 1])
    assert.deepInclude(failures[0]!.error, { code: "source_unreadable" })
    const { files } = await client.searchFiles({ sort: "name" })
    assert.deepStrictEqual(files.map(({ fileName, folder }) => `${folder?.path}/${fileName}`), [
      "/In/tree/a.txt",
      "/In/alone.txt",
      "/In/tree/b.txt",
      "/In/tree/inner/c.txt"
    ])
  })
})

describe("sessions, pages, events", () => {
  it("CLIENT-3 a session that the host hands out is enough", async () => {
    const { client, userId } = await newClient()
    const token = await client.session()
    const handed = createClient({ url: `${served.url}/api`, session: async () => token })
    assert.deepStrictEqual(await handed.getUser(), { userId, permissions: null, folder: null })
    const { id } = await handed.upload(new Uint8Array([1, 2, 3]), { fileName: "a.bin" })
    assert.strictEqual((await handed.generateDownloadUrl({ id })).fileSize, 3)
  })

  it("CLIENT-10 all items of pages, and events as they happen", async () => {
    const { client } = await newClient()
    const queue = client.uploads.queue()
    queue.add(Array.from({ length: 7 }, (_, at) => new File([`${at}`], `${at}.txt`)))
    await queue.done
    const names = []
    for await (const { fileName } of client.all("searchFiles", { limit: 3, sort: "name" })) names.push(fileName)
    assert.deepStrictEqual(names, ["0.txt", "1.txt", "2.txt", "3.txt", "4.txt", "5.txt", "6.txt"])
    let seen = 0
    for await (const event of client.events({ kinds: ["file"] })) {
      assert.isString(event.cursor)
      if (++seen === 7) void client.upload(new File(["late"], "late.txt"))
      if (seen === 8) {
        assert.strictEqual(event.kind === "file" && event.file.fileName, "late.txt")
        break
      }
    }
  })
})

describe("deliveries", () => {
  it("CLIENT-30 a sender without an account delivers by the same engine", async () => {
    const { client } = await newClient()
    const { id: requestId } = await client.createFileRequest({ title: "Photos", password: "correct horse" })
    const open = createPublicClient({ url: served.url })
    const { accessToken } = await open.openFileRequest({ requestId, password: "correct horse" })
    const { dropToken } = await open.startDrop({ requestId, senderName: "Grace" }, { access: accessToken! })
    const delivery = open.delivery(dropToken)
    const { id } = await delivery.upload(new File([content(1_000)], "one.bin"))
    // The same again is the same file.
    assert.strictEqual(
      (await delivery.upload(new File([content(1_000)], "one.bin", { lastModified: 5 }))).id === id,
      false
    )
    const queue = delivery.uploads.queue()
    queue.add([new File([content(2_000)], "two.bin")])
    assert.strictEqual((await queue.done).doneFiles, 1)
    assert.lengthOf((await delivery.select()).files, 3)
    await delivery.remove(id)
    assert.deepStrictEqual(await delivery.finish(), { finished: true })
    const { requests: [request] } = await client.selectFileRequests({ requestIds: [requestId] })
    assert.lengthOf(request!.drops[0]!.files, 2)
  })

  it("CLIENT-246 files of one sender that have no room at once go one after the other", async () => {
    const { client } = await newClient()
    const { id: requestId } = await client.createFileRequest({ title: "Photos", maxBytes: 10_000 })
    const open = createPublicClient({ url: served.url })
    const { dropToken } = await open.startDrop({ requestId, senderName: "Grace" })
    // An address may have half of what the request has room for open, or one file.
    const delivery = open.delivery(dropToken)
    const queue = delivery.uploads.queue()
    queue.add(Array.from({ length: 4 }, (_, at) => new File([content(2_400 + at)], `${at}.bin`)))
    assert.deepInclude(await queue.done, { doneFiles: 4, failedFiles: 0 })
    assert.lengthOf((await delivery.select()).files, 4)
  })
})

describe("the notes of a review, live", () => {
  it("CLIENT-11 are told as left or as deleted, each with where to go on after it", async () => {
    const { client } = await newClient()
    const { id: fileId } = await client.upload(new File([content(1_000)], "tram.mp3", { type: "audio/mpeg" }))
    const { id: reviewId } = await client.createFileReview({ fileId })
    const visitor = createPublicClient({ url: served.url })
    const { followAfter } = await visitor.openFileReview({ reviewId })
    const { id, reviewerToken } = await visitor.leaveReviewNote({ reviewId, reviewer: "Grace", text: "Here" })
    const news = visitor.followFileReview({ reviewId, after: followAfter })
    const left = (await news.next()).value!
    assert.deepInclude(left, { kind: "note" })
    assert.strictEqual(left.kind === "note" ? left.note.text : "", "Here")
    await visitor.deleteOwnReviewNote({ noteId: id, reviewerToken })
    assert.deepInclude((await news.next()).value, { kind: "deleted", noteId: id })
    await news.return()
    const later = visitor.followFileReview({ reviewId, after: left.cursor })
    assert.deepInclude((await later.next()).value, { kind: "deleted", noteId: id })
    await later.return()
  })

  it("CLIENT-201 of a link with a password are told by its access token, and by no other", async () => {
    const { client } = await newClient()
    const { id: fileId } = await client.upload(new File([content(1_000)], "tram.mp3", { type: "audio/mpeg" }))
    const { id: reviewId } = await client.createFileReview({ fileId, password: "correct horse" })
    const visitor = createPublicClient({ url: served.url })
    const { accessToken, followAfter } = await visitor.openFileReview({ reviewId, password: "correct horse" })
    const options = { access: accessToken! }
    await visitor.leaveReviewNote({ reviewId, reviewer: "Grace", text: "Here" }, options)
    const news = visitor.followFileReview({ reviewId, after: followAfter! }, options)
    assert.deepInclude((await news.next()).value, { kind: "note" })
    await news.return()
    const refused = await visitor.followFileReview({ reviewId, after: followAfter! }, { access: "guessed" }).next()
      .catch((error: unknown) => error)
    assert.instanceOf(refused, DriveError)
  })
})
