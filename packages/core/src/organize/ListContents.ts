/** Reads playlists and galleries, for their owners and, where they are public, for anyone. */
import { Context, Effect, Layer, Option } from "effect"
import { allowed, CurrentAccount } from "../accounts/CurrentAccount.ts"
import type { FileRecord } from "../files/FileRecord.ts"
import { FileRecords } from "../files/FileRecords.ts"
import * as PageLimits from "../limits/Limits.ts"
import { type InvalidField, NotFound, type Refused } from "../shared/DriveError.ts"
import type { FileId, ListId } from "../shared/Ids.ts"
import { item, type ListItem, type ListKind, type ListLimit, type ListOffset, type ListReader } from "./List.ts"
import { ListContentsRepo } from "./ListContentsRepo.ts"
import { type ListCover, ListCovers } from "./ListCovers.ts"
import { ListsRepo } from "./ListsRepo.ts"

/** Part of a list; of a playlist with its cover. */
export interface ListPage extends ListItem, Partial<ListCover> {
  /** In the list's order, without those in trash. */
  readonly files: ReadonlyArray<FileRecord>
  /** Which of these are featured. */
  readonly featuredIds: ReadonlyArray<FileId>
  /** The `offset` of the next page, or null at the end. */
  readonly nextOffset: number | null
}

export interface PageOf {
  /** Files of the page. Default 50. */
  readonly limit?: ListLimit
  /** Files to skip. Default 0. */
  readonly offset?: ListOffset
}

export class ListContents extends Context.Service<ListContents, {
  /**
   * A page of a list, for its owner or, when it is public, for anyone, signed in or not. Each reader is shown the files
   * they can see, and counts of those: the owner all that is in it and not in trash, others what is public or shared
   * with them, and with a token that is limited to a folder only what is public. The owner's token that is limited to a
   * folder shows that folder's.
   *
   * Fails with `NotFound`; with `Refused` (`token_limit`) when the token may not read.
   */
  readonly page: (
    kind: ListKind,
    id: ListId,
    page: PageOf,
    reader: Option.Option<CurrentAccount["Service"]>
  ) => Effect.Effect<ListPage, InvalidField | NotFound | Refused>
}>()("@filedrive/core/organize/ListContents") {
  static readonly layerNoDeps = Layer.effect(
    ListContents,
    Effect.gen(function*() {
      const lists = yield* ListsRepo
      const repo = yield* ListContentsRepo
      const records = yield* FileRecords
      const covers = yield* ListCovers

      /** The list, and its reader. */
      const open = Effect.fnUntraced(
        function*(kind: ListKind, id: ListId, account: CurrentAccount["Service"] | null) {
          if (account !== null) {
            const own = yield* lists.find(account.id, account.limits, kind, id)
            const { folderId } = account.limits
            if (Option.isSome(own)) return { list: own.value, reader: { _tag: "Owner", folderId } satisfies ListReader }
          }
          const found = yield* repo.findPublic(kind, id)
          if (Option.isNone(found) || found.value.accountId === account?.id) {
            return yield* new NotFound({ resource: kind, id })
          }
          const reader: ListReader = { _tag: "Other", id: account?.limits.folderId === null ? account.id : null }
          return { list: { ...found.value, ...(yield* repo.counts(found.value, reader)) }, reader }
        }
      )

      const page = Effect.fn("ListContents.page")(
        function*(
          kind: ListKind,
          id: ListId,
          { limit: most, offset: passed }: PageOf,
          asking: Option.Option<CurrentAccount["Service"]>
        ) {
          const account = Option.isNone(asking)
            ? null
            : yield* Effect.provideService(allowed("read"), CurrentAccount, asking.value)
          const { list, reader } = yield* open(kind, id, account)
          const [limit, offset] = [most ?? PageLimits.listPage.byDefault, passed ?? 0]
          const entries = yield* repo.entries(list, reader, offset, limit + 1)
          const shown = entries.slice(0, limit)
          const found = new Map((yield* repo.files(shown.map(({ id }) => id))).map((file) => [file.id, file]))
          const files = shown.flatMap(({ id }) => found.get(id) ?? [])
          return {
            ...item(list),
            ...(kind === "playlist" && (yield* covers.one(id, reader._tag === "Owner" ? account : null))),
            files: yield* records.of(files, (file) => file.accountId === account?.id ? "owner" : "other"),
            featuredIds: shown.filter(({ isFeatured }) => isFeatured).map(({ id }) => id),
            nextOffset: entries.length > limit ? offset + limit : null
          }
        }
      )

      return ListContents.of({ page })
    })
  )
}
