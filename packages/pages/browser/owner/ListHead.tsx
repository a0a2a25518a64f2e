import type { ComponentChildren } from "preact"
import { Icon, type IconName } from "../components/Icon.tsx"
import { hrefOf, onLink } from "./address.ts"
import { useTitle } from "./useTitle.ts"

const made = { name: "new" } as const

const Create = ({ text }: { readonly text: string }) => (
  <a class="button button-primary" href={hrefOf(made)} onClick={onLink(made)}>
    <Icon name="plus" />
    {text}
  </a>
)

/** The top of a list: its title, and what makes one more; null where that stands elsewhere. */
export const ListHead = ({ create, title }: { readonly title: string; readonly create: string | null }) => {
  const heading = useTitle(title, "list")
  return (
    <div class="list-head">
      <h1 ref={heading} tabIndex={-1}>{title}</h1>
      {create === null ? null : <Create text={create} />}
    </div>
  )
}

export interface EmptyProps {
  readonly icon: IconName
  readonly title: string
  readonly create: string
  readonly children: ComponentChildren
}

/** There is none yet: what they are for, and the way to the first. */
export const Empty = ({ children, create, icon, title }: EmptyProps) => (
  <section class="card empty">
    <span class="empty-mark">
      <Icon name={icon} size={30} />
    </span>
    <h2>{title}</h2>
    <p>{children}</p>
    <Create text={create} />
  </section>
)
