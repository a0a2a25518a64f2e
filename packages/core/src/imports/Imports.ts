/** Files imported from links, fetched by the drive. Contract: "Files", `/import-from-url`. */
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import { fits } from "../accounts/Balance.ts"
import { allowed, type CurrentAccount } from "../accounts/CurrentAccount.ts"
import * as Plan from "../accounts/Plan.ts"
import type { Description, FileName } from "../files/FileDetail.ts"
import type { FileRecord } from "../files/FileRecord.ts"
import { FileRecords } from "../files/FileRecords.ts"
import * as Job from "../jobs/Job.ts"
import { done } from "../jobs/Jobs.ts"
import * as Limits from "../limits/Limits.ts"
import { type Destination, Folders } from "../organize/Folders.ts"
import { Accounts } from "../ports/Accounts.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { RemoteFile } from "../ports/RemoteFile.ts"
import { InvalidField, type NotFound, type Refused, type Unavailable } from "../shared/DriveError.ts"
import { AccountId, ImportId, onceEach } from "../shared/Ids.ts"
import { type Import, type ImportUrl, isOverdue, overdue } from "./Import.ts"
import { ImportsLiveKeys } from "./ImportsLiveKeys.ts"
import { ImportsRepo } from "./ImportsRepo.ts"
import { makeSteps } from "./ImportSteps.ts"
import { makeTransfer } from "./ImportTransfer.ts"

/** The link to import and what to make of it. */
export interface ImportRequest {
  readonly url: ImportUrl
  /** Default: as its server, or the link, names it. */
  readonly fileName?: FileName | undefined
  readonly description?: Description | undefined
  /** Its folder; missing folders are made at once. Default: the top of the drive, or the folder the call is limited to. */
  readonly to?: Destination | undefined
}

/** The state of an import. */
export interface ImportItem {
  readonly id: ImportId
  readonly url: string
  readonly status: Import["state"]
  /** Why it failed, as a sentence and for programs; null unless it has. */
  readonly error: string | null
  readonly code: string | null
  readonly receivedBytes: number
  /** Null until it is known. */
  readonly totalBytes: number | null
  /** The file it became; null before, and when that was deleted or the call may not see it. */
  readonly file: FileRecord | null
}

/** Each holds two parts at most. One account has few of them: so slow servers of one account don't delay others' imports. */
export const importJob = Job.define("import.fetch", {
  description: "Imports a file from a link.",
  when: "when requested, and 5 s to 15 minutes after a temporary failure",
  key: Job.key({ accountId: AccountId, id: ImportId }),
  concurrency: 16,
  concurrencyOfAccount: 4
})

export const importForgetJob = Job.every("imports.forget", {
  description: "Forgets imports that ended 30 days ago.",
  interval: Duration.days(1)
})

export class Imports extends Context.Service<Imports, {
  /**
   * Begins an import from a link and returns at once; a job fetches the file. Each call is an import of its own.
   *
   * Fails with `InvalidField` naming `url` (not one that is fetched, a private address spelled out in it, too many
   * imports under way, or `storage_limit_reached` with no room left at all) or the folder; with `NotFound` for a folder
   * that is not the caller's; with `Refused`: `no_plan`, `token_limit`.
   */
  readonly start: (
    request: ImportRequest
  ) => Effect.Effect<
    { readonly id: ImportId; readonly status: "working" },
    InvalidField | NotFound | Refused | Unavailable,
    CurrentAccount
  >

  /**
   * The states of the caller's imports with these ids, each once, in the order asked; others are left out, as are those that go
   * to another folder than a limited call's. It takes the permission `add` or `read`.
   */
  readonly select: (
    ids: ReadonlyArray<ImportId>
  ) => Effect.Effect<ReadonlyArray<ImportItem>, InvalidField | Refused, CurrentAccount>

  /** The states of the caller's newest imports, newest first: `limit` of them, default 20. Like {@link select}. */
  readonly newest: (limit?: number) => Effect.Effect<ReadonlyArray<ImportItem>, InvalidField | Refused, CurrentAccount>

