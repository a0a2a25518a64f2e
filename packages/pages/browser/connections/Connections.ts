/** What the page shows of the drive, and what can be done there. */
import type { AnswerOf } from "@filedrive/client"
import { computed, signal } from "@preact/signals"
import { notify, say } from "../foundation/announce.ts"
import { codeOf, sentenceOf } from "../foundation/failure.ts"
import { shown } from "../foundation/format.ts"
import { sessionClient } from "../foundation/session.ts"
import { settings } from "../foundation/settings.ts"
import { startPolling } from "./Polling.ts"
import { changedOf, isOpen, stateOf } from "./states.ts"
import { titleOf } from "./taskTitle.ts"
import { t } from "./texts.ts"

export type Token = AnswerOf<"selectApiTokens">[number]
export type WaitingTask = AnswerOf<"selectWaitingTasks">[number]
export type AgentTask = AnswerOf<"selectAgentTasks">["tasks"][number]
export type Permission = NonNullable<Token["permissions"]>[number]
export type NewToken = Parameters<ReturnType<typeof sessionClient>["createApiToken"]>[0]

/** The drive's own name of what the owner asks the agent without a program. */
const ownerClientId = "filedrive:owner"

const pageOfTasks = 10
const tasksMax = 100
const busyMillis = 1_500
const quietMillis = 10_000

export const makeConnections = () => {
  const client = sessionClient()
  const view = signal<"loading" | "failed" | "open">("loading")
  const failure = signal<unknown>(null)
  /** When the last answer came; null while the newest is shown. */
  const staleSince = signal<number | null>(null)
  const all = signal<ReadonlyArray<Token>>([])
  const folders = signal<ReadonlyMap<string, string>>(new Map())
  const waiting = signal<ReadonlyArray<WaitingTask>>([])
  const tasks = signal<ReadonlyArray<AgentTask>>([])
  const hasMore = signal(false)
  let tasksShown = pageOfTasks
  let answeredAt = Date.now()
  let tokensReadAt = 0

  const tokens = computed(() => all.value.filter(({ clientId }) => clientId === null))
  const apps = computed(() => all.value.filter(({ clientId }) => clientId !== null && clientId !== ownerClientId))
  const ownTokenId = computed(() => all.value.find(({ clientId }) => clientId === ownerClientId)?.id ?? null)

  /** What was given here, until the page has seen it. */
  const given = new Set<string>()

  const tellOf = (task: AgentTask) =>
    say(
      `${t("connections.ended", { text: titleOf(task), state: t(`connections.state.${stateOf(task)}`) })} ${
        isOpen(task) ? "" : shown(task.reply ?? "")
      }`
    )

  const readFolders = async () => {
    const found = await client.selectCollections()
    folders.value = new Map(found.folders.map(({ id, path }) => [id, path]))
  }

  const readTasks = async () => {
    if (!settings.hasAgent) return
    const [waits, page] = await Promise.all([
      client.selectWaitingTasks(),
      client.selectAgentTasks({ limit: tasksShown })
    ])
    for (const task of changedOf(tasks.peek(), page.tasks, given)) tellOf(task)
    for (const { id } of page.tasks) given.delete(id)
    waiting.value = waits
    tasks.value = page.tasks
    hasMore.value = page.nextCursor !== null && tasksShown < tasksMax
  }

  /** There may be thousands: they are not read as often as a task is that is at work. */
  const readTokens = async (isRepeated: boolean): Promise<ReadonlyArray<Token>> => {
    if (isRepeated && Date.now() - tokensReadAt < quietMillis) return all.peek()
    const found = await client.selectApiTokens()
    tokensReadAt = Date.now()
    return found
  }

  const ask = async (isRepeated: boolean) => {
    try {
      const [found] = await Promise.all([readTokens(isRepeated), readTasks()])
      all.value = found
      if (found.some(({ folder }) => folder !== null && !folders.peek().has(folder))) await readFolders()
      answeredAt = Date.now()
      staleSince.value = null
      view.value = "open"
    } catch (error) {
      if (view.peek() === "open") staleSince.value = answeredAt
      else {
        failure.value = error
        view.value = "failed"
      }
      throw error
    }
  }

  const polling = startPolling({
    ask,
    restMillis: () => tasks.peek().some((task) => isOpen(task) && !task.waits) ? busyMillis : quietMillis,
    channel: `filedrive:connections:${settings.mount}`
  })

  /** Shows why something was not done. */
  const attempt = async <A>(work: () => Promise<A>): Promise<A | undefined> => {
    try {
      return await work()
    } catch (error) {
      notify(sentenceOf(error), "error")
      return undefined
    }
  }

  return {
    view,
    failure,
    staleSince,
    tokens,
    apps,
    folders,
    waiting,
    tasks,
    hasMore,
    ownTokenId,

    load: async (): Promise<void> => {
      view.value = "loading"
      await polling.now()
    },

    readFolders: () => attempt(readFolders),

    /** Makes a token. Fails with the drive's refusal. */
    makeToken: async (token: NewToken): Promise<string> => {
      const made = await client.createApiToken(token)
      void polling.changed()
      return made.token
    },

    /** Ends a token or what an app was allowed. */
    revoke: (token: Token): Promise<void | undefined> =>
      attempt(async () => {
        const name = shown(token.name)
        try {
          await client.revokeApiToken({ id: token.id })
          notify(t(token.clientId === null ? "connections.revoked" : "connections.disconnected", { name }))
        } catch (error) {
          if (codeOf(error) !== "not_found") throw error
          notify(t("connections.revokedBefore"), "info")
        }
        await polling.changed()
      }),

    stop: (taskId: string): Promise<void | undefined> =>
      attempt(async () => {
        const { canceled } = await client.cancelAgentTask({ taskId })
        notify(t(canceled ? "connections.stopped" : "connections.notStopped"), canceled ? "done" : "info")
        await polling.changed()
      }),

    /** Fails with the drive's refusal. The same `messageId` again gives no second task. */
    give: async (task: { readonly messageId: string; readonly text: string; readonly contextId?: string }) => {
      const { taskId } = await client.startAgentTask(task)
      const seen = tasks.peek().find(({ id }) => id === taskId)
      say(t("connections.given"))
      // It may have ended before, and what is told last is heard.
      if (seen === undefined) given.add(taskId)
      else if (!isOpen(seen)) tellOf(seen)
      void polling.changed()
    },

    showMore: (): Promise<void> => {
      tasksShown = Math.min(tasksMax, tasksShown + 2 * pageOfTasks)
      return polling.now()
    },

    /** Where the bytes of a file are; undefined where it can't be opened any more. */
    linkOf: async (id: string): Promise<string | undefined> => {
      try {
        const { downloadUrl } = await client.generateDownloadUrl({ id })
        if (downloadUrl !== null) return downloadUrl
        notify(t("connections.fileGone"), "error")
      } catch (error) {
        const isGone = ["file_not_found", "not_found"].includes(codeOf(error))
        notify(isGone ? t("connections.fileGone") : sentenceOf(error), "error")
      }
      return undefined
    }
  }
}

export type Connections = ReturnType<typeof makeConnections>
