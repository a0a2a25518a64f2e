/** How far an archive or import is that a tool has begun, for a client that asked to be told. */
import { type CurrentAccount, Operations } from "@filedrive/core"
import { Clock, Duration, Effect } from "effect"

export interface Progress {
  readonly progress: number
  readonly total?: number
  readonly message: string
}

interface Item {
  readonly status: string
  readonly receivedBytes: number
  readonly totalBytes?: number | null
  readonly bytes?: number
}

/** The operation that tells how far something is, by the one that begins it. */
const tells: Readonly<Record<string, Operations.OperationId>> = {
  createArchiveRequest: "selectArchives",
  importFromUrl: "selectImports"
}

/** How often it is looked at, and for how long at most: clients and proxies give up after a minute. */
const interval = Duration.millis(500)
const lifetime = Duration.seconds(50)

const messages: Readonly<Record<string, string>> = { done: "Done.", failed: "It failed.", working: "At work." }

const progressOf = ({ bytes, receivedBytes, status, totalBytes }: Item): Progress => {
  const total = bytes ?? totalBytes ?? undefined
  return { progress: receivedBytes, ...total !== undefined && { total }, message: messages[status] ?? "At work." }
}

export const isLong = (operation: string): boolean => operation in tells

/**
 * Follows what a call of `operation` has begun, until it ends or 50 seconds have passed. `report` gets what is new of it, and never
 * less than before.
 */
export const follow = Effect.fnUntraced(function*(
  operation: string,
  answer: unknown,
  caller: CurrentAccount.CurrentAccount["Service"],
  report: (progress: Progress) => Effect.Effect<void>
) {
  const operations = yield* Operations.Operations
  const { id } = answer as { readonly id: string }
  const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(lifetime)
  let told = -1
  while (true) {
    const items = yield* operations.run(tells[operation]!, { ids: [id] }, caller)
    const item = (items as unknown as ReadonlyArray<Item>)[0]
    if (item === undefined) return
    const isOver = item.status !== "working"
    // Progress must increase with each report.
    if (item.receivedBytes > told) {
      told = item.receivedBytes
      yield* report(progressOf(item))
    }
    if (isOver || (yield* Clock.currentTimeMillis) >= until) return
    yield* Effect.sleep(interval)
  }
})
