/** Stores of a browser. */
import type { Store } from "../Options.ts"

/** Records in `localStorage`: for hosts whose pages have room there. */
export const localStorageStore = (storage: Storage = localStorage): Store => ({
  get: (key) => storage.getItem(key),
  set: (key, value) => storage.setItem(key, value),
  delete: (key) => storage.removeItem(key)
})

const settled = <A>(request: IDBRequest<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result))
    request.addEventListener("error", () => reject(request.error))
  })

/** Records in IndexedDB, which workers have too. */
export const indexedDbStore = (name = "filedrive"): Store => {
  let opened: Promise<IDBDatabase> | undefined
  const records = async (mode: IDBTransactionMode) => {
    const database = await (opened ??= (() => {
      const request = indexedDB.open(name, 1)
      request.addEventListener("upgradeneeded", () => request.result.createObjectStore("records"))
      return settled(request)
    })())
    return database.transaction("records", mode).objectStore("records")
  }
  return {
    get: async (key) => settled<string | undefined>((await records("readonly")).get(key)),
    set: async (key, value) => settled((await records("readwrite")).put(value, key)),
    delete: async (key) => settled((await records("readwrite")).delete(key))
  }
}
