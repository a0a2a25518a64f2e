/** What is left of a body whose request was answered already. */
import type { Readable } from "node:stream"
import { restLifetime } from "../http/EarlyAnswer.ts"
import type { StallWatch } from "./disk/StallWatch.ts"

/** Bytes of a refused body that are still read, so that a browser receives the refusal. */
const drainMaxBytes = 64 * 1024 * 1024

/** Reads and drops the rest of a body, within bounds of bytes and of time; past them it is destroyed. */
export const drain = (body: Readable, stalls: StallWatch): Promise<void> =>
  new Promise((resolve) => {
    let left = drainMaxBytes
    const stop = stalls.within(restLifetime, () => body.destroy())
    body.on("data", (chunk: Buffer) => {
      if ((left -= chunk.length) < 0) body.destroy()
    })
    const done = () => {
      stop()
      resolve()
    }
    body.once("end", done).once("close", done).once("error", done)
    if (body.readableEnded || body.destroyed) done()
    else body.resume()
  })
