import { useSignal } from "@preact/signals"
import { Button } from "../components/Button.tsx"
import { Icon } from "../components/Icon.tsx"
import { Others } from "../components/Others.tsx"
import { dateTime, shown } from "../foundation/format.ts"
import { keepFocus } from "../foundation/keepFocus.ts"
import type { AgentTask, Connections } from "./Connections.ts"
import { Linked } from "./Linked.tsx"
import { isOpen, stateOf } from "./states.ts"
import { shortTitleOf, titleOf } from "./taskTitle.ts"
import { t } from "./texts.ts"
import { near } from "./time.ts"

/** Opens a file beside the page, which stays. */
const open = (url: string): void => {
  const link = document.createElement("a")
  link.href = url
  link.target = "_blank"
  link.rel = "noopener"
  link.click()
}

const Files = ({ connections, files }: {
  readonly connections: Connections
  readonly files: AgentTask["files"]
}) => (
  <ul class="files" aria-label={t("connections.files")}>
    {files.map(({ fileName, id }) => (
      <li key={id}>
        <button
          type="button"
          class="file"
          title={shown(fileName)}
          onClick={async () => {
            const url = await connections.linkOf(id)
            if (url !== undefined) open(url)
          }}
        >
          <Icon name="file" size={16} />
          <Others text={fileName} />
        </button>
      </li>
    ))}
  </ul>
)

export interface TaskRowProps {
  readonly task: AgentTask
  /** Whether its conversation is the reader's own. */
  readonly isOwn: boolean
  /** Whether its conversation went on. */
  readonly isAnswered: boolean
  readonly connections: Connections
  readonly onAnswer: () => void
}

export const TaskRow = ({ connections, isAnswered, isOwn, onAnswer, task }: TaskRowProps) => {
  const isBusy = useSignal(false)
  const now = stateOf(task)
  const state = now === "asks" && isAnswered ? "completed" : now
  const { credential, files, reply, statusTime } = task
  const stop = async () => {
    isBusy.value = true
    await connections.stop(task.id)
    isBusy.value = false
    keepFocus(`[data-task="${task.id}"] .button`)
  }
  return (
    <li class="item task" data-task={task.id}>
      <div class="task-top">
        <p class="item-title" dir="auto">{titleOf(task)}</p>
        <span class={`state state-${state}`}>{t(`connections.state.${state}`)}</span>
      </div>
      {reply === null || reply === "" ? null : (
        <p class="task-reply" dir="auto">
          <Linked text={reply} />
        </p>
      )}
      {files.length === 0 ? null : <Files connections={connections} files={files} />}
      <div class="item-bottom">
        <p class="item-facts">
          <time dateTime={statusTime} title={dateTime(statusTime)}>{near(statusTime)}</time>
          {isOwn ? null : <span>{t("connections.by", { name: shown(credential.name) })}</span>}
        </p>
        {isOpen(task)
          ? (
            <Button
              kind="quiet"
              busy={isBusy.value}
              label={t("connections.stopTask", { text: shortTitleOf(task) })}
              onClick={stop}
            >
              {t("connections.stop")}
            </Button>
          )
          : isOwn
          ? (
            <Button
              kind={state === "asks" ? "secondary" : "quiet"}
              label={t("connections.answerTo", { text: shortTitleOf(task) })}
              onClick={onAnswer}
            >
              {t("connections.answer")}
            </Button>
          )
          : null}
      </div>
    </li>
  )
}
