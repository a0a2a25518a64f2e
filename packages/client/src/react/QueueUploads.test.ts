/** The uploads of a page whose options change. */
import { assert, describe, it } from "vitest"
import { taken, uploading } from "../../test/FakeTarget.ts"
import type { Uploader } from "../Client.ts"
import { QueueRun } from "../upload/QueueRun.ts"
import type { Placement } from "../upload/Target.ts"
import { QueueUploads } from "./QueueUploads.ts"

describe("uploads that a page shows", () => {
  it("CLIENT-212 go by the options that they were added with", async () => {
    const placed: Array<Placement> = []
    const uploader = {
      uploads: {
        queue: (options: object) =>
          new QueueRun(
            uploading(async () => taken, { place: async (_, placement) => void placed.push(placement) }),
            undefined,
            options
          )
      }
    } as unknown as Uploader
    const uploads = new QueueUploads(uploader, { folder: "/A", tags: ["a"] })
    const ended = () =>
      new Promise<void>((resolve) => {
        const end = uploads.subscribe(() => {
          if (uploads.read().state !== "done") return
          end()
          resolve()
        })
      })
    for (const options of [{ folder: "/A", tags: ["a"] }, { folder: "/B" }, { folderId: "c" }]) {
      uploads.options = options
      const end = ended()
      uploads.add([new File(["a"], "a.txt"), { source: new File(["b"], "b.txt"), folder: "/own" }])
      await end
    }
    assert.deepStrictEqual(placed.map(({ folder, folderId, tags }) => [folder, folderId, tags]), [
      ["/A", undefined, ["a"]],
      ["/own", undefined, ["a"]],
      ["/B", undefined, undefined],
      ["/own", undefined, undefined],
      ["", "c", undefined],
      ["/own", "c", undefined]
    ])
  })
})
