import { useSignal } from "@preact/signals"
import { Button } from "../components/Button.tsx"
import { Composer } from "./Composer.tsx"
import type { AgentTask, Connections } from "./Connections.ts"
import { TaskRow } from "./TaskRow.tsx"
import { t } from "./texts.ts"

/** A box to give the agent a task, and what it was asked of late. */
export const Agent = ({ connections }: { readonly connections: Connections }) => {
  const answered = useSignal<AgentTask | null>(null)
  const tasks = connections.tasks.value
  const own = connections.ownTokenId.value
  return (
    <section class="card part" aria-labelledby="agent">
      <h2 id="agent">{t("connections.agent")}</h2>
      <p class="part-hint">{t("connections.agentHint")}</p>
      <Composer connections={connections} answered={answered} />
      <h3>{t("connections.tasks")}</h3>
      {tasks.length === 0 ? <p class="part-empty">{t("connections.noTasks")}</p> : (
        <ul class="items">
          {tasks.map((task, at) => (
            <TaskRow
              key={task.id}
              task={task}
              isOwn={task.credential.id === own}
              isAnswered={tasks.slice(0, at).some(({ contextId, credential }) =>
                contextId === task.contextId && credential.id === task.credential.id
              )}
              connections={connections}
              onAnswer={() => {
                answered.value = task
              }}
            />
          ))}
        </ul>
      )}
      {connections.hasMore.value
        ? <Button kind="quiet" onClick={connections.showMore}>{t("connections.more")}</Button>
        : null}
    </section>
  )
}
