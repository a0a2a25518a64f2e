/** The files that came in at a request, of all senders or of one, wherever they were moved since. */
import type { FileRecord } from "../drive/Records.ts"
import { requestLink, requests, theRequest } from "../drive/Requests.ts"
import { isCalled } from "../drive/SenderNames.ts"
import { type Plan, Stopped } from "../Plan.ts"
import { type PlanContext, say } from "../PlanContext.ts"
import { quoted } from "../Speech.ts"
import type { FileQuery } from "./FileQuery.ts"
import { searchPages } from "./searchFiles.ts"

export function* sentFiles(it: PlanContext, sent: NonNullable<FileQuery["sent"]>): Plan<ReadonlyArray<FileRecord>> {
  const request = yield* theRequest(it, sent.request)
  const { sender } = sent
  const drops = request.drops.filter(({ senderName }) => sender === null || isCalled(senderName, sender))
  const ids = new Set(drops.flatMap(({ files }) => files.map(({ id }) => id)))
  if (ids.size === 0) {
    const title = quoted(request.title)
    throw new Stopped({
      text: sender === null
        ? say(it, `Nobody has sent anything to ${title} yet.`, `An ${title} hat noch niemand etwas geschickt.`)
        : say(
          it,
          `${sender} has not sent anything to ${title} yet.`,
          `${sender} hat noch nichts an ${title} geschickt.`
        ),
      links: [requestLink(it, request)]
    })
  }
  const here = (yield* searchPages(it, { folder: request.folder.path })).files.filter(({ id }) => ids.has(id))
  return here.length === ids.size ? here : (yield* searchPages(it, {})).files.filter(({ id }) => ids.has(id))
}

/** "everything Kim sent me": what came from her at any request; null where nothing did, so that it was shared. */
export function* filesFrom(it: PlanContext, { said, sharer }: FileQuery): Plan<ReadonlyArray<FileRecord> | null> {
  if (sharer === null || !/\b(?:sent|gave|geschickt|gegeben)\b/i.test(said)) return null
  const drops = (yield* requests(it)).flatMap((request) =>
    request.drops.filter(({ senderName }) => isCalled(senderName, sharer))
  )
  const ids = new Set(drops.flatMap(({ files }) => files.map(({ id }) => id)))
  return ids.size === 0 ? null : (yield* searchPages(it, {})).files.filter(({ id }) => ids.has(id))
}
