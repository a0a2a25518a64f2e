/** The examples of docs/client.md that show files, as they stand there. */
import { createClient, type UploadQueue } from "@filedrive/client"
import { memoryDrive } from "@filedrive/testing"
import { transform } from "esbuild"
import { Window } from "happy-dom"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { stage } from "./reactStage.ts"

const document = readFileSync(join(import.meta.dirname, "../../../docs/client.md"), "utf8")
const example = (beginning: string): string => {
  const found = [...document.matchAll(/```tsx?\n([^]*?)```/g)].find(([, code]) => code!.includes(beginning))
  return found![1]!.replace(/^import .*$/gm, "")
}

let drive: Awaited<ReturnType<typeof memoryDrive>>
beforeAll(async () => {
  drive = await memoryDrive()
})
afterAll(() => drive.close())

/** A client whose storage refuses until it is told not to. */
const refusing = async () => {
  const { apiToken } = await drive.user()
  const on = { isRefusing: true }
  const client = createClient({
    url: "http://drive.test",
    apiToken,
    fetch: async (url, init) =>
      on.isRefusing && !/^\/(?:api|auth)\//.test(new URL(url).pathname)
        ? new Response("", { status: 400 })
        : drive.fetch(url, init)
  })
  return { client, on }
}

interface Element {
  readonly textContent: string
  readonly click: () => void
}

describe("the documentation", () => {
  it("CLIENT-164 shows files of a queue on a page that has no React", async () => {
    const { client, on } = await refusing()
    const window = new Window()
    const list = window.document.createElement("ul")
    // oxlint-disable-next-line no-new-func -- the example as it stands in the documentation
    const run = new Function("drive", "list", "document", `${example("const rows = new Map()")}; return queue`)
    const queue: UploadQueue = run(client, list, window.document)
    queue.add([new File(["1"], "<b>a</b>.txt")])
    assert.deepInclude(await queue.done, { failedFiles: 1 })
    assert.strictEqual(list.textContent, "<b>a</b>.txt: DriveError: Storage answered 400., 0 bytes")
    on.isRefusing = false
    ;(list.children[0] as unknown as Element).click()
    assert.deepInclude(await queue.done, { doneFiles: 1, failedFiles: 0 })
    assert.strictEqual(list.textContent, "")
    await window.happyDOM.close()
  })
})

describe("the documentation's component", () => {
  const { act, on } = stage(19, true)

  it("CLIENT-164 shows files that are sent, and tries one again", async () => {
    const { client, on: storage } = await refusing()
    const { React, createRoot, hooks } = on.page.bundle
    const { code } = await transform(example("const Drive ="), {
      loader: "tsx",
      jsxFactory: "React.createElement",
      jsxFragment: "React.Fragment"
    })
    const List = ({ files }: { readonly files: ReadonlyArray<{ readonly fileName: string }> }) =>
      React.createElement("i", null, files.map(({ fileName }) => fileName).join())
    const used = { ...hooks, React, List, useState: React.useState }
    // oxlint-disable-next-line no-new-func -- the example as it stands in the documentation
    const Drive = new Function(...Object.keys(used), `${code}; return Drive`)(...Object.values(used))
    const root = createRoot(on.page.container)
    await act(() => root.render(React.createElement(Drive, { client })))
    const page = on.page.container as unknown as {
      readonly querySelector: (selector: string) => Record<string, unknown>
      readonly querySelectorAll: (selector: string) => Iterable<Element>
      readonly textContent: string
    }
    const until = async (isSo: () => boolean) => {
      while (!isSo()) await act(() => new Promise((resolve) => setTimeout(resolve, 10)))
    }
    // As React hands an event of a field of files to the component.
    const field = page.querySelector("input[type=file]")
    const [, props] = Object.entries(field).find(([name]) => name.startsWith("__reactProps"))!
    const { onChange } = props as { readonly onChange: (event: object) => void }
    await act(() => onChange({ target: { files: [new File(["1"], "tram.txt")] } }))
    await until(() => page.textContent.includes("tram.txt: DriveError: Storage answered 400."))
    storage.isRefusing = false
    await act(() =>
      [...page.querySelectorAll("button")].find(({ textContent }) => textContent === "Try again")!.click()
    )
    await until(() => page.textContent.includes("tram.txt: done, 1 bytes"))
    await act(() => root.unmount())
  })
})
