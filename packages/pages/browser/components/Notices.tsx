import { dismiss, notices, spoken } from "../foundation/announce.ts"
import { common } from "../foundation/common.ts"
import { Icon } from "./Icon.tsx"
import "./notices.css"

const icons = { done: "check", info: "info", error: "warning" } as const

/** Regions that screen readers follow; they are there from the beginning, or what comes first is not read. */
export const Notices = () => (
  <>
    <div class="visually-hidden" role="status">{spoken}</div>
    <div class="notices" role="status" aria-live="polite">
      {notices.value.map(({ id, kind, text }) => (
        <div class={`notice notice-${kind}`} key={id}>
          <Icon name={icons[kind]} />
          <span>{text}</span>
          <button type="button" class="icon-button" aria-label={common("common.close")} onClick={() => dismiss(id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  </>
)
