/** Whether there is a network, as far as the platform tells. */

/** Calls `back` when the platform says that the network is back; returns what ends that. */
export const onNetwork = (back: () => void): () => void => {
  // Node has no such events.
  const { addEventListener, removeEventListener } = globalThis as Partial<typeof globalThis>
  addEventListener?.("online", back)
  return () => removeEventListener?.("online", back)
}

export const isOffline = (): boolean => globalThis.navigator?.onLine === false
