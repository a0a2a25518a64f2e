/** The drive, as somebody uses it who is signed in at the host. The session is in the memory of the page alone. */
import { type Client, createClient, DriveError } from "@filedrive/client"
import { signal } from "@preact/signals"
import { answered } from "./answered.ts"
import { isLeavingAsked, stopAsking } from "./askBeforeLeaving.ts"
import { root, settings } from "./settings.ts"

export interface SignedIn {
  readonly userId: string
  /** Null for a user without a name. */
  readonly name: string | null
}

interface Answer extends SignedIn {
  readonly sessionToken: string
}

/** Who is signed in; null until that is known. */
export const signedIn = signal<SignedIn | null>(null)

/**
 * Why nobody is: they have signed out and the server does not lead to where they sign in, or it must not yet, since something would be lost;
 * or their account can't be used.
 */
export const refused = signal<"ended" | "typed" | "account" | null>(null)

const reloadedKey = "filedrive:reloaded"

/** Longer than a reload takes. */
const reloadMillis = 15_000

/** Never resolves: the page is about to be another one. */
const left = new Promise<never>(() => {})

/** Whether it was loaded for the same reason just now. Also where nothing can be kept: then nobody knows. */
const isRepeated = (): boolean => {
  try {
    const last = Number(sessionStorage.getItem(reloadedKey) ?? 0)
    if (Math.abs(Date.now() - last) < reloadMillis) return true
    sessionStorage.setItem(reloadedKey, String(Date.now()))
    return false
  } catch {
    return true
  }
}

const forgetReload = (): void => {
  try {
    sessionStorage.removeItem(reloadedKey)
  } catch {
    // Storage is switched off: nothing was kept.
  }
}

/** Whether somebody has typed on the page. */
const hasTyped = (): boolean =>
  [...root.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    "textarea, input:not([type=checkbox], [type=radio])"
  )]
    .some(({ readOnly, value }) => !readOnly && value.trim() !== "")

/** The server leads on from a page whose reader has signed out. Where it does not, the page must not be loaded again and again. */
const reload = (): Promise<never> => {
  if (hasTyped() || isLeavingAsked()) {
    refused.value = "typed"
    throw new DriveError({ code: "not_signed_in", error: "You are signed out.", retryable: false }, 401)
  }
  if (isRepeated()) refused.value = "ended"
  else location.reload()
  return left
}

const failed = async (response: Response): Promise<DriveError> => {
  const { status } = response
  const body = await response.json().catch(() => ({})) as { readonly code?: string; readonly error?: string }
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN)
  return new DriveError(
    {
      code: body.code ?? "unexpected_answer",
      error: body.error ?? `The server answered ${status}.`,
      retryable: status === 429 || status >= 500
    },
    status,
    Number.isNaN(seconds) ? undefined : seconds
  )
}

const asked = (): Promise<Response> => answered(`${settings.auth}/page-session`, { method: "POST" })

/** Whether the host knows the reader. What can't be told, say after too many attempts, is told by the next page. */
export const isStillSignedIn = async (): Promise<boolean> => (await asked()).ok

const ask = async (): Promise<string> => {
  const response = await asked()
  if (response.status === 401) return reload()
  if (!response.ok) {
    const failure = await failed(response)
    if (failure.code === "not_allowed") refused.value = "account"
    throw failure
  }
  const { name, sessionToken, userId } = await response.json() as Answer
  // What is on the page is another person's.
  if (signedIn.peek() !== null && signedIn.peek()!.userId !== userId) {
    stopAsking()
    location.reload()
    return left
  }
  forgetReload()
  signedIn.value = { userId, name }
  refused.value = null
  return sessionToken
}

let asking: Promise<string> | undefined

/** One question, however many wait for it. */
const session = (): Promise<string> =>
  asking ??= ask().finally(() => {
    asking = undefined
  })

const url = new URL(settings.api, location.href).href

let client: Client | undefined

/** The drive of the person who is signed in. */
export const sessionClient = (): Client => client ??= createClient({ url, session, fetch: answered, retries: 2 })

const check = (): void => {
  if (signedIn.peek() !== null) session().catch(() => undefined)
}

const others = new BroadcastChannel(`filedrive:session:${settings.mount}`)
others.addEventListener("message", check)

/** Has other tabs of this browser ask who is signed in now. */
export const tellOthers = (): void => others.postMessage(null)

// Who comes back to the page may have signed out in another tab, or as somebody else.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") check()
})
