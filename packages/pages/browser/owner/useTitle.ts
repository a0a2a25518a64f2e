import { useEffect, useRef } from "preact/hooks"
import { settings } from "../foundation/settings.ts"

const suffix = settings.hostName === null ? "" : ` · ${settings.hostName}`

let isFirst = true

/** Titles the page by a view, whose heading gets the focus when it takes another view's place: so it is read, and the keyboard begins there. */
export const useTitle = (title: string, key: string) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => void (document.title = title + suffix), [title])
  useEffect(() => {
    if (!isFirst) heading.current?.focus()
    isFirst = false
  }, [key])
  return heading
}
