/**
 * The time of a database that several processes share, as one process knows it: the time of the last measurement plus the time that the
 * machine's monotonic clock has counted since. So it makes no difference if the machine's clock is wrong or is set.
 */

/** The clocks of the machine, in milliseconds. */
export interface MachineClocks {
  /** Since 1970, as far as the machine knows. */
  readonly now: () => number
  /** Since any moment; never set. */
  readonly monotonic: () => number
}

export interface Measurement {
  /** The database's time, in milliseconds since 1970. */
  readonly databaseMillis: number
  /** Of the monotonic clock, when the database was asked. */
  readonly asked: number
  /** Of the monotonic clock, when it had answered. */
  readonly answered: number
}

/** Corrections backwards of less than this make time stand still, so that they reorder nothing. */
const heldMillis = 1_000

/** The machine's clock was set when it has moved by this much against the monotonic one. */
const setMillis = 1_000

interface Origin {
  readonly time: number
  readonly monotonic: number
}

export class SharedTime {
  readonly #machine: MachineClocks
  /** Undefined until the first measurement; until then the machine's clock counts. */
  #origin: Origin | undefined
  #last = -Infinity
  #aheadMillis = 0
  /** The machine's clock minus the monotonic one. */
  #difference: number
  #onSet = () => {}

  constructor(machine: MachineClocks) {
    this.#machine = machine
    this.#difference = machine.now() - machine.monotonic()
  }

  get monotonic(): number {
    return this.#machine.monotonic()
  }

  /** How far the machine's clock was ahead of the database's at the last measurement. */
  get aheadMillis(): number {
    return this.#aheadMillis
  }

  /** Calls `onSet` whenever the machine's clock has been set, or the machine has slept: the time is to be measured again. */
  whenSet(onSet: () => void): void {
    this.#onSet = onSet
  }

  now(): number {
    const origin = this.#origin
    if (origin === undefined) return this.#machine.now()
    const monotonic = this.#machine.monotonic()
    const difference = this.#machine.now() - monotonic
    if (Math.abs(difference - this.#difference) >= setMillis) {
      this.#difference = difference
      this.#onSet()
    }
    const time = Math.floor(origin.time + monotonic - origin.monotonic)
    if (time < this.#last && this.#last - time < heldMillis) return this.#last
    return this.#last = time
  }

  measured({ answered, asked, databaseMillis }: Measurement): void {
    const roundTrip = answered - asked
    const middle = asked + roundTrip / 2
    const monotonic = this.#machine.monotonic()
    this.#difference = this.#machine.now() - monotonic
    this.#aheadMillis = this.#difference + middle - databaseMillis
    const origin = this.#origin
    // A difference within the uncertainty of the measurement is ignored.
    if (origin !== undefined && Math.abs(origin.time + middle - origin.monotonic - databaseMillis) <= roundTrip / 2) {
      return
    }
    this.#origin = { time: databaseMillis, monotonic: middle }
  }
}
