/**
 * Watches whether the thread of the embedded database still answers. It runs one statement at a time and receives nothing
 * meanwhile, so a long statement and an endless one look alike: it waits for the time of the statement that may take longest.
 *
 * Times are the machine's own, whatever clock the drive is told to have.
 */
import type { Question, Watched } from "./AnswerWatch.ts"
import { whatToDo } from "./PgliteDirectory.ts"

/** Opening may have to go through the log of a process that was killed. */
const openingMillis = 120_000

const silent = (millis: number) => `The embedded database has not answered for ${Math.round(millis / 1_000)} seconds.`

export class ThreadWatch {
  private readonly questions = new Set<Question>()
  private readonly patienceMillis: number
  private readonly everyMillis: number
  private timer: NodeJS.Timeout | undefined
  private silentMillis = 0
  private asking = false
  private dirty = false

  constructor(patienceMillis: number) {
    this.patienceMillis = patienceMillis
    this.everyMillis = Math.max(20, Math.min(1_000, patienceMillis / 10))
  }

  readonly know = (): void => {}
  readonly forget = (): void => {}

  asked(_connection: Watched, limitMillis: number): Question {
    const question: Question = { limitMillis, since: 0, abandoned: false }
    this.questions.add(question)
    return question
  }

  answered(_connection: Watched, question: Question): void {
    this.questions.delete(question)
  }

  /** Watches a thread that has been started: `ask` makes it answer by `answeredAll`, `giveUp` ends it. */
  start(ask: () => void, giveUp: (reason: Error) => void): void {
    this.stop()
    let isOpen = false
    this.opened = () => (isOpen = true)
    this.asking = true
    this.timer = setInterval(() => {
      if (this.asking) {
        // Counted in checks, so that a pause of this process is not taken for the thread's.
        this.silentMillis += this.everyMillis
        const allowed = Math.max(this.patienceMillis, ...Array.from(this.questions, ({ limitMillis }) => limitMillis))
        if (this.silentMillis > (isOpen ? allowed : Math.max(allowed, openingMillis))) {
          const { silentMillis } = this
          this.stop()
          giveUp(
            new Error(isOpen ? silent(silentMillis) : `${silent(silentMillis)} Its files may be damaged. ${whatToDo}`)
          )
        }
      } else if (this.dirty) {
        this.dirty = false
        this.asking = true
        ask()
      }
    }, this.everyMillis).unref()
  }

  /** To be called when the database is open. */
  opened: () => void = () => {}

  /** The thread was sent something. */
  sent(): void {
    this.dirty = true
  }

  /** The thread has sent something, so it is not stuck. */
  heard(): void {
    this.silentMillis = 0
  }

  /** The thread has finished everything it was sent before the question. */
  answeredAll(): void {
    this.asking = false
  }

  stop(): void {
    clearInterval(this.timer)
    this.timer = undefined
    this.silentMillis = 0
    this.asking = false
    this.dirty = false
  }
}
