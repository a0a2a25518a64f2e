import { Button } from "../components/Button.tsx"
import { ownerText } from "./texts.ts"

export interface PagerProps {
  readonly hasNewer: boolean
  readonly hasOlder: boolean
  readonly isBusy: boolean
  readonly onNewer: () => void
  readonly onOlder: () => void
}

/** Leads through a list of any length, a page at a time. */
export const Pager = ({ hasNewer, hasOlder, isBusy, onNewer, onOlder }: PagerProps) =>
  hasNewer || hasOlder
    ? (
      <nav class="pager" aria-label={ownerText("owner.pages")}>
        <Button icon="back" disabled={!hasNewer} busy={isBusy && hasNewer} onClick={onNewer}>
          {ownerText("owner.newer")}
        </Button>
        <Button icon="next" disabled={!hasOlder} busy={isBusy && hasOlder} onClick={onOlder}>
          {ownerText("owner.older")}
        </Button>
      </nav>
    )
    : null