  /** Forgets imports that ended 30 days ago. A job does it daily. */
  readonly forget: Effect.Effect<void>
}>()("@filedrive/core/imports/Imports") {
  static readonly layerNoDeps = Layer.effect(
    Imports,
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const folders = yield* Folders
      const fetches = yield* importJob.queue
      const transaction = yield* AccountTransaction
      const random = yield* SecureRandom.SecureRandom
      const records = yield* FileRecords
      const remote = yield* RemoteFile
      const repo = yield* ImportsRepo
      const steps = yield* makeSteps
      const store = yield* ObjectStore
      const transfer = yield* makeTransfer(steps)

      const start = Effect.fn("Imports.start")(function*({ description, fileName, to, url }: ImportRequest) {
        const { id: accountId, limits } = yield* allowed("add")
        const account = yield* Plan.storing(accounts, accountId)
        yield* Effect.mapError(remote.check(url), ({ message }) => wrongUrl(message))
        yield* store.room(1)
        const id = ImportId.make(yield* random.uuidV7())
        return yield* transaction.share(accountId, (balance) =>
          Effect.gen(function*() {
            if (!fits(balance, account.quotaBytes, 1)) return yield* noRoom
            if ((yield* repo.countWorking(accountId)) >= Limits.importsAtOnce) return yield* tooMany
            const folder = to === undefined ? null : yield* folders.destination(to)
            yield* repo.insert({
              id,
              accountId,
              url,
              wantedName: fileName ?? null,
              description: description === undefined || description === "" ? null : description,
              folderId: to === undefined ? limits.folderId : folder?.id ?? null,
              insertTime: yield* DateTime.now
            })
            yield* fetches.enqueue({ accountId, id })
            return { id, status: "working" as const }
          }))
      })

      const select = Effect.fn("Imports.select")(function*(ids: ReadonlyArray<ImportId>) {
        const { id: accountId, limits } = yield* Effect.catch(allowed("add"), () => allowed("read"))
        const asked = onceEach(ids)
        const imports = new Map((yield* repo.select(accountId, limits, asked)).map((one) => [one.id, one]))
        const fileIds = [...imports.values()].flatMap(({ fileId }) => fileId ?? [])
        const files = fileIds.length === 0 ? [] : yield* repo.files(accountId, limits, fileIds)
        const byId = new Map((yield* records.of(files, () => "owner")).map((record) => [record.id, record]))
        return asked.flatMap((id): ReadonlyArray<ImportItem> => {
          const one = imports.get(id)
          if (one === undefined) return []
          const { code, error, fileId, receivedBytes, state, totalBytes, url } = one
          const file = fileId === null ? null : byId.get(fileId) ?? null
          return [{ id, url, status: state, error, code, receivedBytes, totalBytes, file }]
        })
      })

      const newest = Effect.fn("Imports.newest")(function*(limit: number = Limits.newestByDefault) {
        const { id: accountId, limits } = yield* Effect.catch(allowed("add"), () => allowed("read"))
        return yield* select(yield* repo.newest(accountId, limits, limit))
      })

      const bringIn = Effect.fnUntraced(function*(taken: Import) {
        const { quotaBytes } = yield* Plan.storing(accounts, taken.accountId)
        const { current, found, stored } = yield* transfer(taken, quotaBytes)
        yield* steps.record(current, found, stored)
        return done
      })

      /** One attempt; returns how its job ends. When storage is away, the job itself is run again. */
      const run = Effect.fn("Imports.run")(function*(accountId: AccountId, id: ImportId) {
        const taken = Option.getOrUndefined(yield* steps.take(accountId, id))
        if (taken === undefined) return done
        if (isOverdue(taken, yield* DateTime.now)) return yield* steps.failed(taken, overdue)
        return yield* bringIn(taken).pipe(Effect.catchTags({
          // Another run has it, or it has ended.
          Superseded: () => Effect.succeed(done),
          ImportFailed: ({ failure }) => steps.failed(taken, failure),
          RemoteFailed: ({ because, reason, retryable }) => steps.failed(taken, { code: reason, because, retryable }),
          Refused: ({ because, code }) => steps.failed(taken, { code, because, retryable: false })
        }))
      })

      yield* importJob.handle(({ accountId, id }) => run(accountId, id))

      const forget = Effect.gen(function*() {
        yield* repo.forgetEnded(DateTime.subtractDuration(yield* DateTime.now, Limits.importRecordLifetime))
      }).pipe(Effect.withSpan("Imports.forget"))
      yield* importForgetJob.handle(forget)

      return Imports.of({ start, select, newest, forget })
    })
  )

  static readonly layer = Layer.merge(this.layerNoDeps, ImportsLiveKeys).pipe(Layer.provide(ImportsRepo.layer))
}

const wrongUrl = (because: string) => new InvalidField({ code: "invalid_field", field: "url", because })

const noRoom = new InvalidField({
  code: "storage_limit_reached",
  field: "url",
  because: "the account has no room left"
})

const tooMany = wrongUrl(
  `${Limits.importsAtOnce} imports of this account are under way, and more may begin when one has ended`
)
