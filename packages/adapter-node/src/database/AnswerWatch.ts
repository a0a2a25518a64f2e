/**
 * Records which connections owe an answer, and since when. A connection that owes it for longer
 * than its statement may take is abandoned: a peer that swallows what it is sent
 * looks like one that works, and nothing below a statement ever notices.
 *
 * Times are the machine's own, whatever clock the drive is told to have: this is
 * about sockets.
 */

/** A connection as the watch sees it. Answers come in the order of the questions. */
export interface Watched {
  /** Ends the connection for all its users at once, who then fail with `reason`. */
  readonly giveUp: (reason: Error) => void
  /** The connection is given to no new user; its present user keeps it. */
  readonly retire: () => void
}

export interface Question {
  readonly limitMillis: number
  /** When its turn came: when it was asked, or when those before it were answered. */
  since: number
  /** Nobody waits for the answer any longer; it may still arrive. */
  abandoned: boolean
}

interface Owing {
  questions: ReadonlyArray<Question>
  /** When it last answered anything. */
  heard: number
}

const sentence = (millis: number) => `The database has not answered for ${millis / 1000} seconds.`

export class AnswerWatch {
  private readonly owing = new Map<Watched, Owing>()
  private gaveUp = false
  private readonly checkEveryMillis: number
  private timer: NodeJS.Timeout | undefined

  /** `limitMillis`, the shortest limit there will be, sets how often it checks. */
  constructor(limitMillis: number) {
    this.checkEveryMillis = Math.max(20, Math.min(1_000, limitMillis / 10))
  }

  /** Whether a connection was ever abandoned. The same cause may have cut off others, unnoticed so far. */
  get hasGivenUp(): boolean {
    return this.gaveUp
  }

  /** To be called for each new connection, and `forget` when it is gone. */
  know(connection: Watched): void {
    this.owing.set(connection, { questions: [], heard: performance.now() })
  }

  forget(connection: Watched): void {
    this.owing.delete(connection)
  }

  asked(connection: Watched, limitMillis: number): Question {
    const question: Question = { limitMillis, since: performance.now(), abandoned: false }
    const owing = this.owing.get(connection)
    if (owing !== undefined) owing.questions = [...owing.questions, question]
    this.timer ??= setInterval(() => this.check(), this.checkEveryMillis).unref()
    return question
  }

  /** The answer has come, and so have those to all earlier questions, also where nobody waited for them. */
  answered(connection: Watched, question: Question): void {
    const owing = this.owing.get(connection)
    const index = owing === undefined ? -1 : owing.questions.indexOf(question)
    if (owing === undefined || index < 0) return
    const [first] = owing.questions
    owing.questions = owing.questions.filter((other, at) => other !== question && (at > index || !other.abandoned))
    const [oldest] = owing.questions
    // A question that ends before its turn has had no answer, and the time of those before it still counts from when they were asked.
    if (index > 0 && oldest === first) return
    const now = performance.now()
    owing.heard = now
    if (oldest !== undefined) oldest.since = now
  }

  private check(): void {
    const now = performance.now()
    let waiting = false
    for (const [connection, { questions: [oldest] }] of this.owing) {
      if (oldest === undefined) continue
      waiting = true
      if (now - oldest.since < oldest.limitMillis) continue
      this.owing.delete(connection)
      this.gaveUp = true
      this.doubt(now)
      connection.giveUp(new Error(sentence(oldest.limitMillis)))
    }
    if (!waiting) {
      clearInterval(this.timer)
      this.timer = undefined
    }
  }

  /**
   * What cut one connection off has most likely cut off the other silent ones. When that was is not known: the connection
   * may still have been working while the others answered for the last time. So all are replaced except those that answered just now.
   */
  private doubt(now: number): void {
    for (const [connection, { heard }] of this.owing) {
      if (heard <= now - this.checkEveryMillis) connection.retire()
    }
  }
}
