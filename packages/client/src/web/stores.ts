/** Stores of a browser. */
import type { Store } from "../Options.ts"

/** Records in `localStorage`: for hosts whose pages have room there. */
export const localStorageStore = (storage: Storage = localStorage): Store => ({
  get: (key) => storage.getItem(key),
  set: (key, value) => storage.setItem(key, value),
  delete: (key) => storage.removeItem(key)
})

/** Records in IndexedDB, which workers have too. */
export const indexedDbStore = (name = "filedrive"): Store => {
  let loaded: Promise<Store> | undefined
  const store = (): Promise<Store> => {
    loaded ??= import("./indexedDb.ts").then(({ recordsOf }) => recordsOf(name))
    // Asked for again by the next operation.
    loaded.catch(() => loaded = undefined)
    return loaded
  }
  // At once: the network may be away when the first record is needed.
  void store()
  return {
    get: async (key) => (await store()).get(key),
    set: async (key, value) => (await store()).set(key, value),
    delete: async (key) => (await store()).delete(key)
  }
}
