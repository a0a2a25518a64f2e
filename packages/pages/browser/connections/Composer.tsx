import { type Signal, useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import { Button, IconButton } from "../components/Button.tsx"
import { Field } from "../components/Field.tsx"
import { Others } from "../components/Others.tsx"
import { common } from "../foundation/common.ts"
import { sentenceOf } from "../foundation/failure.ts"
import { randomText } from "../foundation/randomText.ts"
import { restOf } from "../foundation/Typed.ts"
import type { AgentTask, Connections } from "./Connections.ts"
import { shortTitleOf } from "./taskTitle.ts"
import { t } from "./texts.ts"

const textMax = 10_000

export interface ComposerProps {
  readonly connections: Connections
  /** The task whose conversation goes on; null for a new one. */
  readonly answered: Signal<AgentTask | null>
}

export const Composer = ({ answered, connections }: ComposerProps) => {
  const text = useSignal("")
  const error = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)
  // The same until it has arrived: an answer that was lost on its way leads to no second task.
  const message = useRef({ id: randomText(), of: "" })
  const form = useRef<HTMLFormElement>(null)
  const task = answered.value

  useEffect(() => {
    if (task !== null) form.current?.querySelector("textarea")?.focus()
  }, [task])

  const submit = async (event: Event) => {
    event.preventDefault()
    const given = text.value.trim()
    if (isBusy.value) return
    if (given === "") return void (error.value = t("connections.askNeeded"))
    const of = `${task?.contextId ?? ""} ${given}`
    if (message.current.of !== of) message.current = { id: randomText(), of }
    isBusy.value = true
    try {
      await connections.give({
        messageId: message.current.id,
        text: given,
        ...task !== null && { contextId: task.contextId }
      })
      message.current = { id: randomText(), of: "" }
      // What was typed meanwhile is the next task.
      text.value = restOf(given, text.value.trimStart())
      answered.value = null
    } catch (failure) {
      error.value = sentenceOf(failure)
    }
    isBusy.value = false
  }

  return (
    <form class="composer" ref={form} onSubmit={submit} noValidate>
      {task === null ? null : (
        <div class="answering">
          <p>
            {t("connections.answering")} <Others text={shortTitleOf(task)} />
          </p>
          <IconButton icon="close" label={common("common.cancel")} onClick={() => void (answered.value = null)} />
        </div>
      )}
      <Field
        label={t("connections.ask")}
        hint={t("connections.askExample")}
        lines={3}
        maxLength={textMax}
        value={text.value}
        error={error.value}
        onInput={(value) => {
          text.value = value
          error.value = undefined
        }}
      />
      <Button kind="primary" type="submit" busy={isBusy.value}>{t("connections.give")}</Button>
    </form>
  )
}
