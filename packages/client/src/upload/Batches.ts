/** One call for many things, where a call takes many. */

interface Waiting<In, Out> {
  readonly one: In
  readonly resolve: (made: Out | PromiseLike<Out>) => void
  readonly reject: (error: unknown) => void
}

/**
 * Calls `run` with those that came while the last call with the same arguments was under way. It answers what became of each, in order,
 * or nothing; what fails, fails for all of them.
 */
export const batches = <Args, In, Out = unknown>(
  most: number,
  run: (args: Args, some: ReadonlyArray<In>) => Promise<ReadonlyArray<Promise<Out>> | object>
) => {
  const groups = new Map<string, Array<Waiting<In, Out>>>()
  const drain = async (key: string, args: Args, waiting: Array<Waiting<In, Out>>) => {
    await undefined
    while (waiting.length > 0) {
      const some = waiting.splice(0, most)
      try {
        const made = await run(args, some.map(({ one }) => one)) as ReadonlyArray<Promise<Out>>
        some.forEach(({ resolve }, at) => resolve(made[at]!))
        await Promise.allSettled(some.map((_, at) => made[at]))
      } catch (error) {
        some.forEach(({ reject }) => reject(error))
      }
    }
    groups.delete(key)
  }
  return (args: Args, one: In): Promise<Out> =>
    new Promise((resolve, reject) => {
      const key = JSON.stringify(args)
      const waiting = groups.get(key)
      const added = { one, resolve, reject }
      if (waiting !== undefined) return void waiting.push(added)
      const begun = [added]
      groups.set(key, begun)
      void drain(key, args, begun)
    })
}
