/** How calls of a drive fail in code. */
import { assert } from "@effect/vitest"
import { DriveError } from "@filedrive/adapter-node"

/** What is thrown, or what a promise is rejected with; undefined when the call succeeds. */
export const failure = async (act: () => unknown): Promise<unknown> => {
  try {
    await act()
    return undefined
  } catch (error) {
    return error
  }
}

/** The same of a call that has to fail with a `DriveError`. */
export const refusal = async (act: () => unknown): Promise<DriveError> => {
  const error = await failure(act)
  assert.instanceOf(error, DriveError, String(error))
  return error as DriveError
}

/** The first value. A feed without events is ended after a second, or the test would wait for it without end. */
export const first = (values: AsyncIterable<unknown>) => {
  const iterator = values[Symbol.asyncIterator]()
  setTimeout(() => void iterator.return?.(), 1_000).unref()
  return iterator.next()
}

/** The id of a user who does not exist. */
export const nobody = "019845e1-682f-7b02-a706-3b2422d13aec"
