import { common } from "../foundation/common.ts"
import { codeOf, sentenceOf } from "../foundation/failure.ts"
import { Button } from "./Button.tsx"
import { Notable } from "./Notable.tsx"

/** A view that could not be loaded. */
export const Failed = ({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => unknown }) => (
  <Notable
    icon={codeOf(error) === "rate_limited" ? "clock" : "unplugged"}
    title={common("common.failedTitle")}
    actions={<Button kind="primary" icon="retry" onClick={() => void onRetry()}>{common("common.retry")}</Button>}
  >
    <p>{sentenceOf(error)}</p>
  </Notable>
)
