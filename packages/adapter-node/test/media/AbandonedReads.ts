/** Reads whose callers disconnect, and what becomes of the processes that decode for them. */
import { assert } from "@effect/vitest"
import type { DriveClient } from "@filedrive/testing"
import { setTimeout as pause } from "node:timers/promises"
import { useBomb } from "../../../media/test/PictureFixtures.ts"
import { childrenOf, cpuOf } from "../../../media/test/Processes.ts"

/** Less than what a task may take: a process that nobody ended would get there. */
const leastLimitSeconds = 10

/**
 * Starts a call that keeps a process of this one's drive busy for as long as it may, disconnects, and awaits the process's end.
 * The drive must run no jobs. Fails when the process continued.
 */
export const abandon = async (
  client: DriveClient,
  route: "/read-file" | "/set-video-thumbnail",
  body: (fileId: string) => object
): Promise<void> => {
  const fileId = await client.upload({ fileName: "bomb.svg", bytes: useBomb(), mimeType: "image/svg+xml" })
  const { gelToken } = await client.session()
  const before = new Set(childrenOf(process.pid))
  const hangUp = new AbortController()
  const answered = client.fetch(`${client.url}/api${route}`, {
    method: "POST",
    headers: { authorization: `Bearer ${gelToken}`, "x-service-app": "filedrive", "content-type": "application/json" },
    body: JSON.stringify(body(fileId)),
    signal: hangUp.signal
  }).then((response) => response.status, () => "cut")
  const started = () => childrenOf(process.pid).filter((pid) => !before.has(pid))
  // Beside it a spare process may be started, which stays.
  const atWork = () => started().filter((pid) => (cpuOf(pid) ?? 0) >= 1)
  while (atWork().length === 0) {
    assert.strictEqual(await Promise.race([answered, pause(20, "working")]), "working")
  }
  const pids = atWork()
  hangUp.abort()
  let took = 0
  for (;;) {
    const now = pids.map(cpuOf).filter((seconds) => seconds !== null)
    if (now.length === 0) break
    took = Math.max(took, ...now)
    assert.isBelow(took, leastLimitSeconds, "the process went on although its caller was gone")
    await pause(20)
  }
}
