/** A host that has a picture made of what it reads, and says when that is under way. */
import { Effect } from "effect"
import { buffer } from "node:stream/consumers"
import * as Sandbox from "../src/sandbox/Sandbox.ts"

const bytes = await buffer(process.stdin)
setTimeout(() => console.log("under way"), 1_000)
await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
  const sandbox = yield* Sandbox.make({ processes: 1 })
  yield* sandbox.run("still", { maxSide: 100, fileName: "" }, Sandbox.contentOf(bytes))
})))
