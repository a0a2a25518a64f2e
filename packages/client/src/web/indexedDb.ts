/** Records in IndexedDB. Loaded with the first store of this kind, so it shares no code with what loads it. */
import type { Store } from "../Options.ts"

const settled = <A>(request: IDBRequest<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result))
    request.addEventListener("error", () => reject(request.error))
  })

export const recordsOf = (name: string) => {
  let opened: Promise<IDBDatabase> | undefined
  /** The next operation opens it again. */
  const forget = () => void (opened = undefined)
  const open = async () => {
    const request = indexedDB.open(name, 1)
    request.addEventListener("upgradeneeded", () => request.result.createObjectStore("records"))
    const database = await settled(request)
    // The browser closes it when its disk fails, or when its person clears the site's data.
    database.addEventListener("close", forget)
    return database
  }
  const records = async (mode: IDBTransactionMode) => {
    opened ??= open()
    opened.catch(forget)
    return (await opened).transaction("records", mode).objectStore("records")
  }
  return {
    get: async (key) => settled<string | undefined>((await records("readonly")).get(key)),
    set: async (key, value) => settled((await records("readwrite")).put(value, key)),
    delete: async (key) => settled((await records("readwrite")).delete(key))
  } satisfies Store
}
