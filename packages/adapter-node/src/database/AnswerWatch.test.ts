import { assert, describe, it, vi } from "@effect/vitest"
import { AnswerWatch } from "./AnswerWatch.ts"

describe("connections that owe answers", () => {
  it("DB-65 a statement that is given up does not extend the time limit of those sent before it", () => {
    vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] })
    try {
      const watch = new AnswerWatch(1_000)
      const reasons: Array<string> = []
      const connection = { giveUp: (reason: Error) => reasons.push(reason.message), retire: () => undefined }
      watch.know(connection)
      watch.asked(connection, 1_000)
      vi.advanceTimersByTime(900)
      watch.answered(connection, watch.asked(connection, 1_000))
      vi.advanceTimersByTime(200)
      assert.deepStrictEqual(reasons, ["The database has not answered for 1 seconds."])
    } finally {
      vi.useRealTimers()
    }
  })
})
