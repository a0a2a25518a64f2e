/**
 * The media tools for requests: shared fairly between accounts, run once for equal requests, and not again for
 * files that took long or can't be opened. An account has at most half the places, so that the next account finds one; where a few
 * accounts have them all, work that takes longer than a turn is preempted. Extraction in the background has places of its
 * own ({@link "./Extraction.ts"}).
 */
import { Clock, Context, Duration, Effect, Exit, Layer } from "effect"
import { CurrentAccount } from "../accounts/CurrentAccount.ts"
import type { StoredFile } from "../files/StoredFile.ts"
import {
  type Frame,
  MediaTools,
  type Pages,
  type PastEnd,
  type Picture,
  type PictureBounds
} from "../ports/MediaTools.ts"
import { ObjectStore } from "../ports/ObjectStore.ts"
import { type Unavailable, Unreadable } from "../shared/DriveError.ts"
import * as FairPlaces from "../shared/FairPlaces.ts"
import { LruCache } from "../shared/LruCache.ts"
import * as FilePlaces from "./FilePlaces.ts"
import * as SharedRuns from "./SharedRuns.ts"
import * as Source from "./Source.ts"

/** How many files one process opens at once for requests. One account has half as many as are in their turn. */
export const ReadingPlaces = Context.Reference<FairPlaces.Places>("@filedrive/core/media/ReadingPlaces", {
  defaultValue: () => ({ inTurn: 2, aside: 2 })
})

/**
 * How long others wait for a file. Most photos and pages are done in this time where there is an extra place, and what takes
 * longer continues there. Without one, all that takes longer is preempted, so the time is longer.
 */
const turnOf = ({ aside }: FairPlaces.Places) => Duration.seconds(aside > 0 ? 1 : 5)

/** Calls that wait for a place: of one account, and of all. */
const [waitingOfGroup, waitingMax] = [20, 256]
/** A call that has waited for so long is told to retry. */
const waitMax = Duration.seconds(30)

/** A result that took at least so long is remembered. */
const slow = Duration.seconds(1)
/** How long a result is remembered: a decoder that failed may be replaced, a busy machine may become idle. */
const memoryLifetime = Duration.hours(1)
const memoryMaxBytes = 32 * 1024 ** 2
/** Bytes of an entry besides its key and answer. */
const entryBytes = 300

type Answer = Picture | Frame | PastEnd | Pages
type Failure = Unreadable | Unavailable
type Asked<A> = Effect.Effect<A, Failure, CurrentAccount>

/** An answer that is kept. */
interface LastingAnswer {
  readonly exit: Exit.Exit<Answer, Unreadable>
  readonly millis: number
}

/** The part of a file that an answer depends on: its bytes, and what tools are told of them. */
type Identity = Pick<StoredFile, "etag" | "fileName" | "mimeType" | "storeKey">

/** The key that an answer is remembered by. */
interface Keys {
  /** The object's bytes, the operation, and its options. */
  readonly key: string
  /** The calls that fail alike: an image that can't be opened can't be opened in another size. */
  readonly ofFailure: string
}

