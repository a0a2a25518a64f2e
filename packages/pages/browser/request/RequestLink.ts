/** The link of the page: what is behind it, whether it asks for a password, and the delivery that is sent by it. */
import { signal } from "@preact/signals"
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

export const makeRequestLink = (requestId: string) => {
  const view = signal<View>("loading")
  const request = signal<OpenRequest | null>(null)
  const sender = signal<Sender | null>(null)
  const failure = signal<unknown>(null)
  let kept: Promise<{ readonly keeping: Keeping; readonly files: KeptFiles }> | undefined
  let access: string | null = null
  let expiry: ReturnType<typeof setTimeout> | undefined

  const keep = () =>
    kept ??= isAlone(requestId).then((alone) => {
      if (!alone) notify(t("request.otherTab"))
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
      ...await keep(),
      onEnded: () => void refresh(true),
      onSent: ({ name }) => {
        // Of many files nobody wants to hear each.
        if (made.items.peek().length <= spokenMax) say(t("request.fileSent", { name: shown(name) }))
      }
    })
    made.access = access
    await made.restore()
    sender.value = made
    view.value = "open"
  }

  /** Asks what has become of the request; `anew`: and of the delivery. */
  const refresh = async (anew = false): Promise<void> => {
    try {
      take(await openRequest(requestId, { access }))
      if (anew) await begin()
    } catch (error) {
      const code = codeOf(error)
      // A delivery goes on without the password.
      const goesOn = code === "password_needed" && !anew && sender.peek()?.phase.peek() === "sending"
      if (code !== "network" && !goesOn) fail(error)
    }
  }

  const load = async (): Promise<void> => {
    view.value = "loading"
    try {
      access = (await keep()).keeping.read().access
      take(await openRequest(requestId, { access }))
      await begin()
    } catch (error) {
      fail(error)
    }
  }

  return {
    view,
    request,
    sender,
    failure,
    load,
    refresh: () => refresh(),

    /** Opens the link with a password; says what is wrong with it. */
    unlock: async (password: string): Promise<string | undefined> => {
      try {
        const opened = await openRequest(requestId, { access: null, password })
        access = opened.accessToken ?? null
        take(opened)
        if (sender.peek() === null) await begin()
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
