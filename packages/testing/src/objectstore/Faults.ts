/** Faults that a test plants in a store's calls, one for each call to come. */
import { DriveError, MediaTools } from "@filedrive/core"
import { Effect } from "effect"

type Unavailable = DriveError.Unavailable

/** Replaces one call: `run` is the call itself. */
export type Fault = <A, E>(run: Effect.Effect<A, E>) => Effect.Effect<A, E | Unavailable>

const unavailable = (because: string) =>
  new DriveError.Unavailable({ code: "storage_unavailable", cause: new Error(because) })

/** The store is not reached: nothing happens. */
export const notReached: Fault = () => Effect.fail(unavailable("planted: not reached"))

/** The store's disk is full: nothing happens. */
export const noSpace: Fault = () =>
  Effect.fail(new DriveError.Unavailable({ code: "no_space", cause: new Error("planted: no space") }))

/** The tool that works on a file is killed. */
export const toolKilled: Fault = () => Effect.fail(MediaTools.killed("A planted tool"))

/** The store performs the call, and its answer is lost. */
export const answerLost: Fault = (run) => Effect.andThen(run, Effect.fail(unavailable("planted: answer lost")))

/** Runs `hook` before the call. */
export const before = (hook: Effect.Effect<void>): Fault => (run) => Effect.andThen(hook, run)

/** Runs `hook` after the call, before its answer is seen. */
export const after = (hook: Effect.Effect<void>): Fault => (run) => Effect.tap(run, () => hook)

/** The faults still to come, by method. */
export const make = <Method extends string>() => {
  const planted = new Map<Method, Array<Fault>>()
  return {
    plant: (method: Method, fault: Fault, times: number) => {
      planted.set(method, [...planted.get(method) ?? [], ...Array.from({ length: times }, () => fault)])
    },
    guard: <A, E>(method: Method, run: Effect.Effect<A, E>): Effect.Effect<A, E | Unavailable> =>
      Effect.suspend(() => planted.get(method)?.shift()?.(run) ?? run)
  }
}
