/**
 * Decides who goes first in the one session of the embedded database. A long operation is one transaction after the other, and asks
 * for the next as soon as one has ended. A small call is a few statements, each asked for when the one before is answered:
 * it would wait for a whole transaction at each.
 *
 * So after a long turn that others waited for, transactions that are asked for from then on begin a little later: when nobody
 * has asked for anything for a moment, or a quarter of that turn's time is over.
 *
 * Background work, as jobs do it, waits in the same way before each of its statements. It has one connection, and a caller who
 * asks soon after it goes before it: a small call waits for one long statement of jobs, however many jobs there are.
 */

/** Shorter turns are not followed by a pause. */
const longMillis = 20

/** A caller that has its answer sends its next statement within this time, if it has one: its thread may be busy before. */
const quietMillis = 10

/** The part of a long turn's time that is left to others. */
const share = 0.25

const pauseMaxMillis = 50

/** Callers who ask up to this long after a background statement go before it; then it runs, however many callers wait. */
export const backgroundLagMillis = 100

export class Precedence {
  private begun = 0
  private until = 0
  /** When the last answer was sent. */
  private answered = 0
  private since = Infinity

  /** A connection has the session from now on. */
  begin(now: number): void {
    this.begun = now
  }

  /** The session is free again. */
  end(now: number, othersWait: boolean): void {
    this.answered = now
    const millis = now - this.begun
    if (millis < longMillis || !othersWait) return
    this.since = now
    this.until = now + Math.min(millis * share, pauseMaxMillis)
  }

  /** How long a transaction that was requested at `asked` still has to wait; 0 when it may begin. */
  wait(asked: number, now: number): number {
    if (asked < this.since) return 0
    return Math.max(0, Math.min(this.until, this.answered + quietMillis) - now)
  }
}
