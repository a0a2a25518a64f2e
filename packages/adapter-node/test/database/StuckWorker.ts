/** The embedded database's thread, with two ways to go wrong that a test can ask for by the text of a statement. */
import { parentPort } from "node:worker_threads"
import type { FromWorker, ToWorker } from "../../src/database/PgliteWorker.ts"

export * from "../../src/database/PgliteWorker.ts"

const port = parentPort!
const post = port.postMessage.bind(port)

const misbehave = (message: ToWorker) => {
  if (message.tag !== "data") return
  const text = Buffer.from(message.bytes).toString("latin1")
  if (text.includes("spin for ever")) { while (true); }
  if (text.includes("fail the wire")) {
    post({ tag: "refused", reason: "PGlite has stopped working" } satisfies FromWorker)
  }
}

// Not before the thread itself listens: messages go to those who listen when the first one does.
port.postMessage = (message: FromWorker, transfer) => {
  if (message.tag === "ready") port.on("message", misbehave)
  post(message, transfer as [])
}
