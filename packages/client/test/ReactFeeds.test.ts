/** The hooks for events and uploads, in a DOM, and all of them with a real drive. */
import { type Client, createClient, type FollowedEvent } from "@filedrive/client"
import type { Uploads, UploadsState } from "@filedrive/client/react"
import { afterAll, assert, beforeAll, beforeEach, describe, it, vi } from "vitest"
import { majors, names, stage } from "./reactStage.ts"
import { type ServedDrive, servedDrive } from "./servedDrive.ts"

describe.each(majors)("React $major", ({ major }) => {
  const { act, mount, on } = stage(major)

  describe("useEvents", () => {
    const told: Array<string> = []
    beforeEach(() => void told.splice(0))
    const follow = (onEvent: (event: FollowedEvent) => unknown = ({ cursor }) => void told.push(cursor)) =>
      mount(
        ({ client, onEvent }: { client: Client; onEvent: (event: FollowedEvent) => unknown }) =>
          on.page.bundle.hooks.useEvents(client, onEvent, { kinds: ["file"], since: "0" }),
        { client: on.client, onEvent }
      )

    it("CLIENT-83 tells each event once, by the latest function, without connecting again for it", async () => {
      const { render } = await follow()
      assert.deepStrictEqual(on.drive.feeds.map(({ isEnded }) => isEnded), [true, false])
      const [, feed] = on.drive.feeds
      await act(() => feed!.tell("1"))
      await render({ client: on.client, onEvent: ({ cursor }) => void told.push(`later ${cursor}`) })
      await act(() => feed!.tell("2"))
      assert.deepStrictEqual(told, ["1", "later 2"])
      assert.lengthOf(on.drive.feeds, 2)
      assert.deepInclude(feed!.options, { kinds: ["file"], since: "0" })
    })

    it("CLIENT-83 waits for the function, and goes on behind the event at which it threw", async () => {
      let release = () => {}
      const { shown } = await follow(({ cursor }) => {
        told.push(cursor)
        if (cursor === "1") return new Promise<void>((resolve) => release = resolve)
        if (cursor === "2") throw new Error("broken")
      })
      const feed = on.drive.feeds.at(-1)!
      await act(() => feed.tell("1"))
      await act(() => feed.tell("2"))
      assert.deepStrictEqual(told, ["1"])
      await act(() => release())
      assert.deepStrictEqual(told, ["1", "2"])
      assert.strictEqual((shown.value.error as Error).message, "broken")
      await act(() => shown.value.restart())
      assert.isUndefined(shown.value.error)
      assert.strictEqual(on.drive.feeds.at(-1)!.options.since, "2")
    })

    it("CLIENT-85 leaves nothing behind", async () => {
      const { unmount } = await follow()
      await act(() => on.drive.feeds.at(-1)!.tell("1"))
      await unmount()
      assert.deepStrictEqual(on.drive.feeds.map(({ isEnded }) => isEnded), [true, true])
      on.drive.feeds.at(-1)!.tell("2")
      await vi.advanceTimersByTimeAsync(0)
      assert.deepStrictEqual(told, ["1"])
      assert.strictEqual(vi.getTimerCount(), 0)
    })
  })

  describe("useUploads", () => {
    const line = ({ progress: { doneFiles, totalFiles }, state }: UploadsState) => `${state} ${doneFiles}/${totalFiles}`
    const uploads = (from: Client | Uploads, results: Array<string> = []) =>
      mount(
        ({ from }: { from: Client | Uploads }) =>
          on.page.bundle.hooks.useUploads(from, { folder: "/In", onFile: ({ name }) => void results.push(name) }),
        { from },
        line
      )
    const file = (name: string) => new File(["x"], name)

    it("CLIENT-84 tells the progress and what became of each file", async () => {
      const results: Array<string> = []
      const { shown } = await uploads(on.client, results)
      assert.strictEqual(on.page.container.textContent, "idle 0/0")
      assert.lengthOf(on.drive.queues, 0)
      await act(() => shown.value.add([file("a"), file("b")]))
      const [queue] = on.drive.queues
      assert.strictEqual(queue!.options.folder, "/In")
      assert.strictEqual(on.page.container.textContent, "sending 0/2")
      await act(() => queue!.settle("a"))
      assert.strictEqual(on.page.container.textContent, "sending 1/2")
      await act(() => shown.value.pause())
      assert.deepStrictEqual([on.page.container.textContent, queue!.isPaused], ["paused 1/2", true])
      await act(() => shown.value.resume())
      assert.isFalse(queue!.isPaused)
      await act(() => queue!.settle("b", new Error("quota_exceeded")))
      assert.strictEqual(on.page.container.textContent, "done 1/2")
      assert.deepStrictEqual(shown.value.results.map(({ name }) => name), ["b", "a"])
      assert.deepStrictEqual(shown.value.failures.map(({ name }) => name), ["b"])
      assert.deepStrictEqual(results, ["a", "b"])
      await act(() => shown.value.add([file("c")]))
      await act(() => queue!.settle("c"))
      assert.strictEqual(on.page.container.textContent, "done 2/3")
      assert.lengthOf(on.drive.queues, 1)
    })

    it("CLIENT-84 a hundred results are kept", async () => {
      const { shown } = await uploads(on.client)
      await act(() => shown.value.add(Array.from({ length: 300 }, (_, at) => file(`${at}`))))
      await act(() => {
        for (let at = 0; at < 300; at++) on.drive.queues[0]!.settle(`${at}`, new Error("refused"))
      })
      assert.lengthOf(shown.value.results, 100)
      assert.lengthOf(shown.value.failures, 100)
      assert.strictEqual(shown.value.results[0]!.name, "299")
      assert.strictEqual(shown.value.failures[0]!.name, "0")
    })

    it("CLIENT-84 its own are cancelled with the component, or by hand, and can begin again", async () => {
      const { shown, unmount } = await uploads(on.client)
      await act(() => shown.value.add([file("a")]))
      await act(() => shown.value.cancel())
      assert.isTrue(on.drive.queues[0]!.isCancelled)
      assert.strictEqual(on.page.container.textContent, "idle 0/0")
      await act(() => shown.value.add([file("b")]))
      // What the cancelled one still tells is nothing to this one.
      await act(() => on.drive.queues[0]!.settle("a"))
      assert.strictEqual(on.page.container.textContent, "sending 0/1")
      await unmount()
      assert.isTrue(on.drive.queues[1]!.isCancelled)
    })

    it("CLIENT-84 those that no component owns go on, and are shown again", async () => {
      const shared = on.page.bundle.hooks.createUploads(on.client)
      const { shown, unmount } = await uploads(shared)
      await act(() => shown.value.add([file("a"), file("b")]))
      await unmount()
      on.drive.queues[0]!.settle("a")
      assert.isFalse(on.drive.queues[0]!.isCancelled)
      await uploads(shared)
      assert.strictEqual(on.page.container.textContent, "sending 1/2")
    })

    it("CLIENT-85 leaves nothing behind", async () => {
      const shared = on.page.bundle.hooks.createUploads(on.client)
      const watched = vi.spyOn(shared, "subscribe")
      const { unmount } = await uploads(shared)
      await unmount()
      assert.isAbove(watched.mock.calls.length, 0)
      assert.isTrue(watched.mock.results.every(({ value }) => (value as () => boolean)() === false))
    })
  })
})

