/** The owner's file requests, as the drive has them. */
import type { AnswerOf, Client } from "@filedrive/client"
import { say } from "../foundation/announce.ts"
import { shown } from "../foundation/format.ts"
import { type Items, makeItems } from "../owner/Items.ts"
import { type Live, live } from "../owner/live.ts"
import { t } from "./texts.ts"

export type FileRequest = AnswerOf<"selectFileRequests">["requests"][number]
export type Drop = FileRequest["drops"][number]
export type DroppedFile = Drop["files"][number]

/** The drive lists no more of a request. */
export const deliveriesMax = 5_000

/** Most deliveries of which each is told. */
const spokenMax = 3

const finished = (drops: ReadonlyArray<Drop>) => drops.filter(({ finishTime }) => finishTime !== null)

/** Says which deliveries have come. */
const tell = (renewed: ReadonlyArray<readonly [before: FileRequest, after: FileRequest]>): void => {
  const fresh = renewed.flatMap(([before, after]) => {
    const known = new Set(finished(before.drops).map(({ id }) => id))
    return finished(after.drops).filter(({ id }) => !known.has(id))
  })
  if (fresh.length > spokenMax) say(t("requests.arrivedMany", { count: fresh.length }))
  else if (fresh.length > 0) {
    say(fresh.map(({ senderName }) => t("requests.arrived", { name: shown(senderName) })).join(" "))
  }
}

export interface Requests extends Items<FileRequest>, Live {
  readonly client: Client
}

export const makeRequests = (client: Client): Requests => {
  const items = makeItems<FileRequest>({
    source: {
      page: async (cursor) => {
        const { nextCursor, requests } = await client.selectFileRequests(cursor === null ? {} : { cursor })
        return { items: requests, nextCursor }
      },
      one: async (id) => (await client.selectFileRequests({ requestIds: [id] })).requests[0] ?? null
    },
    onRenewed: tell
  })
  return {
    client,
    ...items,
    ...live({ client, kind: "requests", events: ["drop"], onChange: items.reload })
  }
}
