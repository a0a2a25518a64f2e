/** What a process that is to be killed says to the test that started it. */
import { writeSync } from "node:fs"

const pause = new Int32Array(new SharedArrayBuffer(4))

const isBehind = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "EAGAIN"

/**
 * Prints a line before it returns: what was printed stands even if the process is killed in the next instant. A test that
 * is busy may be some hundred lines behind; then it is waited for.
 */
export const printLine = (line: string): void => {
  let left = Buffer.from(`${line}\n`)
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(1, left))
    } catch (error) {
      if (!isBehind(error)) throw error
      Atomics.wait(pause, 0, 0, 5)
    }
  }
}
