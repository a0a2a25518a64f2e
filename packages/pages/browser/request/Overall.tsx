import { useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { Button } from "../components/Button.tsx"
import { Progress } from "../components/Progress.tsx"
import { common } from "../foundation/common.ts"
import { size, span, speed } from "../foundation/format.ts"
import type { Sender } from "./Sender.ts"
import { t } from "./texts.ts"

const tickMillis = 500

/** How fast all files together are sent: it changes also while nothing happens. */
const useSpeed = (sender: Sender) => {
  const bytesPerSecond = useSignal(0)
  useEffect(() => {
    const timer = setInterval(() => void (bytesPerSecond.value = sender.meter.bytesPerSecond), tickMillis)
    return () => clearInterval(timer)
  }, [])
  return bytesPerSecond.value
}

/** While files are sent: all of them together. */
export const Overall = ({ sender }: { readonly sender: Sender }) => {
  const bytesPerSecond = useSpeed(sender)
  const { sentBytes, sentFiles, totalBytes, totalFiles } = sender.sums.value
  const isRunning = sender.isRunning.value
  const isOffline = sender.items.value.some(({ state }) => state.value === "offline")
  const share = totalBytes === 0 ? sentFiles / Math.max(1, totalFiles) : sentBytes / totalBytes
  const seconds = bytesPerSecond > 0 ? (totalBytes - sentBytes) / bytesPerSecond : null
  const facts = [
    t("request.files", { done: sentFiles, count: totalFiles }),
    t("request.bytes", { sent: size(sentBytes), size: size(totalBytes) }),
    ...isRunning && bytesPerSecond > 0 ? [speed(bytesPerSecond)] : [],
    ...isRunning && seconds !== null ? [t("request.left", { time: span(seconds) })] : []
  ]
  return (
    <div class="overall">
      <div class="overall-top">
        <p class="overall-title">
          {isOffline ? t("request.state.offline") : isRunning ? t("request.sending") : t("request.paused")}
        </p>
        {isRunning
          ? <Button kind="quiet" icon="pause" onClick={sender.pauseAll}>{t("request.pauseAll")}</Button>
          : <Button kind="quiet" icon="play" onClick={sender.resumeAll}>{t("request.resumeAll")}</Button>}
      </div>
      <Progress
        label={t("request.progress")}
        share={share}
        kind={isRunning && !isOffline ? "running" : "paused"}
        text={facts.join(", ")}
      />
      {isOffline
        ? <p class="overall-offline">{navigator.onLine ? t("request.away") : common("common.offline")}</p>
        : null}
      <p class="overall-facts">{facts.map((fact) => <span key={fact}>{fact}</span>)}</p>
    </div>
  )
}
