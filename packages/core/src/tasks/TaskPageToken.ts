/** Where a page of tasks continues: opaque to callers. Pure. */
import { DateTime, Schema } from "effect"
import { TaskId } from "../shared/Ids.ts"

export interface PagePlace {
  readonly time: Date
  readonly id: TaskId
}

const isTaskId = Schema.is(TaskId)

export const format = ({ id, time }: PagePlace): string => `t${time.getTime()}.${id}`

/** What a token means; undefined for anything else. */
export const parse = (token: string): PagePlace | undefined => {
  const [, millis, id] = /^t(\d{1,15})\.([0-9a-f-]{36})$/.exec(token) ?? []
  return millis === undefined || !isTaskId(id)
    ? undefined
    : { time: DateTime.toDateUtc(DateTime.makeUnsafe(Number(millis))), id }
}
