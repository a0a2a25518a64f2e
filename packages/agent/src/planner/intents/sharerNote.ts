/** What is said of files that somebody shared. */
import type { FileRecord } from "../drive/Records.ts"
import { isCalled } from "../drive/SenderNames.ts"
import type { FileQuery } from "../files/FileQuery.ts"
import { type PlanContext, say } from "../PlanContext.ts"

/** Whether the files came from somebody at a request. */
const isFrom = (it: PlanContext, sharer: string, files: ReadonlyArray<FileRecord>): boolean => {
  const drops = (it.known.requests ?? []).flatMap(({ drops }) => drops)
  const ids = new Set(
    drops.filter(({ senderName }) => isCalled(senderName, sharer)).flatMap(({ files }) => files.map(({ id }) => id))
  )
  return files.every(({ id }) => ids.has(id))
}

/** The drive does not tell with whose account a file was shared. */
export const sharerNote = (it: PlanContext, { sharer }: FileQuery, files: ReadonlyArray<FileRecord>): string =>
  sharer === null || isFrom(it, sharer, files) ? "" : say(
    it,
    `I can't tell which of them ${sharer} shared; these are all that are shared with you. `,
    `Welche davon von ${sharer} sind, sehe ich nicht; das sind alle, die mit dir geteilt sind. `
  )
