/** Who opens the caller's files. Spec: "Library", `/select-file-views`. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as Limits from "../limits/Limits.ts"
import { Accounts } from "../ports/Accounts.ts"
import { InvalidField, type Refused, type Unavailable } from "../shared/DriveError.ts"
import * as FolderPath from "../shared/FolderPath.ts"
import { type FileId, onceEach } from "../shared/Ids.ts"
import * as Time from "../shared/Time.ts"
import { ViewsRepo } from "./ViewsRepo.ts"

/** Users that the host is asked for at once. */
const lookupsAtOnce = 16

export interface ViewsQuery {
  /** These files, opened or not; else those opened most. */
  readonly fileIds?: ReadonlyArray<FileId> | undefined
  /** A day like `2026-09-28`, the first that counts. Default: 30 days ago. */
  readonly since?: string | undefined
  /** 1 to 100. Default: 25, and all of `fileIds`. */
  readonly limit?: number | undefined
  /** Only files in this folder or inside it; unknown, it holds none. */
  readonly folder?: string | undefined
}

/** Somebody the file is shared with, who lets owners see their views. */
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
   * Fails with `InvalidField` (`since`, `limit`, `folder`), `Refused` (`token_limit`),
   * `Unavailable` when the host's users can't be asked.
   */
  readonly select: (query: ViewsQuery) => Effect.Effect<
    { readonly since: string; readonly files: ReadonlyArray<FileViewsItem> },
    InvalidField | Refused | Unavailable,
    CurrentAccount
  >
}>()("@filedrive/core/views/Views") {
  static readonly layerNoDeps = Layer.effect(
    Views,
    Effect.gen(function*() {
      const repo = yield* ViewsRepo
      const accounts = yield* Accounts

      const select: Views["Service"]["select"] = Effect.fn("Views.select")(
        function*({ fileIds, folder, limit = fileIds?.length ?? Limits.viewsPage.byDefault, since: asked }) {
          const { id: accountId, limits } = yield* allowed("read")
          // Calls in code come here as they are.
          if (asked !== undefined && !Time.isDay(asked)) {
            return yield* wrong("since", "must be an ISO 8601 date like 2026-09-28")
          }
          if (!Number.isInteger(limit) || limit < 0 || limit > Limits.viewsPage.max) {
            return yield* wrong("limit", `must be at most ${Limits.viewsPage.max}`)
          }
          const since = asked ??
            Time.dayOf(DateTime.subtract(yield* DateTime.now, { days: Limits.viewsPeriodDays }))
          const foldedPath = yield* FolderPath.folded(folder, "folder")
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

const wrong = (field: string, because: string) => new InvalidField({ code: "invalid_field", field, because })
