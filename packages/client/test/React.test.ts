/** The hooks that list files, in a DOM. */
import type { Client } from "@filedrive/client"
import { assert, describe, it, vi } from "vitest"
import { FakeDrive } from "./FakeDrive.ts"
import { openServer, type Page } from "./reactPage.ts"
import { majors, names, stage } from "./reactStage.ts"

describe.each(majors)("React $major", ({ major }) => {
  const { act, mount, on, pass } = stage(major)

  it(`CLIENT-80 is React ${major}`, () => {
    assert.strictEqual(on.page.bundle.React.version.split(".")[0], `${major}`)
  })

  describe("useSearch", () => {
    const search = (text: string | null) =>
      mount(
        ({ client, text }: { client: Client; text: string | null }) => on.page.bundle.hooks.useSearch(client, text),
        { client: on.client, text },
        names
      )

    it("CLIENT-81 waits until typing pauses, and asks once, in StrictMode too", async () => {
      const { render } = await search("l")
      await pass(100)
      await render({ client: on.client, text: "li" })
      await pass(100)
      await render({ client: on.client, text: "lig" })
      assert.lengthOf(on.drive.searches, 0)
      await pass(200)
      assert.deepStrictEqual(on.drive.searches.map(({ request }) => request.text), ["lig"])
      await act(() => on.drive.searches[0]!.answer(["light.png"]))
      assert.strictEqual(on.page.container.textContent, "light.png")
    })

    it("CLIENT-81 aborts what is overtaken, and never shows its answer", async () => {
      const { render } = await search("a")
      await pass(200)
      await act(() => on.drive.searches[0]!.answer(["a.txt"]))
      await render({ client: on.client, text: "ab" })
      await pass(200)
      await render({ client: on.client, text: "abc" })
      assert.isTrue(on.drive.searches[1]!.signal.aborted)
      await pass(200)
      // What was found last stays until the next answer.
      assert.strictEqual(on.page.container.textContent, "a.txt…")
      await act(() => on.drive.searches[2]!.answer(["abc.txt"]))
      // A platform that does not heed the signal answers late.
      await act(() => on.drive.searches[1]!.answer(["ab.txt"]))
      assert.strictEqual(on.page.container.textContent, "abc.txt")
    })

    it("CLIENT-81 asks nothing for a blank text, and shows nothing of another client", async () => {
      const { render } = await search("a")
      await pass(200)
      await act(() => on.drive.searches[0]!.answer(["a.txt"]))
      const other = new FakeDrive()
      await render({ client: other as unknown as Client, text: "a" })
      assert.strictEqual(on.page.container.textContent, "…")
      await pass(200)
      await act(() => other.searches[0]!.answer(["b.txt"]))
      assert.strictEqual(on.page.container.textContent, "b.txt")
      await render({ client: on.client, text: "  " })
      await pass(1_000)
      assert.strictEqual(on.page.container.textContent, "")
      assert.lengthOf(on.drive.searches, 1)
    })

    it("CLIENT-81 tells why a search failed, and asks again", async () => {
      const { shown } = await search("a")
      await pass(200)
      const refusal = new Error("text must be shorter.")
      await act(() => on.drive.searches[0]!.fail(refusal))
      assert.deepInclude(shown.value, { error: refusal, isLoading: false })
      await act(() => shown.value.reload())
      await act(() => on.drive.searches[1]!.answer(["a.txt"]))
      assert.deepInclude(shown.value, { error: undefined, isLoading: false })
      assert.strictEqual(on.page.container.textContent, "a.txt")
    })

    it("CLIENT-85 leaves nothing behind", async () => {
      const { shown, unmount } = await search("a")
      await pass(200)
      await unmount()
      assert.isTrue(on.drive.searches[0]!.signal.aborted)
      shown.value.reload()
      shown.value.loadMore()
      assert.lengthOf(on.drive.searches, 1)
      const again = await search("b")
      await again.unmount()
      await pass(1_000)
      assert.lengthOf(on.drive.searches, 1)
      assert.strictEqual(vi.getTimerCount(), 0)
    })
  })

  describe("useFiles", () => {
    const list = (isLive = true) =>
      mount(({ client }: { client: Client }) => on.page.bundle.hooks.useFiles(client, { limit: 2 }, { isLive }), {
        client: on.client
      }, names)

    it("CLIENT-82 adds pages, each file once", async () => {
      const { shown } = await list(false)
      // StrictMode mounts twice: the first call is aborted.
      assert.deepStrictEqual(on.drive.searches.map(({ signal }) => signal.aborted), [true, false])
      await act(() => on.drive.searches[1]!.answer(["a", "b"], 2))
      assert.isTrue(shown.value.hasMore)
      await act(() => shown.value.loadMore())
      await act(() => shown.value.loadMore())
      assert.lengthOf(on.drive.searches, 3)
      assert.deepInclude(on.drive.searches[2]!.request, { offset: 2, limit: 2 })
      await act(() => on.drive.searches[2]!.answer(["b", "c"], null))
      assert.strictEqual(on.page.container.textContent, "a,b,c")
      assert.isFalse(shown.value.hasMore)
      await act(() => shown.value.loadMore())
      assert.lengthOf(on.drive.searches, 3)
    })

    it("CLIENT-82 shows what comes in, on all its pages, by few calls", async () => {
      const { shown } = await list()
      await act(() => on.drive.searches[1]!.answer(["a", "b"], 2))
      await act(() => shown.value.loadMore())
      await act(() => on.drive.searches[2]!.answer(["c"], null))
      const feed = on.drive.feeds.at(-1)!
      for (let at = 0; at < 50; at++) await act(() => feed.tell(`${at}`))
      await pass(500)
      assert.lengthOf(on.drive.searches, 4)
      await act(() => feed.tell("50"))
      // It does not overtake the call that is running, however long that takes.
      await pass(5_000)
      assert.lengthOf(on.drive.searches, 4)
      await act(() => on.drive.searches[3]!.answer(["new", "a"], 2))
      await act(() => on.drive.searches[4]!.answer(["b", "c"], null))
      assert.strictEqual(on.page.container.textContent, "new,a,b,c")
      await pass(500)
      assert.lengthOf(on.drive.searches, 6)
    })

    it("CLIENT-82 tells why it does not stay current", async () => {
      const { shown } = await list()
      await act(() => on.drive.searches[1]!.answer(["a"]))
      const refusal = new Error("token_limit")
      await act(() => on.drive.feeds.at(-1)!.fail(refusal))
      assert.deepInclude(shown.value, { error: refusal, isLoading: false })
      assert.strictEqual(on.page.container.textContent, "a")
    })

    it("CLIENT-85 leaves nothing behind", async () => {
      const { unmount } = await list()
      await act(() => on.drive.searches[1]!.answer(["a"]))
      await act(() => on.drive.feeds.at(-1)!.tell("1"))
      await unmount()
      assert.strictEqual(vi.getTimerCount(), 0)
      assert.deepStrictEqual(on.drive.feeds.map(({ isEnded }) => isEnded), [true, true])
      await pass(1_000)
      assert.lengthOf(on.drive.searches, 2)
    })
  })

  it("CLIENT-80 a server renders what a page takes over, and asks nothing", async () => {
    const shared = on.page.bundle.hooks.createUploads(on.client)
    shared.add([new File(["x"], "a")])
    const use = ({ hooks }: { hooks: Page["bundle"]["hooks"] }) => {
      hooks.useEvents(on.client, () => {})
      return [
        names(hooks.useFiles(on.client)),
        names(hooks.useSearch(on.client, "a")),
        hooks.useUploads(hooks === on.page.bundle.hooks ? shared : on.client).state
      ].join(" ")
    }
    const server = openServer(on.program)
    const { React } = server
    const Served = () => React.createElement("p", null, use({ hooks: server.hooks }))
    const html = server.renderToString(React.createElement(React.StrictMode, null, React.createElement(Served)))
    assert.strictEqual(html, "<p>… … idle</p>")
    assert.lengthOf([...on.drive.searches, ...on.drive.feeds], 0)
    on.page.container.innerHTML = html
    const { mistakes } = await mount(use, { hooks: on.page.bundle.hooks }, (text) => text)
    assert.deepStrictEqual(mistakes, [])
    // Then it shows what is.
    assert.strictEqual(on.page.container.textContent, "… … sending")
  })
})
