/** A server for one drive. */
import type { RequestListener } from "node:http"
import { checkServeOptions } from "./checkOptions.ts"
import type { Drive } from "./createDrive.ts"
import * as Answer from "./http/Answer.ts"
import { type DriveServer, listen, type ListenOptions } from "./http/DriveServer.ts"

export interface ServeOptions extends ListenOptions {
  /** Answers requests that are not for the drive. Default: 404 in the drive's form. */
  readonly otherwise?: RequestListener
  /**
   * What must be done before the first request is answered, such as making the users of a configuration. It runs when the
   * drive is up; requests that come before its end wait for it, but for `/healthz` (200) and `/readyz` (503). When it fails they
   * are answered 503, and `serve` fails.
   */
  readonly prepare?: () => Promise<unknown>
}

/**
 * Listens, starts the drive and passes it every request. `stop` of the result
 * finishes requests in flight; the drive stays open until `drive.close()`.
 * Fails when the port is taken, the drive can't start, or it is closed before it is served.
 */
export const serve = async (drive: Drive, given: ServeOptions = {}): Promise<DriveServer> => {
  checkServeOptions(given)
  const { otherwise, prepare, ...options } = given
  let isUp = false
  const answer: RequestListener = (request, response) =>
    otherwise === undefined
      ? drive.nodeHandler(request, response)
      : drive.nodeHandler(request, response, () => void otherwise(request, response))
  let isPrepared = prepare === undefined
  const prepared = Promise.withResolvers<void>()
  // When no request waits, only the caller of `serve` is told that it failed.
  prepared.promise.catch(() => undefined)
  // It listens before the drive starts, because without a `url` the drive's links begin with the address it got.
  const server = await listen((request, response) => {
    if (!isUp && Answer.sendHealth(request, response)) return
    if (isPrepared) return answer(request, response)
    prepared.promise.then(
      () => response.destroyed ? undefined : answer(request, response),
      () => Answer.send(response, Answer.notStarted)
    )
  }, options)
  drive.listensAt(server.origin)
  try {
    await drive.ready()
    await prepare?.()
    // Fails when that has closed it: nothing is served then.
    await drive.ready()
    isUp = true
    isPrepared = true
    prepared.resolve()
  } catch (error) {
    prepared.reject(error)
    await server.stop()
    throw error
  }
  return {
    ...server,
    stop: async () => {
      const stopped = server.stop()
      await drive.endStreams()
      await stopped
    }
  }
}
