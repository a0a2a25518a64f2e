/**
 * Which connections owe an answer, and since when. One that owes it for longer
 * than its statement may take is given up: a peer that swallows what it is sent
 * looks like one that works, and nothing below a statement ever notices.
 *
 * Times are the machine's own, whatever clock the drive is told to have: this is
 * about sockets.
 */

/** A connection as the watch sees it. Answers come in the order of the questions. */
export interface Watched {
  /** Takes the connection away from everybody at once, who then fail with `reason`. */
  readonly giveUp: (reason: Error) => void
  /** Nobody else may be given the connection; who has it keeps it. */
  readonly retire: () => void
}

export interface Question {
  readonly limitMillis: number
  /** When its turn came: when it was asked, or when those before it were answered. */
  since: number
  /** Nobody waits for the answer any more; it may come all the same. */
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
  private readonly lookEveryMillis: number
  private timer: NodeJS.Timeout | undefined

  /** `limitMillis`, the shortest limit there will be, sets how often to look. */
  constructor(limitMillis: number) {
    this.lookEveryMillis = Math.max(20, Math.min(1_000, limitMillis / 10))
  }

  /** Whether a connection was ever given up. What cut it off may have cut off others of which nothing is known yet. */
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
    this.timer ??= setInterval(() => this.look(), this.lookEveryMillis).unref()
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
    // What ends before its turn has had no answer, and those before it still owe theirs since when they were asked.
    if (index > 0 && oldest === first) return
    const now = performance.now()
    owing.heard = now
    if (oldest !== undefined) oldest.since = now
  }

  private look(): void {
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
   * What cut one connection off has most likely cut off those that say nothing either. When that was is not known: the one
   * may have been at work still while the others answered for the last time. So all are replaced but those heard just now.
   */
  private doubt(now: number): void {
    for (const [connection, { heard }] of this.owing) {
      if (heard <= now - this.lookEveryMillis) connection.retire()
    }
  }
}
