/** The link of the page: what is behind it, whether it asks for a password, and its notes as they come. */
import { DriveError } from "@filedrive/client"
import { signal } from "@preact/signals"
import { makeAgain } from "../foundation/again.ts"
import { say } from "../foundation/announce.ts"
import { client, impatientClient } from "../foundation/client.ts"
import { common } from "../foundation/common.ts"
import { codeOf, sentenceOf } from "../foundation/failure.ts"
import { shown } from "../foundation/format.ts"
import { rateOf } from "../foundation/FrameRate.ts"
import { makeDraft } from "./Draft.ts"
import { keptOf } from "./Kept.ts"
import { makeNoteBook } from "./NoteBook.ts"
import type { OpenedReview } from "./OpenedReview.ts"
import { makePlayer } from "./Player.ts"
import { makeReviewing } from "./Reviewing.ts"
import { makeShape } from "./shape.ts"
import { t } from "./texts.ts"
import { makeWaiting } from "./Waiting.ts"

export type View = "loading" | "password" | "notFound" | "failed" | "closed" | "expired" | "open"

/** A page of notes. */
const pageSize = 500

/** Links of storage are renewed so long before they lapse. */
const renewMillis = 5 * 60_000

/** A timer with a longer time fires at once. */
const timerMaxMillis = 2 ** 31 - 1

/** A link that failed is not asked for again sooner: the file itself may be what fails. */
const reopenMillis = 30_000

/** Of a longer absence not all deletions may be told: all notes are read anew. */
const absenceMillis = 60 * 60_000

/** So long after a refusal that is neither the end nor the network's the notes are followed again. */
const followAgainMillis = 30_000

/** After these the link leads nowhere, or asks for something. What else fails may pass. */
const isEnd = (error: unknown): boolean =>
  ["not_found", "invalid_field", "password_needed", "review_closed"].includes(codeOf(error))

const isSeen = (): boolean => document.visibilityState === "visible"

/** A closed and an expired review are refused alike, with different sentences. */
const isExpired = (error: unknown): boolean => error instanceof DriveError && error.message.includes("expired")

