/**
 * Frees the memory of bytes that have been passed on, now rather than when they are garbage-collected: an object store marks bytes
 * that it passes on for good, and their last reader frees them. Otherwise the collector has to walk the whole heap for each 64 MiB of
 * them, for 10 to 25 ms in which no call is answered.
 */

/** Memory whose receiver is its only holder. */
const own = new WeakSet<ArrayBufferLike>()

/** Marks that nobody else holds these bytes' memory, now or later. */
export const asOwned = <Bytes extends Uint8Array>(bytes: Bytes): Bytes => {
  own.add(bytes.buffer)
  return bytes
}

/** Frees the memory of bytes, if it is theirs alone. Only after the last read of them, also by a write that is running. */
export const release = ({ buffer }: Uint8Array): void => {
  if (own.has(buffer) && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
