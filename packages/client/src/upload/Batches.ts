/** One call for many files, where a call takes many. */

const most = 500

interface Waiting {
  readonly id: string
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Calls `run` with the ids that came while the last call with the same arguments was under way. */
export const batches = <Args>(run: (args: Args, ids: ReadonlyArray<string>) => Promise<unknown>) => {
  const groups = new Map<string, Array<Waiting>>()
  const drain = async (key: string, args: Args, waiting: Array<Waiting>) => {
    await undefined
    while (waiting.length > 0) {
      const some = waiting.splice(0, most)
      await run(args, some.map(({ id }) => id)).then(
        () => some.forEach(({ resolve }) => resolve()),
        (error: unknown) => some.forEach(({ reject }) => reject(error))
      )
    }
    groups.delete(key)
  }
  return (args: Args, id: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const key = JSON.stringify(args)
      const waiting = groups.get(key)
      const one = { id, resolve, reject }
      if (waiting !== undefined) return void waiting.push(one)
      const begun = [one]
      groups.set(key, begun)
      void drain(key, args, begun)
    })
}
