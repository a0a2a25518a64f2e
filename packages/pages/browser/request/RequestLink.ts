/** The link of the page: what is behind it, whether it asks for a password, and the delivery that is sent by it. */
import { signal } from "@preact/signals"
import { makeAgain } from "../foundation/again.ts"
import { notify, say } from "../foundation/announce.ts"
import { common } from "../foundation/common.ts"
import { codeOf, sentenceOf } from "../foundation/failure.ts"
import { shown } from "../foundation/format.ts"
import { isAlone, type Keeping, keepingOf } from "./Kept.ts"
import { type KeptFiles, makeKeptFiles, noKeptFiles } from "./KeptFiles.ts"
import { type OpenRequest, openRequest } from "./OpenRequest.ts"
import { makeSender, type Sender } from "./Sender.ts"
import { t } from "./texts.ts"

export type View = "loading" | "password" | "notFound" | "failed" | "open"

/** Most files of which each is told. */
const spokenMax = 10

/** A timer with a longer time fires at once. */
const timerMaxMillis = 2 ** 31 - 1

/** A delivery is not begun anew sooner. */
const anewMillis = 10_000

/** After these the link leads nowhere, or asks for its password. What else fails may pass. */
const isEnd = (error: unknown): boolean => ["not_found", "invalid_field", "password_needed"].includes(codeOf(error))

export const makeRequestLink = (requestId: string) => {
  const view = signal<View>("loading")
  const request = signal<OpenRequest | null>(null)
  const sender = signal<Sender | null>(null)
  const failure = signal<unknown>(null)
  let kept: Promise<{ readonly keeping: Keeping; readonly files: KeptFiles }> | undefined
  let access: string | null = null
  let expiry: ReturnType<typeof setTimeout> | undefined
  let begunAnew = -anewMillis
  /** The delivery has ended, and what has become of it is not known yet. */
  let isStale = false

  const keep = () =>
    kept ??= isAlone(requestId).then((alone) => {
      if (!alone) notify(t("request.otherTab"), "info")
      return { keeping: keepingOf(requestId, alone), files: alone ? makeKeptFiles(requestId) : noKeptFiles }
    })

  const fail = (error: unknown): void => {
    const code = codeOf(error)
    if (code === "not_found" || code === "invalid_field") view.value = "notFound"
    else if (code === "password_needed") {
      access = null
      view.value = "password"
    } else {
      failure.value = error
      view.value = "failed"
      loadAgain.soon()
    }
  }

  /** When its time comes, the page says so by itself. */
  const watchExpiry = ({ expireTime }: OpenRequest): void => {
    clearTimeout(expiry)
    if (expireTime === null) return
    const left = Date.parse(expireTime) - Date.now()
    if (left > 0 && left < timerMaxMillis) expiry = setTimeout(() => void refresh(), left + 1_000)
  }

  const take = (opened: OpenRequest): void => {
    request.value = opened
    document.title = shown(opened.title)
    watchExpiry(opened)
  }

  const begin = async (): Promise<void> => {
    const made = makeSender({
      requestId,
      access,
      ...await keep(),
      held: new Map(
        sender.peek()?.items.peek().flatMap(({ file, key }) => file === null ? [] : [[key, file] as const])
      ),
      onEnded: () => void refresh(true),
      onSent: ({ name }) => {
        // Of many files nobody wants to hear each.
        if (made.items.peek().length <= spokenMax) say(t("request.fileSent", { name: shown(name) }))
      }
    })
    await made.restore()
    isStale = false
    sender.value = made
    view.value = "open"
  }

  /** Asks what has become of the request; `anew`: and of the delivery, which stands still until that is known. */
  const refresh = async (anew = false): Promise<void> => {
    isStale ||= anew
    // What is refused again although the request is open would be begun without end.
    if (anew && performance.now() - begunAnew < anewMillis) return beginAgain.soon()
    try {
      take(await openRequest(requestId, { access }))
      if (!anew) return
      begunAnew = performance.now()
      await begin()
    } catch (error) {
      // What may pass is no reason to take the page away from whoever writes or sends on it.
      if (!isEnd(error)) return anew ? beginAgain.soon() : undefined
      // A delivery goes on without the password.
      const goesOn = codeOf(error) === "password_needed" && !anew && sender.peek()?.phase.peek() === "sending"
      if (!goesOn) fail(error)
    }
  }

  const load = async (): Promise<void> => {
    loadAgain.stop()
    try {
      access = (await keep()).keeping.read().access
      take(await openRequest(requestId, { access }))
      await begin()
    } catch (error) {
      fail(error)
    }
  }

  const loadAgain = makeAgain(load)
  const beginAgain = makeAgain(() => refresh(true))

  return {
    view,
    request,
    sender,
    failure,

    load: (): Promise<void> => {
      view.value = "loading"
      return load()
    },

    refresh: () => refresh(),

    /** A delivery could not be begun. */
    refused: async (): Promise<void> => {
      await refresh()
      if (view.peek() === "open" && request.peek()?.takesFiles === true) notify(t("request.closedTitle"), "error")
    },

    /** Opens the link with a password; says what is wrong with it. */
    unlock: async (password: string): Promise<string | undefined> => {
      try {
        const opened = await openRequest(requestId, { access: null, password })
        access = opened.accessToken ?? null
        take(opened)
        if (sender.peek() === null || isStale) await begin()
        else {
          sender.peek()!.access = access
          view.value = "open"
        }
        return undefined
      } catch (error) {
        // A link that is gone and a wrong password are answered alike.
        return codeOf(error) === "not_found" ? common("common.passwordWrong") : sentenceOf(error)
      }
    }
  }
}

export type RequestLink = ReturnType<typeof makeRequestLink>
