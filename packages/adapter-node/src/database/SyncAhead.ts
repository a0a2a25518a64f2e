/**
 * Syncs the embedded database's files ahead of a checkpoint, while statements run. A
 * checkpoint syncs one file after the other and blocks all statements meanwhile; files that have been synced since they were last
 * written take it a fraction of a millisecond each.
 *
 * It only comes earlier: the checkpoint itself still syncs every file.
 */
import { close, fdatasync, openSync } from "node:fs"

/** How a file is opened, synced and closed, the last two in other threads. */
export interface SyncCalls {
  readonly open: (path: string) => number
  readonly sync: (descriptor: number, done: (error: Error | null) => void) => void
  readonly close: (descriptor: number) => void
}

const machineCalls: SyncCalls = {
  open: (path) => openSync(path, "r"),
  sync: fdatasync,
  close: (descriptor) => close(descriptor, () => {})
}

/** How many files at once: the threads that sync are also those of uploads. */
const besideCount = 2

export class SyncAhead<File> {
  private readonly pathOf: (file: File) => string
  private readonly onFail: (cause: unknown) => void
  private readonly calls: SyncCalls
  private readonly written = new Set<File>()
  private underWay = 0

  /** `onFail` is called when the disk has lost a write: the log still has it, for the next opening of the database. */
  constructor(pathOf: (file: File) => string, onFail: (cause: unknown) => void, calls: SyncCalls = machineCalls) {
    this.pathOf = pathOf
    this.onFail = onFail
    this.calls = calls
  }

  wrote(file: File): void {
    this.written.add(file)
  }

  /** Begins to sync what was written, a little at a time. */
  begin(): void {
    while (this.underWay < besideCount && this.next());
  }

  /** Begins to sync all that was written, since a checkpoint is about to wait for it. */
  hurry(): void {
    while (this.next());
  }

  private next(): boolean {
    const [file] = this.written
    if (file === undefined) return false
    this.written.delete(file)
    const descriptor = this.open(file)
    if (descriptor === undefined) return true
    this.underWay++
    this.calls.sync(descriptor, (error) => {
      this.underWay--
      this.calls.close(descriptor)
      // The system reports the failure of a disk only once; so the checkpoint must not take this file for synced.
      if (error === null) this.begin()
      else this.onFail(error)
    })
    return true
  }

  /** Undefined when it can't be opened, for instance because it was deleted meanwhile; the checkpoint handles it then. */
  private open(file: File): number | undefined {
    try {
      return this.calls.open(this.pathOf(file))
    } catch {
      return undefined
    }
  }
}
