/** One store of several accounts, drives and deliveries: as in a browser that several people use. */
import { createClient, createPublicClient, type Store } from "@filedrive/client"
import { memoryDrive } from "@filedrive/testing"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

let drive: Awaited<ReturnType<typeof memoryDrive>>
beforeAll(async () => {
  drive = await memoryDrive()
})
afterAll(() => drive.close())

const clientOf = async (store: Store) => {
  const { apiToken } = await drive.user()
  return createClient({ url: "http://drive.test", apiToken, fetch: drive.fetch, store })
}

const file = () => new File(["the same"], "same.txt", { lastModified: 1_700_000_000_000 })

describe("a store that two have", () => {
  it("CLIENT-193 does not take a file of one account's queue for sent in another's of the same name", async () => {
    const store: Store = new Map<string, string>()
    const ids = new Set<string>()
    for (const client of [await clientOf(store), await clientOf(store)]) {
      for (const _ of [1, 2]) {
        const queue = client.uploads.queue({ name: "import", onFile: (file) => void ids.add(file.file!.id) })
        queue.add([file()])
        assert.strictEqual((await queue.done).doneFiles, 1)
      }
      // Once for each account.
      assert.lengthOf(await client.selectUserFiles(), 1)
    }
    assert.strictEqual(ids.size, 2)
  })

  it("CLIENT-193 forgets a queue of one account alone", async () => {
    const store: Store = new Map<string, string>()
    const clients = [await clientOf(store), await clientOf(store)]
    const [one] = clients
    const send = async () => {
      const counts: Array<number> = []
      for (const client of clients) {
        const queue = client.uploads.queue({ name: "import" })
        queue.add([file()])
        await queue.done
        counts.push((await client.selectUserFiles()).length)
      }
      return counts
    }
    assert.deepStrictEqual(await send(), [1, 1])
    await one!.uploads.queue({ name: "import" }).forget()
    assert.deepStrictEqual(await send(), [2, 1])
  })

  it("CLIENT-193 does not take a file of one delivery for sent in another", async () => {
    const store: Store = new Map<string, string>()
    const client = await clientOf(store)
    const { id: requestId } = await client.createFileRequest({ title: "Photos" })
    const open = createPublicClient({ url: "http://drive.test", fetch: drive.fetch, store })
    for (const senderName of ["Ada", "Grace"]) {
      const { dropToken } = await open.startDrop({ requestId, senderName })
      const delivery = open.delivery(dropToken)
      const queue = delivery.uploads.queue({ name: "photos" })
      queue.add([file()])
      await queue.done
      assert.lengthOf((await delivery.select()).files, 1)
    }
  })
})
