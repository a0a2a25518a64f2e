/** Sharing files with people as one user does it, as plain async functions. */
import { type FileRecord, type FileShares, Shares } from "@filedrive/core"
import { Effect } from "effect"
import type { Call, Perform } from "./Call.ts"

export interface SharesApi {
  readonly shares: {
    /** `/share-files`; `added` counts the pairs of a file and a user that are new. */
    readonly share: (fileIds: ReadonlyArray<string>, userIds: ReadonlyArray<string>) => Promise<{
      readonly shared: ReadonlyArray<string>
      readonly skipped: ReadonlyArray<string>
      readonly added: number
    }>
    /** `/unshare-files`; `removed` counts the pairs that are no more. */
    readonly unshare: (fileIds: ReadonlyArray<string>, userIds: ReadonlyArray<string>) => Promise<{
      readonly unshared: ReadonlyArray<string>
      readonly skipped: ReadonlyArray<string>
      readonly removed: number
    }>
    /** `/select-shares` */
    readonly list: (fileIds: ReadonlyArray<string>) => Promise<ReadonlyArray<FileShares>>
    /** `/select-shared-files`, one after the other. */
    readonly sharedWithMe: () => AsyncIterable<FileRecord>
  }
}

export const sharesApi = (call: Call, perform: Perform): SharesApi => {
  async function* sharedWithMe(): AsyncIterable<FileRecord> {
    let next: string | undefined
    do {
      const cursor = next
      const page = await call(Effect.flatMap(Shares, (shares) => shares.sharedWithMe({ cursor, limit: 200 })))
      yield* page.files
      next = page.nextCursor ?? undefined
    } while (next !== undefined)
  }
  return {
    shares: {
      share: async (fileIds, userIds) => {
        const { changed, files, skipped } = await perform(
          "shareFiles",
          { fileIds, userIds },
          (payload) => Effect.flatMap(Shares, (shares) => shares.share(payload.fileIds, payload.userIds))
        )
        return { shared: files, skipped, added: changed }
      },
      unshare: async (fileIds, userIds) => {
        const { changed, files, skipped } = await perform(
          "unshareFiles",
          { fileIds, userIds },
          (payload) => Effect.flatMap(Shares, (shares) => shares.unshare(payload.fileIds, payload.userIds))
        )
        return { unshared: files, skipped, removed: changed }
      },
      list: async (fileIds) =>
        perform(
          "selectShares",
          { fileIds },
          (payload) => Effect.flatMap(Shares, (shares) => shares.select(payload.fileIds))
        ),
      sharedWithMe
    }
  }
}
