/** Whether there is a network, as far as the platform tells. */

/** Calls `back` when the platform says that the network is back; returns what ends that. */
export const onNetwork = (back: () => void): () => void => {
  if (typeof globalThis.addEventListener !== "function") return () => {}
  globalThis.addEventListener("online", back)
  return () => globalThis.removeEventListener("online", back)
}

export const isOffline = (): boolean => globalThis.navigator?.onLine === false
