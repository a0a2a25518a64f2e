import { useSignal } from "@preact/signals"
import { Button } from "../components/Button.tsx"
import { dateTime, shown } from "../foundation/format.ts"
import { keepFocus } from "../foundation/keepFocus.ts"
import type { Connections, WaitingTask } from "./Connections.ts"
import { t } from "./texts.ts"
import { dayOf, near } from "./time.ts"

const Row = ({ connections, task }: { readonly connections: Connections; readonly task: WaitingTask }) => {
  const isBusy = useSignal(false)
  const { credential, sinceTime, taskId, untilTime } = task
  const text = shown(task.text)
  const stop = async () => {
    isBusy.value = true
    await connections.stop(taskId)
    isBusy.value = false
    keepFocus("#waiting")
  }
  return (
    <li class="item" data-waiting={taskId}>
      <p class="item-title" dir="auto">{text}</p>
      <div class="item-bottom">
        <p class="item-facts">
          <time dateTime={sinceTime} title={dateTime(sinceTime)}>
            {t("connections.since", { time: near(sinceTime) })}
          </time>
          <time dateTime={untilTime} title={dateTime(untilTime)}>
            {t("connections.until", { time: dayOf(untilTime) })}
          </time>
          {credential.id === connections.ownTokenId.value
            ? null
            : <span>{t("connections.by", { name: shown(credential.name) })}</span>}
        </p>
        <Button kind="quiet" busy={isBusy.value} label={t("connections.stopTask", { text })} onClick={stop}>
          {t("connections.stop")}
        </Button>
      </div>
    </li>
  )
}

/** Everything that waits for something to happen. */
export const Waiting = ({ connections }: { readonly connections: Connections }) => {
  const waiting = connections.waiting.value
  return (
    <section class="card part" aria-labelledby="waiting">
      <h2 id="waiting" tabIndex={-1}>{t("connections.waiting")}</h2>
      {waiting.length === 0 ? <p class="part-empty">{t("connections.noWaiting")}</p> : (
        <ul class="items">
          {waiting.map((task) => <Row key={task.waitId} task={task} connections={connections} />)}
        </ul>
      )}
    </section>
  )
}
