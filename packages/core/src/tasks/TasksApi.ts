/** The HTTP contract of tasks, as an account's owner sees them. Declarations only; no handler code. Contract: "The agent". */
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { Session } from "../http/Session.ts"
import * as Limits from "../limits/Limits.ts"
import { ApiTokenId, TaskId, WaitId } from "../shared/Ids.ts"
import { Time } from "../shared/Time.ts"
import { waitKinds } from "../waits/Wait.ts"
import { taskStates } from "./Task.ts"

const { agentTasksPage } = Limits

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
  statusTime: Time,
  insertTime: Time,
  credential: Credential
}).annotate({ identifier: "AgentTask" })

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
        "Returns what the agent was asked to do on your account, by whichever token, newest first. Follow `nextCursor` for older ones. The " +
        "session must have no limits.",
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
            statusTime: "2026-09-28T12:00:01.000Z",
            insertTime: "2026-09-28T12:00:00.000Z",
            credential
          }],
          nextCursor: null
        }
      }
    }))
  )
  .middleware(Session)
  .annotateMerge(
    OpenApi.annotations({ title: "Agent tasks", description: "What the agent was asked to do, and what it waits for." })
  )
{}
