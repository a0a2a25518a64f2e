/** The files that `useUploads` shows, and what can be done with one of them, in a DOM. */
import { type Client, createClient } from "@filedrive/client"
import type { Chosen, ShownFile, UploadsState } from "@filedrive/client/react"
import { memoryDrive } from "@filedrive/testing"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { majors, stage } from "./reactStage.ts"

const line = ({ files, state }: UploadsState) =>
  [state, ...files.map((file) => `${file.name} ${file.state}`)].join(", ")

const file = (name: string) => new File([name], name)

describe.each(majors)("React $major", ({ major }) => {
  const { act, mount, on, pass } = stage(major)
  const uploads = () =>
    mount(({ from }: { from: Client }) => on.page.bundle.hooks.useUploads(from), { from: on.client }, line)
  const shows = (text: string) => assert.strictEqual(on.page.container.textContent, text)

  it("CLIENT-160 shows the files under way, then those that failed, then those that are done, each by one key", async () => {
    const { shown } = await uploads()
    await act(() => shown.value.add(["a", "b", "c", "<i>d</i>"].map(file)))
    const queue = on.drive.queues[0]!
    await act(() => ["a", "b", "c", "<i>d</i>"].map((name) => queue.begin(name)))
    await pass(100)
    shows("sending, a sending, b sending, c sending, <i>d</i> sending")
    const ids = new Map(shown.value.files.map(({ id, name }) => [name, id]))
    assert.strictEqual(new Set(ids.values()).size, 4)
    assert.deepInclude(shown.value.files[0]!.progress, { sentBytes: 1, totalBytes: 2 })
    const refused = new Error("storage_limit_reached")
    await act(() => queue.settle("a"))
    await act(() => queue.settle("b", refused))
    shows("sending, c sending, <i>d</i> sending, b failed, a done")
    assert.strictEqual(shown.value.files[2]!.error, refused)
    assert.deepStrictEqual(
      shown.value.files.map(({ id }) => id),
      ["c", "<i>d</i>", "b", "a"].map((name) => ids.get(name)!)
    )
    assert.deepStrictEqual(shown.value.failures.map(({ name }) => name), ["b"])
  })

  it("CLIENT-160 shows a change of one file, of many together once", async () => {
    const drawn = vi.fn(line)
    const { shown } = await mount(
      ({ from }: { from: Client }) => on.page.bundle.hooks.useUploads(from),
      { from: on.client },
      drawn
    )
    await act(() => shown.value.add([file("a")]))
    const queue = on.drive.queues[0]!
    const upload = queue.begin("a")
    await pass(100)
    await act(() => upload.become("offline"))
    shows("sending, a sending")
    await pass(100)
    shows("sending, a offline")
    const before = new Set(drawn.mock.calls.map(([{ files }]) => files))
    await act(() => {
      for (let at = 0; at < 1_000; at++) upload.become(at % 2 === 0 ? "offline" : "sending")
    })
    await pass(100)
    shows("sending, a sending")
    assert.strictEqual(new Set(drawn.mock.calls.map(([{ files }]) => files)).size, before.size + 1)
  })

  it("CLIENT-161 pauses, resumes, retries and cancels one file, and all when it is given an event", async () => {
    const { shown } = await uploads()
    await act(() => shown.value.add(["a", "b"].map(file)))
    const queue = on.drive.queues[0]!
    const [a, b] = ["a", "b"].map((name) => queue.begin(name))
    await pass(100)
    const one = (name: string) => shown.value.files.find((file) => file.name === name)!
    await act(() => shown.value.pause(one("a")))
    await act(() => shown.value.resume({ ...one("b") }))
    assert.deepStrictEqual([a!.asked, b!.asked, queue.isPaused], [["pause"], ["resume"], false])
    // Nothing to try again yet.
    await act(() => shown.value.retry(one("a")))
    await act(() => queue.settle("a", new Error("refused")))
    await act(() => shown.value.retry(one("a")))
    await act(() => shown.value.cancel(one("b")))
    assert.deepStrictEqual([a!.asked, b!.asked, queue.isCancelled], [["pause", "retry"], ["resume", "cancel"], false])
    await act(() => shown.value.pause({ nativeEvent: {} } as Chosen))
    shows("paused, b sending, a failed")
    await act(() => shown.value.resume())
    assert.isFalse(queue.isPaused)
    // Pausing a file that is no longer shown does nothing to the others.
    await act(() => shown.value.pause({ ...one("a"), id: 77 } as ShownFile))
    assert.deepStrictEqual([a!.asked.length, queue.isPaused], [2, false])
  })

  it("CLIENT-160 shows a hundred of many files at most", async () => {
    const { shown } = await uploads()
    const names = Array.from({ length: 500 }, (_, at) => `${at}`)
    await act(() => shown.value.add(names.map(file)))
    const queue = on.drive.queues[0]!
    await act(() => {
      for (const name of names) queue.begin(name)
    })
    await pass(100)
    assert.lengthOf(shown.value.files, 100)
    await act(() => {
      for (const name of names) queue.settle(name, Number(name) % 2 === 0 ? undefined : new Error("refused"))
    })
    assert.lengthOf(shown.value.files, 100)
    assert.lengthOf(shown.value.results, 100)
    assert.isTrue(shown.value.files.every(({ state }) => state === "failed"))
  })

  it("CLIENT-85 leaves nothing behind", async () => {
    const { shown, unmount } = await uploads()
    await act(() => shown.value.add([file("a")]))
    const upload = on.drive.queues[0]!.begin("a")
    await unmount()
    upload.become("cancelled")
    assert.strictEqual(vi.getTimerCount(), 0)
    shown.value.retry({ id: 1, name: "a", state: "failed", progress: upload.progress, error: "no" })
    assert.deepStrictEqual(upload.asked, [])
  })
})

describe.each(majors)("React $major with a drive", ({ major }) => {
  const { act, mount, on } = stage(major, true)
  let drive: Awaited<ReturnType<typeof memoryDrive>>
  beforeAll(async () => {
    drive = await memoryDrive()
  })
  afterAll(() => drive.close())

  it("CLIENT-160 CLIENT-161 a file that fails is shown, tried again, and done", async () => {
    const { apiToken } = await drive.user()
    let isRefusing = true
    const client = createClient({
      url: "http://drive.test",
      apiToken,
      fetch: async (url, init) =>
        isRefusing && !/^\/(?:api|auth)\//.test(new URL(url).pathname)
          ? new Response("", { status: 400 })
          : drive.fetch(url, init)
    })
    const { shown, unmount } = await mount(() => on.page.bundle.hooks.useUploads(client), {}, line)
    // What a drive answers comes at any time, so all time passes inside of `act`.
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await act(() => new Promise((resolve) => setTimeout(resolve, 10)))
    }
    await act(() => shown.value.add(file("tram.txt")))
    await until(() => on.page.container.textContent === "done, tram.txt failed")
    assert.deepInclude(shown.value.files[0]!.error, { code: "storage_refused" })
    isRefusing = false
    await act(() => shown.value.retry(shown.value.files[0]!))
    await until(() => on.page.container.textContent === "done, tram.txt done")
    assert.deepInclude(shown.value.progress, { doneFiles: 1, failedFiles: 0, totalFiles: 1 })
    assert.deepStrictEqual(shown.value.failures, [])
    await unmount()
  })
})
