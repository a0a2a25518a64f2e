/**
 * What the page keeps of a reviewer: their name and the key to their notes as long as the browser does; the access of a password, and what
 * is not sent yet, until the tab is closed.
 */

export interface Reviewer {
  readonly name: string
  /** By which the drive knows them again on this review. */
  readonly token: string | null
}

/** Where an unsent note is: at a moment, in a span, on the whole file. */
export interface KeptDraft {
  readonly text: string
  readonly seconds: number | null
  readonly endSeconds: number | null
}

const isText = (value: unknown): value is string => typeof value === "string"
const isPosition = (value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= 0

export const parseReviewer = (text: string | null): Reviewer => {
  const { name, token } = Object(JSON.parse(text ?? "null"))
  return { name: isText(name) ? name : "", token: isText(token) ? token : null }
}

export const parseDraft = (text: string | null): KeptDraft | null => {
  const { endSeconds, seconds, text: written } = Object(JSON.parse(text ?? "null"))
  if (!isText(written)) return null
  const from = isPosition(seconds) ? seconds : null
  return { text: written, seconds: from, endSeconds: from !== null && isPosition(endSeconds) ? endSeconds : null }
}

/** Replies and other texts of notes that are not sent yet, by what they are of. */
export const parseTyped = (text: string | null): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(Object(JSON.parse(text ?? "null"))).filter((entry): entry is [string, string] => isText(entry[1]))
  )

const kept = <A>(storage: () => Storage, key: string, parse: (text: string | null) => A) => {
  /** What could not be kept, since storage is switched off or full: it lasts as long as the page. */
  let own: { readonly text: string | null } | undefined
  return {
    read: (): A => {
      try {
        return parse(own === undefined ? storage().getItem(key) : own.text)
      } catch {
        // Storage is switched off, or holds something else.
        return parse(null)
      }
    },
    write: (value: unknown): void => {
      const text = value === null ? null : JSON.stringify(value)
      own = undefined
      try {
        if (text === null) storage().removeItem(key)
        else storage().setItem(key, text)
      } catch {
        own = { text }
      }
    }
  }
}

export const keptOf = (reviewId: string) => {
  const key = `filedrive:review:${reviewId}`
  return {
    reviewer: kept(() => localStorage, key, parseReviewer),
    access: kept(() => sessionStorage, `${key}:access`, (text): string | null => {
      const value: unknown = JSON.parse(text ?? "null")
      return isText(value) ? value : null
    }),
    typed: kept(() => sessionStorage, `${key}:typed`, parseTyped),
    draft: kept(() => sessionStorage, `${key}:draft`, parseDraft)
  }
}

export type Kept = ReturnType<typeof keptOf>
