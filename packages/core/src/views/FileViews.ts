/**
 * Counts who opens files: every open by anyone but the owner, once. Spec:
 * "Library", `/select-file-views`; "Events", kind `view`.
 *
 * Little is kept of who that was. A viewer is a hash salted by the day, which
 * nobody can retrace or tie to another day once the salt is swept; users are kept
 * by name only where the file was shared with them and they allow it.
 */
import { Context, DateTime, Duration, Effect, Layer, Option } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { Base64Url } from "effect/encoding"
import { AccountTransaction } from "../accounts/AccountTransaction.ts"
import * as DatabaseFault from "../database/DatabaseFault.ts"
import { InHostTransaction } from "../database/HostTransaction.ts"
import type { EventViewer } from "../events/DriveEvent.ts"
import { Events } from "../events/Events.ts"
import type { StoredFile } from "../files/StoredFile.ts"
import * as Job from "../jobs/Job.ts"
import { Accounts } from "../ports/Accounts.ts"
import type { AccountId } from "../shared/Ids.ts"
import * as Time from "../shared/Time.ts"
import { FileViewsRepo } from "./FileViewsRepo.ts"

/** Who opens a file: a user, or somebody of whom only the address and user agent are known. */
export type FileViewer =
  | { readonly _tag: "User"; readonly id: AccountId }
  | { readonly _tag: "Stranger"; readonly address: string; readonly userAgent: string }

export const viewSweepJob = Job.every("views.sweep", {
  description: "Deletes the hashes of unnamed viewers of past days.",
  interval: Duration.hours(6)
})

/** Whether a download link counts as an open of its file. Not where links are made ahead, for whoever may want one later. */
export const LinksAreOpens = Context.Reference<boolean>("@filedrive/core/views/LinksAreOpens", {
  defaultValue: () => true
})

/** A file as its owner opens it. */
export type OwnFile = Pick<StoredFile, "id" | "accountId" | "objectKey">

const encoder = new TextEncoder()

const lineOf = (viewer: FileViewer): string =>
  viewer._tag === "User" ? `user ${viewer.id}` : `stranger ${viewer.address}\n${viewer.userAgent}`

export class FileViews extends Context.Service<FileViews, {
  /**
   * Counts an open of a file by somebody who is not its owner, and appends to the
   * owner's feed the viewer's first open of the day (UTC), also under races. Whether
   * the viewer is named is decided then, for the whole day.
   *
   * Only a day's first open waits for the owner's lock. While the database's disk is full no opens are counted: the file is
   * opened all the same.
   */
  readonly opened: (
    file: Pick<StoredFile, "id" | "accountId" | "folderId" | "type" | "fileName">,
    viewer: FileViewer
  ) => Effect.Effect<void>

  /**
   * Tells features that a file was opened by its owner, which is no view of it. While the database's disk is full nobody is told: the
   * file is opened all the same.
   */
  readonly openedByOwner: (file: OwnFile) => Effect.Effect<void>

  /** From now on {@link openedByOwner} runs this as well. */
  readonly onOpenedByOwner: (run: (file: OwnFile) => Effect.Effect<void>) => Effect.Effect<void>

  /** Deletes the data that distinguished the viewers of past days. A job does it every few hours. */
  readonly sweep: Effect.Effect<void>
}>()("@filedrive/core/views/FileViews") {
  static readonly layerNoDeps = Layer.effect(
    FileViews,
    Effect.gen(function*() {
      const repo = yield* FileViewsRepo
      const accounts = yield* Accounts
      const digest = yield* Digest.Digest
      const events = yield* Events
      const transaction = yield* AccountTransaction
      const random = yield* SecureRandom.SecureRandom

      /** The salt of this day, which never changes. What a host's transaction has written may be rolled back. */
      let today: { readonly day: string; readonly salt: Uint8Array } | null = null
      const saltOf = Effect.fnUntraced(function*(day: string) {
        if (today?.day === day) return today.salt
        const salt = yield* repo.salt(day, random.randomBytes(32))
        if (!(yield* InHostTransaction)) today = { day, salt }
        return salt
      })

      const hash = Effect.fnUntraced(function*(viewer: FileViewer, day: string) {
        const salt = yield* saltOf(day)
        const line = encoder.encode(lineOf(viewer))
        const salted = new Uint8Array(salt.length + line.length)
        salted.set(salt)
        salted.set(line, salt.length)
        return Base64Url.encode((yield* digest.digest(Digest.sha256, salted)).subarray(0, 16))
      })

      /** The name of a user who lets owners see their views; none when the host can't be asked. */
      const nameOf = (id: AccountId) =>
        accounts.find(id).pipe(
          Effect.catch((error) => Effect.as(Effect.logWarning("A viewer can't be looked up.", error), Option.none())),
          Effect.map((found): EventViewer | null =>
            Option.match(found, {
              onNone: () => null,
              onSome: ({ displayName, handle, showsViews }) => showsViews ? { handle, displayName } : null
            })
          )
        )

      const opened: FileViews["Service"]["opened"] = Effect.fn("FileViews.opened")(function*(file, viewer) {
        const now = yield* DateTime.now
        const day = Time.dayOf(now)
        const open = {
          fileId: file.id,
          accountId: file.accountId,
          day,
          time: DateTime.toDateUtc(now),
          viewer: yield* hash(viewer, day)
        }
        if (yield* repo.countAgain(open)) return
        // The host is asked before anything is locked.
        const name = viewer._tag === "User" && (yield* repo.isShared(file.id, viewer.id))
          ? yield* nameOf(viewer.id)
          : null
        yield* transaction.share(file.accountId, () =>
          Effect.gen(function*() {
            const named = name !== null && viewer._tag === "User" && (yield* repo.isShared(file.id, viewer.id))
            const views = yield* repo.count({ ...open, userId: named ? viewer.id : null })
            if (views !== 1) return
            const { accountId, fileName, folderId, id, type } = file
            yield* events.append(accountId, [
              {
                kind: "view",
                folderId,
                fileId: id,
                payload: { viewer: named ? name : null, file: { id, type, fileName } }
              }
            ])
          }))
      }, DatabaseFault.unlessReadOnly(undefined))

      const listeners: Array<(file: OwnFile) => Effect.Effect<void>> = []

      const openedByOwner = Effect.fn("FileViews.openedByOwner")(
        (file: OwnFile) => Effect.forEach(listeners, (run) => run(file), { discard: true }),
        DatabaseFault.unlessReadOnly(undefined)
      )

      const sweep = Effect.gen(function*() {
        // Yesterday's stay: in another process it may not be midnight yet.
        yield* repo.sweep(Time.dayOf(DateTime.subtract(yield* DateTime.now, { days: 1 })))
      }).pipe(Effect.withSpan("FileViews.sweep"))
      yield* viewSweepJob.handle(sweep)

      return FileViews.of({
        opened,
        openedByOwner,
        onOpenedByOwner: (run) => Effect.sync(() => void listeners.push(run)),
        sweep
      })
    })
  )

  static readonly layer = this.layerNoDeps.pipe(Layer.provide(FileViewsRepo.layer))
}
