/**
 * Freeing the memory of bytes that have been passed on, now rather than when they are collected: an object store marks those
 * that it hands over for good, and what reads them last frees them. Left to the collector, each 64 MiB of them has it walk the
 * whole heap, for 10 to 25 ms in which nobody is answered.
 */

/** Memory of which whoever is handed it is the only holder. */
const own = new WeakSet<ArrayBufferLike>()

/** Says that nobody else holds these bytes' memory, now or later. */
export const asOwned = <Bytes extends Uint8Array>(bytes: Bytes): Bytes => {
  own.add(bytes.buffer)
  return bytes
}

/** Frees the memory of bytes, if it is theirs alone. Only once nothing reads them any more, a write that is under way least of all. */
export const release = ({ buffer }: Uint8Array): void => {
  if (own.has(buffer) && buffer instanceof ArrayBuffer) buffer.transfer(0)
}
