/** A server for one drive. */
import type { RequestListener } from "node:http"
import type { Drive } from "./createDrive.ts"
import { type DriveServer, listen, type ListenOptions } from "./http/DriveServer.ts"

export interface ServeOptions extends ListenOptions {
  /** Answers what is not the drive's. Default: 404 in the drive's form. */
  readonly otherwise?: RequestListener
}

/**
 * Listens, starts the drive and hands it every request. `stop` of the answer
 * finishes requests in flight; the drive stays open until `drive.close()`.
 * Fails when the port is taken or the drive can't start.
 */
export const serve = async (drive: Drive, { otherwise, ...options }: ServeOptions = {}): Promise<DriveServer> => {
  const server = await listen(
    (request, response) =>
      otherwise === undefined
        ? drive.nodeHandler(request, response)
        : drive.nodeHandler(request, response, () => void otherwise(request, response)),
    options
  )
  drive.listensAt(server.origin)
  try {
    await drive.ready()
  } catch (error) {
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
