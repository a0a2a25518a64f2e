/** The HTTP contract of tasks, as an account's owner sees them. Declarations only; no handler code. Contract: "The agent". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { Session } from "../http/Session.ts"
import * as Limits from "../limits/Limits.ts"
import { ApiTokenId, FileId, TaskId, WaitId } from "../shared/Ids.ts"
import { Lines, Text } from "../shared/Text.ts"
import { Time } from "../shared/Time.ts"
import { waitKinds } from "../waits/Wait.ts"
import { taskStates } from "./Task.ts"

const { agentTasksPage, agentTaskText, taskNameLength } = Limits

const Credential = Schema.Struct({ id: ApiTokenId, name: Schema.String })

const WaitingTask = Schema.Struct({
  taskId: TaskId,
  contextId: Schema.String,
  waitId: WaitId,
  kind: Schema.Literals(waitKinds),
  /** What it waits for. A folder, which may not exist yet, has its path as `id`. */
  target: Schema.NullOr(Schema.Struct({ id: Schema.String, name: Schema.String })),
  text: Schema.String,
  sinceTime: Time,
  untilTime: Time,
  credential: Credential
}).annotate({ identifier: "WaitingTask" })

const AgentTask = Schema.Struct({
  id: TaskId,
  contextId: Schema.String,
  state: Schema.Literals(taskStates),
  waits: Schema.Boolean,
  text: Schema.String,
  reply: Schema.NullOr(Schema.String),
  /** Files that it made, changed or found, 20 at most. One may be gone by now. */
  files: Schema.Array(Schema.Struct({ id: FileId, fileName: Schema.String })),
  statusTime: Time,
  insertTime: Time,
  credential: Credential
}).annotate({ identifier: "AgentTask" })

const TaskName = Text.check(Schema.isBetweenLength(taskNameLength.min, taskNameLength.max))
const TaskText = Lines.check(Schema.isBetweenLength(agentTaskText.min, agentTaskText.max))

const credential = { id: Examples.tokenId, name: "Assistant" }

export class TasksApi extends HttpApiGroup.make("tasks")
  .add(
    HttpApiEndpoint.post("selectWaitingTasks", "/select-waiting-tasks", { success: Schema.Array(WaitingTask) })
      .annotateMerge(operation({
        description:
          "Returns the tasks of your account that wait for something to happen, whichever token began them, oldest first: what each " +
          "waits for, in words and by `kind` and `target`, and until when. The session must have no limits.",
        permissions: [],
        effect: "reads",
        isRepeatable: true,
        tool: null,
        example: {
          answer: [{
            taskId: Examples.taskId,
            contextId: "holiday",
            waitId: Examples.waitId,
            kind: "review_note",
            target: { id: Examples.reviewId, name: "rough-cut.mp4" },
            text: "Waits for notes on the review of rough-cut.mp4.",
            sinceTime: "2026-09-28T12:00:00.000Z",
            untilTime: "2026-10-28T12:00:00.000Z",
            credential
          }]
        }
      })),
    HttpApiEndpoint.post("stopWaitingTask", "/stop-waiting-task", {
      payload: Schema.Struct({ taskId: TaskId }),
      success: Schema.Struct({ stopped: Schema.Boolean })
    }).annotateMerge(operation({
      description:
        "Cancels a task of your account that waits for something. `stopped` is false when no task of yours with that id waits. Its webhooks " +
        "are told. The session must have no limits.",
      permissions: [],
      effect: "deletes",
      isRepeatable: true,
      tool: null,
      example: { request: { taskId: Examples.taskId }, answer: { stopped: true } }
    })),
    HttpApiEndpoint.post("selectAgentTasks", "/select-agent-tasks", {
      payload: [
        Schema.Struct({
          limit: Schema.optionalKey(
            Schema.Int.check(Schema.isBetween({ minimum: agentTasksPage.min, maximum: agentTasksPage.max }))
          ),
          cursor: Schema.optionalKey(Schema.String)
        }),
        Schema.Null
      ],
      success: Schema.Struct({ tasks: Schema.Array(AgentTask), nextCursor: Schema.NullOr(Schema.String) })
    }).annotateMerge(operation({
      description:
        "Returns what the agent was asked to do on your account, by whichever token, newest first, with its reply and the files that it made, " +
        "changed or found. `text` is what it was asked first, cut after 10,000 characters. Follow `nextCursor` for older ones. The session must " +
        "have no limits.",
      permissions: [],
      effect: "reads",
      isRepeatable: true,
      tool: null,
      example: {
        request: { limit: 10 },
        answer: {
          tasks: [{
            id: Examples.taskId,
            contextId: "holiday",
            state: "completed",
            waits: false,
            text: "How many photos do I have?",
            reply: "You have 1,204 images.",
            files: [],
            statusTime: "2026-09-28T12:00:01.000Z",
            insertTime: "2026-09-28T12:00:00.000Z",
            credential
          }],
          nextCursor: null
        }
      }
    })),
    HttpApiEndpoint.post("startAgentTask", "/start-agent-task", {
      payload: Schema.Struct({ messageId: TaskName, text: TaskText, contextId: Schema.optionalKey(TaskName) }),
      success: Schema.Struct({ taskId: TaskId, contextId: Schema.String }),
      error: ApiError.ofStorage
    }).annotateMerge(operation({
      description:
        "Gives the agent a task in words, as yourself and without an API token. The answer comes at once; `/select-agent-tasks` tells how the " +
        "task goes. `messageId` is your own name of the message: the same one sent again is the same task. A `contextId` of an earlier " +
        "answer goes on with its conversation. The task may do all that you may. Where 10,000 tasks of the account wait for their turn the " +
        "answer is 503. Nothing does the task while the drive runs without an agent. The session must have no limits.",
      permissions: [],
      effect: "changes",
      isRepeatable: true,
      tool: null,
      example: {
        request: { messageId: "5f0e7c58", text: "Tell me when somebody sends files." },
        answer: { taskId: Examples.taskId, contextId: "holiday" }
      }
    })),
    HttpApiEndpoint.post("cancelAgentTask", "/cancel-agent-task", {
      payload: Schema.Struct({ taskId: TaskId }),
      success: Schema.Struct({ canceled: Schema.Boolean })
    }).annotateMerge(operation({
      description:
        "Cancels a task of your account, by whichever token it was given. What it has done stays. `canceled` is false when no task of yours " +
        "with that id is unfinished. Its webhooks are told. The session must have no limits.",
      permissions: [],
      effect: "deletes",
      isRepeatable: true,
      tool: null,
      example: { request: { taskId: Examples.taskId }, answer: { canceled: true } }
    }))
  )
  .middleware(Session)
  .annotateMerge(
    OpenApi.annotations({ title: "Agent tasks", description: "What the agent was asked to do, and what it waits for." })
  )
{}
