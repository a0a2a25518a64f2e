import type { ComponentChildren } from "preact"
import { Failed as FailedView } from "../components/Failed.tsx"
import { Notable } from "../components/Notable.tsx"
import { common } from "../foundation/common.ts"
import { hrefOf, onLink } from "./address.ts"

export const Loading = () => (
  <div class="wait" role="status" aria-label={common("common.loading")}>
    <div class="wait-mark" />
  </div>
)

/** Nothing could be loaded. */
export const Failed = ({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => unknown }) => (
  <div class="card">
    <FailedView error={error} onRetry={onRetry} />
  </div>
)

const list = { name: "list" } as const

/** What is at this address was deleted, or is somebody else's. */
export const Missing = (
  { back, children, title }: {
    readonly title: string
    readonly back: string
    readonly children: ComponentChildren
  }
) => (
  <div class="card">
    <Notable
      icon="search"
      title={title}
      actions={<a class="button button-secondary" href={hrefOf(list)} onClick={onLink(list)}>{back}</a>}
    >
      <p>{children}</p>
    </Notable>
  </div>
)
