/**
 * What is kept of a delivery over a reload, in `localStorage`: its token, and which files it is of. The files themselves are in
 * {@link "./KeptFiles.ts"}, as far as the browser can keep them.
 */

export interface KeptItem {
  readonly key: string
  readonly name: string
  /** The folders that it was in when it was chosen, like `Trip/Day 1`; empty for none. */
  readonly folder: string
  readonly size: number
  readonly type: string
}

export interface Kept {
  /** Null until the first file is sent. */
  readonly dropToken: string | null
  readonly senderName: string
  readonly note: string
  /** The access token of a link with a password. */
  readonly access: string | null
  readonly items: ReadonlyArray<KeptItem>
}

export const nothing: Kept = { dropToken: null, senderName: "", note: "", access: null, items: [] }

const isText = (value: unknown): value is string => typeof value === "string"

const isItem = (value: unknown): value is KeptItem => {
  const { folder, key, name, size, type } = Object(value)
  return isText(key) && isText(name) && isText(folder) && isText(type) && Number.isSafeInteger(size)
}

/** Reads what was kept; whatever it is not is not taken from it. */
export const parsed = (text: string | null): Kept => {
  if (text === null) return nothing
  const { access, dropToken, items, note, senderName } = Object(JSON.parse(text))
  return {
    dropToken: isText(dropToken) ? dropToken : null,
    senderName: isText(senderName) ? senderName : "",
    note: isText(note) ? note : "",
    access: isText(access) ? access : null,
    items: Array.isArray(items) ? items.filter(isItem) : []
  }
}

export interface Keeping {
  readonly read: () => Kept
  /** Returns whether it is kept over a reload. */
  readonly write: (kept: Kept) => boolean
}

/** Of one request. `isAlone`: whether no other tab has it open; a second one keeps nothing. */
export const keepingOf = (requestId: string, isAlone: boolean): Keeping => {
  const key = `filedrive:request:${requestId}`
  let last = nothing
  return {
    read: () => {
      if (!isAlone) return last
      try {
        return last = parsed(localStorage.getItem(key))
      } catch {
        // Storage is switched off, or holds something else.
        return last
      }
    },
    write: (kept) => {
      last = kept
      if (!isAlone) return false
      try {
        localStorage.setItem(key, JSON.stringify(kept))
        return true
      } catch {
        // Storage is full or switched off: the delivery lasts as long as the page.
        return false
      }
    }
  }
}

/** How long a page that is being reloaded may take to let go of its delivery. */
const lockMillis = 1_500

/** Whether no other tab of this browser has the request open. It stays so until this page is left. */
export const isAlone = (requestId: string): Promise<boolean> => {
  const { locks } = navigator as { readonly locks?: LockManager }
  if (locks === undefined) return Promise.resolve(true)
  return new Promise((resolve) => {
    locks.request(`filedrive:request:${requestId}`, { signal: AbortSignal.timeout(lockMillis) }, () => {
      resolve(true)
      return new Promise(() => {})
    }).catch(() => resolve(false))
  })
}
