/** The owner's reviews, as the drive has them. */
import type { AnswerOf, Client } from "@filedrive/client"
import { signal } from "@preact/signals"
import { say } from "../foundation/announce.ts"
import { shown } from "../foundation/format.ts"
import { makeTyped, type Typed } from "../foundation/Typed.ts"
import { type Items, makeItems } from "../owner/Items.ts"
import { type Live, live } from "../owner/live.ts"
import { t } from "./texts.ts"

export type FileReview = AnswerOf<"selectFileReviews">["reviews"][number]
export type Note = FileReview["notes"][number]
export type Reply = Note["replies"][number]

/** Most notes of which each is told. */
const spokenMax = 3

/** All that reviewers have written: the ids of notes and replies, with who wrote them. */
const written = ({ notes }: FileReview): ReadonlyMap<string, string> =>
  new Map(notes.flatMap(({ id, replies, reviewer }) => [
    [id, reviewer.name] as const,
    ...replies.filter(({ author }) => !author.owner).map(({ author, id }) => [id, author.name] as const)
  ]))

/** Says which notes have come. */
const tell = (renewed: ReadonlyArray<readonly [before: FileReview, after: FileReview]>): void => {
  const fresh = renewed.flatMap(([before, after]) => {
    // More of the same were loaded, and are not new.
    if (before.nextCursor !== after.nextCursor) return []
    const known = written(before)
    return [...written(after)].filter(([id]) => !known.has(id))
  })
  if (fresh.length > spokenMax) say(t("reviews.arrivedMany", { count: fresh.length }))
  else if (fresh.length > 0) say(fresh.map(([, name]) => t("reviews.arrived", { name: shown(name) })).join(" "))
}

export interface Reviews extends Items<FileReview>, Live {
  readonly client: Client
  /** Replies that are being written, by the notes that they answer. */
  readonly replies: Typed
  /** Lists more of the notes of the review that is open. */
  readonly moreNotes: () => Promise<void>
}

export const makeReviews = (client: Client): Reviews => {
  /** Calls whose notes are listed of the review that is open; a call has thousands. */
  const wanted = signal<{ readonly id: string; readonly calls: number } | null>(null)

  const one = async (id: string): Promise<FileReview | null> => {
    if (wanted.peek()?.id !== id) wanted.value = { id, calls: 1 }
    let [review] = (await client.selectFileReviews({ reviewIds: [id] })).reviews
    for (let call = 1; call < wanted.peek()!.calls && typeof review?.nextCursor === "string"; call++) {
      const next = (await client.selectFileReviews({ reviewIds: [id], cursor: review.nextCursor })).reviews[0]
      review = next && { ...next, notes: [...review.notes, ...next.notes] }
    }
    return review ?? null
  }

  const items = makeItems<FileReview>({
    source: {
      page: async (cursor) => {
        const { nextCursor, reviews } = await client.selectFileReviews(cursor === null ? {} : { cursor })
        return { items: reviews, nextCursor }
      },
      one
    },
    onRenewed: tell
  })
  return {
    client,
    replies: makeTyped(),
    ...items,
    ...live({ client, kind: "reviews", events: ["note"], onChange: items.reload }),
    moreNotes: () => {
      if (wanted.value !== null) wanted.value = { ...wanted.value, calls: wanted.value.calls + 1 }
      return items.reload()
    }
  }
}