/** Each as of {@link MediaTools}, of a stored file. Too many calls of one account are `Unavailable`, which says when to retry. */
export class FairTools extends Context.Service<FairTools, {
  readonly still: (file: StoredFile, options: PictureBounds) => Asked<Picture>
  readonly frame: (
    file: StoredFile,
    options: PictureBounds & { readonly atSeconds: number | null }
  ) => Asked<Frame | PastEnd>
  readonly pages: (
    file: StoredFile,
    options: { readonly from: number; readonly to: number; readonly maxBytes: number }
  ) => Asked<Pages>
  /**
   * Remembers that an image could not be opened, as another part of this process found out: a request for it within the hour
   * is answered at once. Not of a tool that is missing.
   */
  readonly noteUnreadable: (image: Identity, error: Unreadable) => Effect.Effect<void>
}>()("@filedrive/core/media/FairTools") {
  static readonly layer = Layer.effect(
    FairTools,
    Effect.gen(function*() {
      const store = yield* ObjectStore
      const tools = yield* MediaTools
      const places = yield* ReadingPlaces
      const queue = yield* FairPlaces.make(
        {
          places: places.inTurn,
          asideMax: places.aside,
          // Not half of all: one account's long work then leaves a place free, and no other account waits for it.
          ofGroup: Math.max(Math.floor(places.inTurn / 2), 1),
          waitingOfGroup,
          waitingMax,
          preempts: true
        },
        { turn: turnOf(places), waitMax },
        FilePlaces.causes
      )
      const asked = yield* SharedRuns.make<Answer, Failure>()
      const underWay = yield* SharedRuns.make<Answer, Failure>()
      const memory = new LruCache<string, LastingAnswer>(memoryMaxBytes)

      const recall = (key: string) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          const known = memory.get(key)
          if (known === undefined || now < known.millis + Duration.toMillis(memoryLifetime)) return known?.exit
          memory.delete(key)
          return undefined
        })

      const recallAny = ({ key, ofFailure }: Keys) =>
        Effect.flatMap(
          recall(key),
          (known) => known === undefined && ofFailure !== key ? recall(ofFailure) : Effect.succeed(known)
        )

      const remember = (keys: Keys, exit: Exit.Exit<Answer, Failure>, isSlow: boolean, millis: number) => {
        const lasting = lastingOf(exit, isSlow)
        if (lasting === null) return
        const key = Exit.isSuccess(lasting) ? keys.key : keys.ofFailure
        memory.set(key, { exit: lasting, millis }, bytesOf(lasting) + 2 * key.length + entryBytes)
      }

      /** Runs the work, and remembers its result if it took long or can't succeed. */
      const remembering = Effect.fnUntraced(function*(keys: Keys, work: Effect.Effect<Answer, Failure>) {
        const begun = yield* Clock.currentTimeMillis
        const exit = yield* Effect.exit(work)
        const millis = yield* Clock.currentTimeMillis
        remember(keys, exit, millis - begun >= Duration.toMillis(slow), millis)
        return yield* exit
      })

      const answer = Effect.fnUntraced(function*<A extends Answer>(
        question: "still" | "frame" | "pages",
        file: StoredFile,
        options: object,
        work: Effect.Effect<A, Failure>
      ) {
        const { id } = yield* CurrentAccount
        const keys = keysOf(question, file, options)
        const { key } = keys
        const remembered = yield* recallAny(keys)
        if (remembered !== undefined) return (yield* remembered) as A
        // Equal calls of an account wait as one; when its turn has come it joins a call that is running, whose result may be remembered by now.
        const inTurn = Effect.flatMap(
          recallAny(keys),
          (known): Effect.Effect<Answer, Failure> => known ?? underWay.run(key, remembering(keys, work))
        )
        return (yield* asked.run(`${id} ${key}`, queue.run(id, inTurn))) as A
      })

      return FairTools.of({
        still: (file, options) => answer("still", file, options, tools.still(Source.of(store, file), options)),
        frame: (file, options) => answer("frame", file, options, tools.frame(Source.of(store, file), options)),
        pages: (file, options) => answer("pages", file, options, tools.pages(Source.of(store, file), options)),
        noteUnreadable: (image, error) =>
          Effect.map(
            Clock.currentTimeMillis,
            (now) => remember(keysOf("still", image, {}), Exit.fail(error), false, now)
          )
      })
    })
  )
}

const keysOf = (
  question: "still" | "frame" | "pages",
  { etag, fileName, mimeType, storeKey }: Identity,
  options: object
): Keys => {
  const object = [question, storeKey, etag, mimeType, fileName]
  const key = JSON.stringify([...object, options])
  return { key, ofFailure: question === "still" ? JSON.stringify(object) : key }
}

/** Whether a failure lasts: not when storage or a process was away, nor when a tool was missing, which can be installed. */
const lastingOf = (exit: Exit.Exit<Answer, Failure>, isSlow: boolean): LastingAnswer["exit"] | null => {
  if (Exit.isSuccess(exit)) return isSlow ? Exit.succeed(exit.value) : null
  const [reason] = exit.cause.reasons
  return exit.cause.reasons.length === 1 && reason?._tag === "Fail" && reason.error instanceof Unreadable
      && reason.error.missingTool === undefined
    ? Exit.fail(reason.error)
    : null
}

const bytesOf = (exit: LastingAnswer["exit"]): number => {
  if (!Exit.isSuccess(exit)) return 0
  return "jpeg" in exit.value ? exit.value.jpeg.byteLength : "text" in exit.value ? 2 * exit.value.text.length : 0
}
