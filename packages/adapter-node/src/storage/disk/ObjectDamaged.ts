/** A file of an object is missing, has another length than it was stored with, or has other bytes. */
export class ObjectDamaged extends Error {
  constructor(path: string, how: string) {
    super(`${path} ${how}`)
  }
}