export const makeReviewLink = (reviewId: string) => {
  const view = signal<View>("loading")
  const review = signal<OpenedReview | null>(null)
  const failure = signal<unknown>(null)
  /** Whether what is to be played failed. */
  const isUnplayable = signal(false)
  /** Whether all notes are there, are still being read, or could not be. */
  const notes = signal<"reading" | "all" | "failed">("reading")
  const kept = keptOf(reviewId)
  const book = makeNoteBook()
  let access = kept.access.read()
  let following: AbortController | undefined
  let followedTo: string | null = null
  let followedAt = 0
  let reopenedAt = -reopenMillis
  let renewal: ReturnType<typeof setTimeout> | undefined
  let expiry: ReturnType<typeof setTimeout> | undefined
  let followAgain: ReturnType<typeof setTimeout> | undefined

  const reviewing = makeReviewing({ reviewId, book, kept, access: () => access })
  const player = signal<ReturnType<typeof makePlayer> | null>(null)
  const draft = signal<ReturnType<typeof makeDraft> | null>(null)

  const stop = (): void => {
    following?.abort()
    following = undefined
    for (const timer of [renewal, expiry, followAgain]) clearTimeout(timer)
    waiting.stop()
    anewAgain.stop()
    playAgain.stop()
  }

  const fail = (error: unknown): void => {
    const code = codeOf(error)
    stop()
    if (code !== "network") {
      // What is no longer shown to this reader is not kept either.
      book.clear()
      review.value = null
      followedTo = null
    }
    if (code === "not_found" || code === "invalid_field") view.value = "notFound"
    else if (code === "review_closed") view.value = isExpired(error) ? "expired" : "closed"
    else if (code === "password_needed") {
      access = null
      kept.access.write(null)
      view.value = "password"
    } else {
      failure.value = error
      view.value = "failed"
      loadAgain.soon()
    }
  }

  const open = (client: typeof impatientClient, password?: string): Promise<OpenedReview> => {
    const token = reviewing.token()
    return client.openFileReview(
      { reviewId, ...password !== undefined && { password }, ...token !== null && { reviewerToken: token } },
      { access: password === undefined ? access : null }
    )
  }

  /** By the reader's clock, which may be days away from the drive's: what is over by it, and came just now, is not. */
  const later = (iso: string | null, earlierMillis: number, leastMillis: number, run: () => void) => {
    const left = iso === null ? Infinity : Date.parse(iso) - Date.now() - earlierMillis
    return left > 0 && left < timerMaxMillis ? setTimeout(run, Math.max(leastMillis, left)) : undefined
  }

  /** Waits for what is still being made, if somebody looks. A shape that could not be read is waited for as if there were none. */
  const look = (opened: OpenedReview): void => {
    if (isSeen()) waiting.look(shape.isLost() ? { ...opened, peaksUrl: null } : opened)
  }
  const shape = makeShape(() => {
    const opened = review.peek()
    if (opened !== null && view.peek() === "open") look(opened)
  })

  /** What is to be played and shown; the same link stays, so that playing goes on. */
  const takeMedia = (opened: OpenedReview, isRenewal: boolean): void => {
    const before = review.peek()
    const isAsBefore = opened.stream !== null && before?.stream?.mimeType === opened.stream.mimeType
    const stream = isAsBefore && !isRenewal && !isUnplayable.peek() ? before.stream : opened.stream
    if (stream?.url !== before?.stream?.url) isUnplayable.value = false
    review.value = { ...opened, stream }
    document.title = shown(opened.file.fileName)
    clearTimeout(renewal)
    clearTimeout(expiry)
    renewal = later(stream?.expireTime ?? null, renewMillis, renewMillis, () => void refresh(true))
    expiry = later(opened.expireTime, -1_000, 1_000, () => void refresh())
    if (shape.peaks.peek() === null && opened.peaksUrl !== null) void shape.read(opened.peaksUrl)
    const { duration, frameRate, type } = opened.file
    const isVideo = type === "Video"
    const rate = isVideo ? rateOf(frameRate) : null
    const played = player.peek() ?? makePlayer({ duration, isVideo, rate, onFailed: streamFailed })
    played.isVideo.value = isVideo
    played.rate.value = rate
    if (player.peek() === null) {
      player.value = played
      draft.value = makeDraft(kept, played)
    }
    if (stream !== null) played.load(stream.url)
    look(opened)
  }

  /** The notes behind the first page. */
  const readOn = async (first: OpenedReview, take: ReturnType<typeof book.reading>): Promise<void> => {
    take(first.notes)
    let cursor = first.nextCursor
    notes.value = cursor === null ? "all" : "reading"
    try {
      while (cursor !== null && view.peek() === "open") {
        const token = reviewing.token()
        const takePage = book.reading()
        const page: Pick<OpenedReview, "notes" | "nextCursor"> = await client.selectReviewNotes(
          { reviewId, cursor, limit: pageSize, ...token !== null && { reviewerToken: token } },
          { access }
        )
        takePage(page.notes)
        cursor = page.nextCursor
      }
      notes.value = "all"
    } catch (error) {
      notes.value = "failed"
      if (isEnd(error)) fail(error)
    }
  }

  const follow = async (): Promise<void> => {
    following?.abort()
    clearTimeout(followAgain)
    // A browser has six connections to a host. Who comes back follows.
    if (!isSeen()) return
    const { signal } = following = new AbortController()
    try {
      for await (const news of client.followFileReview({ reviewId, after: followedTo }, { access, signal })) {
        followedTo = news.cursor
        followedAt = Date.now()
        if (news.kind === "deleted") book.remove(news.noteId)
        // Of another kind a newer drive tells.
        else if (news.kind === "note") {
          if (!book.has(news.note.id) && !book.isOwn(news.note.id)) {
            say(t("review.noteCame", { name: shown(news.note.reviewer.name) }))
          }
          book.set(news.note)
        }
      }
    } catch (error) {
      if (signal.aborted) return
      // A position that the drive does not know, say after it was restored: all is read anew.
      if (codeOf(error) === "invalid_field") return void anew()
      if (isEnd(error)) return fail(error)
      followAgain = setTimeout(() => void follow(), followAgainMillis)
      // A fault of the page's own is to be seen.
      if (!(error instanceof DriveError)) throw error
    }
  }

  /** Shows what was opened, with all its notes, and follows what comes. */
  const show = async (opened: OpenedReview, take: ReturnType<typeof book.reading>): Promise<void> => {
    followedTo = opened.followAfter
    followedAt = Date.now()
    takeMedia(opened, true)
    view.value = "open"
    void follow()
    await readOn(opened, take)
  }

  const begin = async (): Promise<void> => {
    loadAgain.stop()
    try {
      book.clear()
      const take = book.reading()
      await show(await open(impatientClient), take)
    } catch (error) {
      fail(error)
    }
  }

  /** All that is shown, once more. It stays until the drive has answered. */
  const anew = async (): Promise<void> => {
    anewAgain.stop()
    try {
      const opened = await open(impatientClient)
      book.clear()
      await show(opened, book.reading())
    } catch (error) {
      if (isEnd(error)) return fail(error)
      notes.value = "failed"
      anewAgain.soon()
    }
  }

  const loadAgain = makeAgain(begin)
  const anewAgain = makeAgain(anew)

  /** Asks what has become of the review. `isRenewal`: and for other links. Answers whether there was an answer. */
  const refresh = async (isRenewal = false): Promise<boolean> => {
    try {
      const opened = await open(client)
      if (view.peek() === "open") takeMedia(opened, isRenewal)
      else await show(opened, book.reading())
      return true
    } catch (error) {
      // What may pass is no reason to take the page away from whoever writes on it.
      const before = review.peek()
      if (isEnd(error) || before === null) fail(error)
      else look(before)
      return isEnd(error)
    }
  }

  /** A link may have lapsed, or the network be away: it is tried once with another link. */
  const streamFailed = (): void => {
    if (!navigator.onLine) {
      addEventListener("online", () => player.peek()?.reload(), { once: true })
      return
    }
    if (Date.now() - reopenedAt < reopenMillis) return giveUp()
    reopenedAt = Date.now()
    const before = review.peek()?.stream?.url
    void refresh(true).then((isAnswered) => {
      if (!isAnswered) {
        giveUp()
        playAgain.soon()
      } else if (review.peek()?.stream?.url === before) player.peek()?.reload()
    })
  }

  const giveUp = (): void => {
    player.peek()?.pause()
    isUnplayable.value = true
  }

  const play = async (): Promise<void> => {
    playAgain.stop()
    reopenedAt = Date.now()
    if (!await refresh(true)) return playAgain.soon()
    isUnplayable.value = false
    player.peek()?.reload()
  }

  /** While the drive does not answer. A file that can't be played is not tried by itself. */
  const playAgain = makeAgain(play)
  const waiting = makeWaiting(async () => void await refresh())

  return {
    view,
    review,
    peaks: shape.peaks,
    failure,
    isUnplayable,
    notes,
    book,
    reviewing,
    player,
    draft,

    /** All notes anew, when some could not be read. */
    readNotes: (): Promise<void> => {
      notes.value = "reading"
      return anew()
    },

    load: async (): Promise<void> => {
      view.value = "loading"
      await begin()
    },

    /** What was refused may be the end of the link, and the page says so. */
    fail,

    playAgain: play,

    /** While nobody looks nothing is followed: a connection of the browser's and the drive's is free. */
    leave: (): void => {
      clearTimeout(followAgain)
      following?.abort()
      waiting.stop()
    },
    comeBack: (): void => {
      const now = view.peek()
      if (now === "closed" || now === "expired") void refresh()
      if (now !== "open") return
      if (Date.now() - followedAt > absenceMillis) void anew()
      else {
        void follow()
        const opened = review.peek()
        if (opened !== null) look(opened)
      }
    },

    /** Opens the link with a password; says what is wrong with it. */
    unlock: async (password: string): Promise<string | undefined> => {
      try {
        const take = book.reading()
        const opened = await open(impatientClient, password)
        access = opened.accessToken ?? null
        kept.access.write(access)
        void show(opened, take).catch(fail)
        return undefined
      } catch (error) {
        if (codeOf(error) === "review_closed") {
          fail(error)
          return undefined
        }
        // A link that is gone and a wrong password are answered alike.
        return codeOf(error) === "not_found" ? common("common.passwordWrong") : sentenceOf(error)
      }
    }
  }
}

export type ReviewLink = ReturnType<typeof makeReviewLink>
