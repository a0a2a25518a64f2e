import { Effect } from "effect"

/** Runs work that pauses now and then, and lets other work of this process run at each pause. */
export const runCooperatively = Effect.fnUntraced(function*<A>(work: Generator<void, A>) {
  for (;;) {
    const step = work.next()
    if (step.done === true) return step.value
    yield* Effect.yieldNow
  }
})
