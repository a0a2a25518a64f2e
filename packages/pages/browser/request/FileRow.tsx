import { IconButton } from "../components/Button.tsx"
import { FileName } from "../components/FileName.tsx"
import { Icon, type IconName } from "../components/Icon.tsx"
import { Path } from "../components/Path.tsx"
import { Progress } from "../components/Progress.tsx"
import { shown, size, span, speed } from "../foundation/format.ts"
import type { Item } from "./Item.ts"
import { t } from "./texts.ts"

export interface FileActions {
  readonly pause: (item: Item) => void
  readonly resume: (item: Item) => void
  readonly remove: (item: Item) => void
}

const iconOf = (type: string): IconName => {
  const [kind] = type.split("/")
  return kind === "image" || kind === "video" ? kind : kind === "audio" ? "sound" : "file"
}

/** Each part stays in one line. */
const Parts = (
  { isError = false, parts }: { readonly parts: ReadonlyArray<string | null>; readonly isError?: boolean }
) => (
  <p class={isError ? "row-status row-error" : "row-status"}>
    {parts.filter((part) => part !== null).map((part) => <span key={part}>{`${part} `}</span>)}
  </p>
)

const Status = ({ item }: { readonly item: Item }) => {
  const state = item.state.value
  const all = size(item.size)
  const sent = t("request.bytes", { sent: size(item.sentBytes.value), size: all })
  if (state === "failed") return <Parts isError parts={[t(item.error.value ?? "request.failed.unknown"), all]} />
  if (state === "sending") {
    const left = item.secondsLeft.value
    const fast = item.bytesPerSecond.value
    const hasSpeed = fast > 0 && left !== null && left > 0
    return <Parts parts={[sent, ...hasSpeed ? [speed(fast), t("request.left", { time: span(left) })] : []]} />
  }
  return <Parts parts={[t(`request.state.${state}`), state !== "sent" && item.sentBytes.value > 0 ? sent : all]} />
}

/** A file of the list. Without actions it only tells what was sent. */
export const FileRow = ({ actions, item }: { readonly item: Item; readonly actions: FileActions | null }) => {
  const state = item.state.value
  const name = shown(item.name)
  const isPart = item.size > 0 && item.sentBytes.value > 0 && state !== "sent"
  return (
    <li class={`row row-${state}`}>
      <span class="row-icon">
        <Icon name={state === "sent" ? "check" : iconOf(item.type)} />
      </span>
      <div class="row-main">
        <p class="row-name" title={name}>
          {item.folder === "" ? null : (
            <span class="row-folder">
              <Path path={item.folder} />/
            </span>
          )}
          <FileName name={item.name} />
        </p>
        <Status item={item} />
        {state === "sending" || isPart
          ? (
            <Progress
              label={t("request.progressOf", { name })}
              share={item.size === 0 ? 1 : item.sentBytes.value / item.size}
              kind={state === "failed" ? "failed" : state === "sending" ? "running" : "paused"}
            />
          )
          : null}
      </div>
      {actions === null || state === "removing" ? null : (
        <div class="row-actions">
          {state === "sending" || state === "waiting" || state === "offline"
            ? (
              <IconButton
                icon="pause"
                label={t("request.pauseFile", { name })}
                onClick={() => actions.pause(item)}
              />
            )
            : state === "paused"
            ? <IconButton icon="play" label={t("request.resumeFile", { name })} onClick={() => actions.resume(item)} />
            : state === "failed" && item.file !== null
            ? <IconButton icon="retry" label={t("request.retryFile", { name })} onClick={() => actions.resume(item)} />
            : null}
          <IconButton
            icon={state === "sent" ? "undo" : "close"}
            label={state === "sent" ? t("request.takeBackFile", { name }) : t("request.removeFile", { name })}
            onClick={() => actions.remove(item)}
          />
        </div>
      )}
    </li>
  )
}
