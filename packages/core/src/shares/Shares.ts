/** Sharing files with people. Contract: "Files", sharing with people. */
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import { Catalog } from "../catalog/Catalog.ts"
import * as WritePurpose from "../database/WritePurpose.ts"
import type { FileRecord } from "../files/FileRecord.ts"
import { FileRecords } from "../files/FileRecords.ts"
import { Files } from "../files/Files.ts"
import * as Limits from "../limits/Limits.ts"
import { Accounts } from "../ports/Accounts.ts"
import { InvalidField, NotFound, type Refused, type Unavailable } from "../shared/DriveError.ts"
import { AccountId, type FileId, onceEach } from "../shared/Ids.ts"
import * as Share from "./Share.ts"
import { SharesRepo } from "./SharesRepo.ts"

/** Users that the host is asked for at once. */
const lookupsAtOnce = 16

const tooManyShares = new InvalidField({
  code: "invalid_field",
  field: "fileIds",
  because: `must have at most ${Limits.sharesPerCall} shares together; name fewer files`
})

export interface SharedFiles {
  /** Last shared first. */
  readonly files: ReadonlyArray<FileRecord>
  /** The cursor of the next page; null when nothing follows. */
  readonly nextCursor: string | null
}

/**
 * Only whole files of the caller's are shared, in trash or not; one in trash
 * stays shared and opens again once it is restored. Repeating is safe.
 */
export class Shares extends Context.Service<Shares, {
  /**
   * Lets users see files.
   *
   * Fails with `InvalidField` naming the first of `userIds[i]` or `handles[i]` that is not a user, a
   * suspended one or the caller, and shares nothing then, `NotFound` when none of the files is the caller's, `Refused`
   * (`token_limit`), `Unavailable` when the host's users can't be asked.
   */
  readonly share: (
    fileIds: ReadonlyArray<FileId>,
    userIds: ReadonlyArray<AccountId>,
    handles?: ReadonlyArray<string>
  ) => Effect.Effect<Share.SharingChange, InvalidField | NotFound | Refused | Unavailable, CurrentAccount>

  /**
   * Ends the sharing of files, at once: no new link is given out. A link they have already
   * works to its end.
   */
  readonly unshare: (
    fileIds: ReadonlyArray<FileId>,
    userIds: ReadonlyArray<AccountId>
  ) => Effect.Effect<Share.SharingChange, InvalidField | NotFound | Refused, CurrentAccount>

  /** Whom the caller's files are shared with; those of the ids that are not theirs are left out. */
  readonly select: (
    fileIds: ReadonlyArray<FileId>
  ) => Effect.Effect<
    ReadonlyArray<Share.FileShares>,
    InvalidField | NotFound | Refused | Unavailable,
    CurrentAccount
  >

