/** Who opens the caller's files. Spec: "Library", `/select-file-views`. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as Limits from "../limits/Limits.ts"
import { Accounts } from "../ports/Accounts.ts"
import type { Refused, Unavailable } from "../shared/DriveError.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import { type FileId, onceEach } from "../shared/Ids.ts"
import * as Time from "../shared/Time.ts"
import type { ViewsQuery } from "./ViewsQuery.ts"
import { ViewsRepo } from "./ViewsRepo.ts"

/** Users that the host is asked for at once. */
const lookupsAtOnce = 16

/** A user the file is shared with who lets owners see their views. */
export interface ViewerItem {
  readonly handle: string | null
  readonly displayName: string | null
  readonly lastDay: string
  readonly views: number
}

export interface FileViewsItem {
  readonly id: FileId
  readonly fileName: string
  readonly isPublic: boolean
  /** Opens since the day asked. */
  readonly views: number
  readonly allViews: number
  readonly lastViewTime: string | null
  /** Most recent first. */
  readonly viewers: ReadonlyArray<ViewerItem>
}

export class Views extends Context.Service<Views, {
  /**
   * How often the caller's files were opened by others, the most opened first.
   * Without `fileIds` files in trash are left out, and those nobody opened.
   *
   * A viewer is named for days on which the file was shared with them and they
   * allowed it, while both is still so; everybody else is only counted.
   *
   * Fails with `Refused` (`token_limit`), `Unavailable` when the host's users can't be asked.
   */
  readonly select: (query: ViewsQuery) => Effect.Effect<
    { readonly since: string; readonly files: ReadonlyArray<FileViewsItem> },
    Refused | Unavailable,
    CurrentAccount
  >
}>()("@filedrive/core/views/Views") {
  static readonly layerNoDeps = Layer.effect(
    Views,
    Effect.gen(function*() {
      const repo = yield* ViewsRepo
      const accounts = yield* Accounts

      const select: Views["Service"]["select"] = Effect.fn("Views.select")(
        function*({ fileIds, folder, limit: most, since: asked }) {
          const { id: accountId, limits } = yield* allowed("read")
          const limit = most ?? fileIds?.length ?? Limits.viewsPage.byDefault
          const since = asked ??
            Time.dayOf(DateTime.subtract(yield* DateTime.now, { days: Limits.viewsPeriodDays }))
          const foldedPath = FolderPath.folded(folder)
          const scope = { accountId, limits, foldedPath }
          const files = fileIds === undefined
            ? yield* repo.mostOpened(scope, since, limit)
            : yield* repo.named(scope, onceEach(fileIds), since, limit)
          const seen = Map.groupBy(
            yield* repo.viewers(accountId, files.map(({ id }) => id), since),
            ({ fileId }) => fileId
          )
          const recent = (id: FileId) => (seen.get(id) ?? []).slice(0, Limits.viewersPerFileMaxCount)
          const users = new Set(files.flatMap(({ id }) => recent(id).map(({ userId }) => userId)))
          const names = new Map(
            yield* Effect.forEach(
              users,
              (userId) =>
                Effect.map(
                  accounts.find(userId),
                  (found) => [userId, Option.getOrUndefined(Option.filter(found, (user) => user.showsViews))] as const
                ),
              { concurrency: lookupsAtOnce }
            )
          )
          return {
            since,
            files: files.map((file) => ({
              ...file,
              lastViewTime: file.lastViewTime?.toISOString() ?? null,
              viewers: recent(file.id).flatMap(({ lastDay, userId, views }) => {
                const user = names.get(userId)
                return user === undefined
                  ? []
                  : [{ handle: user.handle, displayName: user.displayName, lastDay, views }]
              })
            }))
          }
        }
      )

      return Views.of({ select })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(ViewsRepo.layer))
}
