import { Button } from "../components/Button.tsx"
import type { IconName } from "../components/Icon.tsx"
import { Notable } from "../components/Notable.tsx"
import { common } from "../foundation/common.ts"
import { dateTime, shown } from "../foundation/format.ts"
import { Gone } from "./Gone.tsx"
import type { OpenRequest } from "./OpenRequest.ts"
import type { Sender } from "./Sender.ts"
import { t } from "./texts.ts"
import { SentFiles } from "./Thanks.tsx"

export interface ClosedProps {
  readonly request: OpenRequest
  readonly sender: Sender
  readonly isBusy: boolean
  readonly onFinish: () => void
  /** Asks whether it takes files again. */
  readonly onAgain: () => void
}

const icons: Readonly<Record<"closed" | "expired" | "full", IconName>> = {
  closed: "lock",
  expired: "clock",
  full: "full"
}

/** The request takes no files. What was sent before can still be finished. */
export const Closed = ({ isBusy, onAgain, onFinish, request, sender }: ClosedProps) => {
  const { expireTime, title } = request
  // A newer drive may have more reasons.
  const because = (["expired", "full"] as const).find((one) => one === request.closedBecause) ?? "closed"
  const { sentFiles: count } = sender.sums.value
  const isUnfinished = sender.phase.value === "sending" && count > 0
  return (
    <>
      <Gone sender={sender} />
      <Notable
        icon={icons[because]}
        title={t(`request.${because}Title`)}
        actions={
          <>
            {isUnfinished
              ? <Button kind="primary" icon="check" busy={isBusy} onClick={onFinish}>{t("request.finish")}</Button>
              : null}
            <Button icon="retry" onClick={onAgain}>{common("common.retry")}</Button>
          </>
        }
      >
        <p class="closed-name" dir="auto">{shown(title)}</p>
        <p>{t(`request.${because}Text`, { time: expireTime === null ? "" : dateTime(expireTime) })}</p>
        {count === 0 ? null : <p>{t("request.sentBefore", { count })}</p>}
      </Notable>
      <SentFiles sender={sender} />
    </>
  )
}