describe.each(majors)("React $major with a drive", ({ major }) => {
  const { act, mount, on } = stage(major, true)
  let served: ServedDrive
  beforeAll(async () => {
    served = await servedDrive()
  })
  afterAll(() => served.close())

  it("CLIENT-82 CLIENT-83 CLIENT-84 what is uploaded is told, found and listed", async () => {
    const { apiToken } = await served.user()
    const client = createClient({ url: served.url, apiToken })
    const told: Array<string> = []
    const { shown, unmount } = await mount(
      () => {
        const { useEvents, useFiles, useSearch, useUploads } = on.page.bundle.hooks
        useEvents(client, (event) => void (event.kind === "file" && told.push(event.file.fileName)))
        return {
          listed: useFiles(client, { sort: "name" }),
          found: useSearch(client, "tram"),
          uploads: useUploads(client)
        }
      },
      {},
      ({ listed, uploads }) => `${names(listed)} ${uploads.state}`
    )
    // What a drive answers comes at any time, so all time passes inside of `act`.
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await act(() => new Promise((resolve) => setTimeout(resolve, 10)))
    }
    const shows = (text: string) => () => on.page.container.textContent === text
    await until(shows(" idle"))
    await act(() => shown.value.uploads.add([new File(["1"], "tram.txt"), new File(["2"], "quay.txt")]))
    await until(shows("quay.txt,tram.txt done"))
    await act(() => shown.value.found.reload())
    await until(() => names(shown.value.found) === "tram.txt")
    await until(() => told.length >= 2)
    assert.sameMembers(told, ["quay.txt", "tram.txt"])
    await unmount()
  })
})
