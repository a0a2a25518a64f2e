import { signal } from "@preact/signals"
import { Button } from "../components/Button.tsx"
import { Icon } from "../components/Icon.tsx"
import { common } from "../foundation/common.ts"
import { sentenceOf } from "../foundation/failure.ts"
import { ownerText } from "./texts.ts"

const isOffline = signal(!navigator.onLine)
for (const type of ["online", "offline"] as const) {
  addEventListener(type, () => void (isOffline.value = !navigator.onLine))
}

/** Says above what is shown that it may be out of date, and why. The region is there from the beginning, so that it is read out. */
export const Connection = (
  { failure, onRetry }: { readonly failure: unknown; readonly onRetry: () => void }
) => (
  <div role="status">
    {isOffline.value
      ? (
        <div class="connection">
          <Icon name="unplugged" />
          <p>{common("common.offline")}</p>
        </div>
      )
      : failure === null
      ? null
      : (
        <div class="connection connection-bad">
          <Icon name="warning" />
          <p>{ownerText("owner.stale")} {sentenceOf(failure)}</p>
          <Button icon="retry" onClick={onRetry}>{common("common.retry")}</Button>
        </div>
      )}
  </div>
)