  /**
   * Other people's files that are shared with the caller and not in trash. A
   * call limited to a folder gets none. `InvalidField` names `cursor`.
   */
  readonly sharedWithMe: (
    page: Share.SharedFilesPage
  ) => Effect.Effect<SharedFiles, InvalidField | Refused, CurrentAccount>
}>()("@filedrive/core/shares/Shares") {
  static readonly layerNoDeps = Layer.effect(
    Shares,
    Effect.gen(function*() {
      const repo = yield* SharesRepo
      const accounts = yield* Accounts
      const catalog = yield* Catalog
      const files = yield* Files
      const transaction = yield* AccountTransaction
      const records = yield* FileRecords

      /** Changes pairs under the owner's lock; the lists that hold the files follow. Where these are many, some files at a time. */
      const change = Effect.fnUntraced(function*(
        { id, limits }: CurrentAccount["Service"],
        fileIds: ReadonlyArray<FileId>,
        apply: (own: ReadonlyArray<FileId>, now: Date) => Effect.Effect<ReadonlyArray<FileId>>
      ) {
        const now = DateTime.toDateUtc(yield* DateTime.now)
        const changeSome = (some: ReadonlyArray<FileId>) =>
          transaction.run(id, () =>
            Effect.gen(function*() {
              const own = yield* files.own(id, limits, some)
              if (own.length === 0) return { own, changed: 0 }
              yield* repo.lock(id, own)
              const changed = yield* apply(own, now)
              yield* catalog.onVisibilityChanged(id, onceEach(changed))
              return { own, changed: changed.length }
            }))
        const batches = yield* Effect.forEach(yield* catalog.inBatches(onceEach(fileIds)), changeSome)
        const named = new Set(batches.flatMap(({ own }) => own))
        if (named.size === 0) return yield* new NotFound({ resource: "file", id: fileIds[0] ?? "" })
        return {
          files: [...named],
          skipped: onceEach(fileIds).filter((file) => !named.has(file)),
          changed: batches.reduce((sum, { changed }) => sum + changed, 0)
        }
      })

      /** Why files can't be shared with somebody, or undefined when they can. */
      const flawOf = (me: AccountId, userId: AccountId) =>
        userId === me
          ? Effect.succeed("is you; your own files need not be shared with you")
          : Effect.map(
            accounts.find(userId),
            (found) => Option.exists(found, ({ suspended }) => !suspended) ? undefined : "must be the id of a user"
          )

      /** Checks that files may be shared with everybody named; before anything is locked. */
      const checkUsers = Effect.fnUntraced(function*(me: AccountId, userIds: ReadonlyArray<AccountId>) {
        const flaws = yield* Effect.forEach(
          userIds,
          (userId) => flawOf(me, AccountId.make(userId.toLowerCase())),
          { concurrency: lookupsAtOnce }
        )
        const index = flaws.findIndex((flaw) => flaw !== undefined)
        if (index === -1) return
        return yield* new InvalidField({
          code: "invalid_field",
          field: `userIds[${index}]`,
          because: flaws[index]!
        })
      })

      /** The user of a handle, as people write it: with or without an @, and in small letters where there is none in those given. */
      const userOf = Effect.fnUntraced(function*(me: AccountId, handle: string, index: number) {
        const refuse = (because: string) =>
          new InvalidField({ code: "invalid_field", field: `handles[${index}]`, because })
        const { findByHandle } = accounts
        if (findByHandle === undefined) return yield* refuse("can't be looked up on this drive; send userIds")
        const named = handle.replace(/^@/, "")
        const exact = yield* findByHandle(named)
        const found = Option.isSome(exact) ? exact : yield* findByHandle(named.toLowerCase())
        if (Option.isNone(found) || found.value.suspended) {
          return yield* refuse(
            `must be the handle of a user; there is none named ${JSON.stringify(named)}`
          )
        }
        return found.value.id === me
          ? yield* refuse("is you; your own files need not be shared with you")
          : found.value.id
      })

      const share: Shares["Service"]["share"] = Effect.fn("Shares.share")(
        function*(fileIds, userIds, handles = []) {
          const account = yield* allowed("share")
          yield* checkUsers(account.id, userIds)
          const named = yield* Effect.forEach(handles, (handle, index) => userOf(account.id, handle, index))
          const all = onceEach([...userIds, ...named])
          return yield* change(account, fileIds, (own, now) => repo.insert(account.id, own, all, now))
        }
      )

      const unshare = Effect.fn("Shares.unshare")(
        function*(fileIds: ReadonlyArray<FileId>, userIds: ReadonlyArray<AccountId>) {
          const account = yield* allowed("share")
          return yield* change(account, fileIds, (own) => repo.remove(account.id, own, onceEach(userIds)))
        },
        WritePurpose.freeing
      )

      const select = Effect.fn("Shares.select")(function*(fileIds: ReadonlyArray<FileId>) {
        const { id, limits } = yield* allowed("read")
        const own = yield* files.own(id, limits, fileIds)
        if (own.length === 0) return yield* new NotFound({ resource: "file", id: fileIds[0] ?? "" })
        const shares = yield* repo.list(id, own, Limits.sharesPerCall + 1)
        if (shares.length > Limits.sharesPerCall) return yield* tooManyShares
        const names = new Map(
          yield* Effect.forEach(
            new Set(shares.map(({ userId }) => userId)),
            (userId) => Effect.map(accounts.find(userId), (found) => [userId, Option.getOrUndefined(found)] as const),
            { concurrency: lookupsAtOnce }
          )
        )
        const byFile = Map.groupBy(shares, ({ fileId }) => fileId)
        return own.map((file) => ({
          id: file,
          users: (byFile.get(file) ?? []).map(({ shareTime, userId }) => ({
            userId,
            handle: names.get(userId)?.handle ?? null,
            displayName: names.get(userId)?.displayName ?? null,
            insertTime: shareTime.toISOString()
          }))
        }))
      })

      const sharedWithMe: Shares["Service"]["sharedWithMe"] = Effect.fn("Shares.sharedWithMe")(
        function*({ cursor, limit = Limits.sharedFilesPage.byDefault }) {
          const { id, limits } = yield* allowed("read")
          const after = cursor === undefined ? null : Share.parseCursor(cursor)
          if (after === undefined) {
            return yield* new InvalidField({
              code: "invalid_field",
              field: "cursor",
              because: "must be a `nextCursor` as it was answered"
            })
          }
          if (limits.folderId !== null) return { files: [], nextCursor: null }
          const page = yield* repo.sharedWith(id, after, limit + 1)
          const shown = page.slice(0, limit)
          const last = page.length > limit ? shown.at(-1) : undefined
          return {
            files: yield* records.of(shown, () => "other"),
            nextCursor: last === undefined ? null : Share.formatCursor(last)
          }
        }
      )

      return Shares.of({ share, unshare, select, sharedWithMe })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(SharesRepo.layer))
}
