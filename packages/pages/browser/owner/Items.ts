/** What an owner has of a kind (requests, reviews): a page of the list, and the one that is open. It stays as the drive has it. */
import { computed, effect, signal, untracked } from "@preact/signals"
import { codeOf } from "../foundation/failure.ts"
import { view } from "./address.ts"
import { type Coalesced, coalesced } from "./coalesced.ts"

export interface Page<Item> {
  readonly items: ReadonlyArray<Item>
  /** Null at the end. */
  readonly nextCursor: string | null
}

export interface ItemsSource<Item> {
  readonly page: (cursor: string | null) => Promise<Page<Item>>
  /** Null for one that is not there, or not this person's. */
  readonly one: (id: string) => Promise<Item | null>
}

/** One that is open: as it was last seen, while it is loaded, or that it is not there. */
export type Opened<Item> =
  | { readonly state: "loading" | "missing"; readonly id: string }
  /** `isWhole`: with all that is listed of one alone; else as it is in the list of all. */
  | { readonly state: "there"; readonly id: string; readonly item: Item; readonly isWhole: boolean }

export interface ItemsOptions<Item> {
  readonly source: ItemsSource<Item>
  /** What is shown was loaded again: each as it was, and as it is. */
  readonly onRenewed?: (renewed: ReadonlyArray<readonly [before: Item, after: Item]>) => void
}

/** What failed is tried again after so long. */
const againMillis = 15_000

export const makeItems = <Item extends { readonly id: string }>({ onRenewed, source }: ItemsOptions<Item>) => {
  const page = signal<Page<Item> | null>(null)
  const opened = signal<Opened<Item> | null>(null)
  /** Why what is shown may be older than what the drive has; null while it is not. */
  const failure = signal<unknown>(null)
  /** Where the pages begin that lead to the one that is shown. Of these pages themselves nothing is kept. */
  const cursors = signal<ReadonlyArray<string | null>>([null])
  const isTurning = signal(false)
  /** Those of the page that is shown. */
  let shownCursors: ReadonlyArray<string | null> | undefined

  const tried = async (load: () => Promise<void>): Promise<void> => {
    try {
      await load()
      failure.value = null
    } catch (error) {
      failure.value = error
      // By itself, too: a drive that was away for a moment is not asked by hand.
      setTimeout(() => {
        if (failure.peek() === error && document.visibilityState === "visible") void reload()
      }, againMillis)
    }
  }

  const loadPage = async (): Promise<void> => {
    const wanted = cursors.peek()
    const found = await source.page(wanted.at(-1)!)
    if (cursors.peek() !== wanted) return
    // What it had was deleted: the page before it is the last one now.
    if (found.items.length === 0 && wanted.length > 1) {
      cursors.value = wanted.slice(0, -1)
      return loadPage()
    }
    const known = new Map((shownCursors === wanted ? page.peek()?.items : undefined)?.map((item) => [item.id, item]))
    shownCursors = wanted
    page.value = found
    onRenewed?.(found.items.flatMap((item) => known.has(item.id) ? [[known.get(item.id)!, item] as const] : []))
  }

  const loadOne = async (id: string): Promise<void> => {
    const isOpen = () => opened.peek()?.id === id
    try {
      const item = await source.one(id)
      if (!isOpen()) return
      const before = opened.peek()!
      opened.value = item === null ? { state: "missing", id } : { state: "there", id, item, isWhole: true }
      if (item !== null && before.state === "there" && before.isWhole) {
        onRenewed?.([[before.item, item]])
      }
    } catch (error) {
      // An id that is none.
      if (codeOf(error) !== "invalid_field") throw error
      if (isOpen()) opened.value = { state: "missing", id }
    }
  }

  /** Loads what is shown again. Calls that come while it does are one. */
  const reload: Coalesced = coalesced(() =>
    tried(async () => {
      const { value } = view
      if (value.name === "one") await loadOne(value.id)
      else if (value.name === "list") await loadPage()
    })
  )

  const turn = async (to: ReadonlyArray<string | null>): Promise<void> => {
    const before = cursors.peek()
    cursors.value = to
    isTurning.value = true
    await tried(loadPage)
    isTurning.value = false
    if (failure.peek() !== null && cursors.peek() === to) cursors.value = before
  }

  /** What is opened is shown at once as the list has it, and loaded. */
  const begun = (id: string): Opened<Item> => {
    const item = page.peek()?.items.find((one) => one.id === id)
    return item === undefined ? { state: "loading", id } : { state: "there", id, item, isWhole: false }
  }
  effect(() => {
    const { value } = view
    untracked(() => {
      opened.value = value.name === "one" ? begun(value.id) : null
      failure.value = null
      void reload()
    })
  })

  return {
    page,
    opened,
    failure,
    isTurning,
    hasNewer: computed(() => cursors.value.length > 1),
    reload,
    older: () => turn([...cursors.peek(), page.peek()!.nextCursor]),
    newer: () => turn(cursors.peek().slice(0, -1)),
    /** From the newest on: where one was made. */
    toNewest: () => {
      cursors.value = [null]
      page.value = null
    },
    /** Shows one as an answer of the drive has it. */
    change: (id: string, change: (item: Item) => Item): void => {
      const before = opened.peek()
      if (before?.state === "there" && before.id === id) opened.value = { ...before, item: change(before.item) }
    }
  }
}

export type Items<Item extends { readonly id: string }> = ReturnType<typeof makeItems<Item>>
