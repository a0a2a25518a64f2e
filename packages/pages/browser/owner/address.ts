/** Which view of an owner's page is open is kept in its address, so that back and forward, reloads and links lead to it. */
import { signal } from "@preact/signals"

export type View =
  | { readonly name: "list" }
  | { readonly name: "new" }
  | { readonly name: "one"; readonly id: string }

const list: View = { name: "list" }

const viewOf = (search: string): View => {
  const parameters = new URLSearchParams(search)
  const id = parameters.get("id")
  if (id !== null && id !== "") return { name: "one", id }
  return parameters.has("new") ? { name: "new" } : list
}

/** What is open. */
export const view = signal<View>(viewOf(location.search))

addEventListener("popstate", () => void (view.value = viewOf(location.search)))

/** The address of a view, for links: they can be opened in another tab. */
export const hrefOf = (to: View): string =>
  location.pathname + (to.name === "one" ? `?id=${encodeURIComponent(to.id)}` : to.name === "new" ? "?new" : "")

/** Opens a view. `instead`: in the place of the one that is open, which is not gone back to. */
export const go = (to: View, { instead = false } = {}): void => {
  const href = hrefOf(to)
  if (instead) history.replaceState(null, "", href)
  else if (href !== location.pathname + location.search) history.pushState(null, "", href)
  view.value = to
  scrollTo(0, 0)
}

/** For links within the page: what is asked of the browser beyond that (another tab, a download) it does itself. */
export const onLink = (to: View) => (event: MouseEvent): void => {
  if (
    event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey
  ) {
    return
  }
  event.preventDefault()
  go(to)
}
