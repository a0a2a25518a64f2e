import { useEffect, useRef } from "preact/hooks"

/** The title of a form that takes the place of what it changes. */
export const EditHead = ({ title }: { readonly title: string }) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return <h1 ref={heading} tabIndex={-1}>{title}</h1>
}
