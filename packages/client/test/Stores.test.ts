/** Stores that the client brings. */
import { createClient, fileStore, indexedDbStore, localStorageStore, type Store } from "@filedrive/client"
import { memoryDrive } from "@filedrive/testing"
import { lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, describe, it, vi } from "vitest"

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** As a browser has it. */
const storage = () => {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key)
  } as Storage
}

const directory = () => mkdtemp(join(tmpdir(), "filedrive-store-"))

describe("a store", () => {
  it.each<readonly [string, () => Promise<Store>]>([
    ["localStorage", async () => localStorageStore(storage())],
    ["a file", async () => fileStore(join(await directory(), "inner", "records.json"))],
    ["a Map", async () => new Map<string, string>()]
  ])("CLIENT-26 of %s gives back what was set, until it is deleted", async (_, make) => {
    const store = await make()
    assert.isNotOk(await store.get("a"))
    await Promise.all(Array.from({ length: 50 }, (_, at) => store.set(`${at}`, `value ${at}`)))
    await store.set("7", "other")
    await store.delete("8")
    assert.strictEqual(await store.get("7"), "other")
    assert.isNotOk(await store.get("8"))
    assert.strictEqual(await store.get("49"), "value 49")
  })

  it("CLIENT-26 of a file is there for the next process, and nobody else reads it", async () => {
    const path = join(await directory(), "records.json")
    const store = fileStore(path)
    await Promise.all([store.set("a", "1"), store.set("b", "2"), store.delete("a")])
    assert.strictEqual(await fileStore(path).get("b"), "2")
    assert.deepStrictEqual(JSON.parse(await readFile(path, "utf8")), { b: "2" })
    assert.strictEqual((await stat(path)).mode & 0o777, 0o600)
    assert.deepStrictEqual(await readdir(join(path, "..")), ["records.json"])
    await rm(join(path, ".."), { recursive: true })
  })

  it("CLIENT-196 of a file writes to its own file alone, whatever is beside it", async () => {
    const inner = await directory()
    const path = join(inner, "records.json")
    await writeFile(join(inner, "other"), "another's")
    await symlink("other", `${path}.new`)
    await fileStore(path).set("a", "1")
    assert.strictEqual(await readFile(join(inner, "other"), "utf8"), "another's")
    assert.isTrue((await lstat(path)).isFile())
    await writeFile(`${path}.new`, "of a crash", { mode: 0o644 })
    await fileStore(path).set("a", "2")
    assert.strictEqual((await stat(path)).mode & 0o777, 0o600)
    await rm(inner, { recursive: true })
  })

  it("CLIENT-26 that fails costs an upload its record, and no more", async () => {
    const drive = await memoryDrive()
    const { apiToken } = await drive.user()
    const full = () => Promise.reject(new DOMException("It is full.", "QuotaExceededError"))
    const client = createClient({
      url: "http://drive.test",
      apiToken,
      fetch: drive.fetch,
      store: { get: full, set: full, delete: full }
    })
    const queue = client.uploads.queue({ name: "all" })
    queue.add([new File(["a"], "a.txt")])
    assert.strictEqual((await queue.done).doneFiles, 1)
    assert.isString((await client.upload(new File(["b"], "b.txt"))).id)
    await drive.close()
  })

  it("CLIENT-233 that never answers costs an upload its record, and no more", async () => {
    const drive = await memoryDrive()
    const { apiToken } = await drive.user()
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
    // Nothing else waits while a single file waits for its record.
    const hang = () => {
      setImmediate(() => vi.advanceTimersByTime(10_000))
      return new Promise<never>(() => {})
    }
    const client = createClient({
      url: "http://drive.test",
      apiToken,
      fetch: drive.fetch,
      store: { get: hang, set: hang, delete: hang }
    })
    const queue = client.uploads.queue({ name: "all" })
    queue.add([new File(["a"], "a.txt")])
    assert.strictEqual((await queue.done).doneFiles, 1)
    assert.isString((await client.upload(new File(["b"], "b.txt"))).id)
    vi.useRealTimers()
    await drive.close()
  })

  it.each(["not JSON", "null"])("CLIENT-239 of a file that held %s works as soon as the file is gone", async (text) => {
    const inner = await directory()
    const path = join(inner, "records.json")
    await writeFile(path, text)
    const store = fileStore(path)
    for (const use of [() => store.get("a"), () => store.set("a", "1")]) {
      assert.instanceOf(await Promise.resolve(use()).catch((error: unknown) => error), Error)
    }
    // It may be somebody else's.
    assert.strictEqual(await readFile(path, "utf8"), text)
    await rm(path)
    await store.set("a", "1")
    assert.strictEqual(await fileStore(path).get("a"), "1")
    await rm(inner, { recursive: true })
  })

  it("CLIENT-239 of IndexedDB is opened again after it could not be, and after the browser has closed it", async () => {
    const indexedDb = new FakeIndexedDb()
    vi.stubGlobal("indexedDB", indexedDb)
    const store = indexedDbStore("records of a test")
    indexedDb.isBroken = true
    assert.deepInclude(await Promise.resolve(store.get("a")).catch((error: unknown) => error), { name: "UnknownError" })
    indexedDb.isBroken = false
    await store.set("a", "1")
    assert.strictEqual(await store.get("a"), "1")
    assert.strictEqual(indexedDb.opened, 2)
    indexedDb.close()
    assert.strictEqual(await store.get("a"), "1")
    await store.delete("a")
    assert.isUndefined(await store.get("a"))
    assert.strictEqual(indexedDb.opened, 3)
  })
})

/** As much of IndexedDB as the store uses, with a database that the browser may close. */
class FakeIndexedDb {
  isBroken = false
  opened = 0
  readonly #records = new Map<string, string>()
  #database: EventTarget | undefined

  close(): void {
    const database = this.#database
    this.#database = undefined
    database!.dispatchEvent(new Event("close"))
  }

  open() {
    this.opened++
    const { isBroken } = this
    const database = Object.assign(new EventTarget(), {
      transaction: () => {
        if (this.#database !== database) throw new DOMException("It is closed.", "InvalidStateError")
        return { objectStore: () => this.#store }
      }
    })
    if (!isBroken) this.#database = database
    return request(isBroken ? new DOMException("It can't be opened.", "UnknownError") : undefined, database)
  }

  get #store() {
    const records = this.#records
    return {
      get: (key: string) => request(undefined, records.get(key)),
      put: (value: string, key: string) => request(undefined, records.set(key, value)),
      delete: (key: string) => request(undefined, records.delete(key))
    }
  }
}

const request = (error: DOMException | undefined, result: unknown) => {
  const asked = Object.assign(new EventTarget(), { error, result })
  setImmediate(() => asked.dispatchEvent(new Event(error === undefined ? "success" : "error")))
  return asked
}
