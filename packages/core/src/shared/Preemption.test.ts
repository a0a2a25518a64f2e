/** What becomes of work that takes longer than a turn, while many accounts do their worst. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as FairQueue from "./FairQueue.ts"

const turnMillis = 1_000
/** How long ended work keeps its place: its process is replaced. */
const endingMillis = 300
const rules: FairQueue.Rules = {
  places: 2,
  asideMax: 2,
  ofGroup: 1,
  waitingOfGroup: 20,
  waitingMax: 256,
  preempts: true
}

interface Timed {
  readonly at: number
  readonly event: FairQueue.Event
}

/** Accounts whose works take as long as they say, on a clock of its own. */
const simulation = (rules: FairQueue.Rules) => {
  let [state, now, lastTicket] = [FairQueue.empty, 0, 0]
  let coming: Array<Timed> = []
  const works = new Map<number, { readonly group: string; readonly millis: number; readonly arrived: number }>()
  const waits: Array<{ readonly group: string; readonly millis: number }> = []
  const done: Array<string> = []
  const preempted: Array<string> = []
  /** Called when something of a group has left. */
  let onLeft: (group: string) => void = () => {}

  const step = (event: FairQueue.Event) => {
    const next = FairQueue.next(rules, state, event, now)
    state = next.state
    for (const ticket of next.started) {
      const { group, arrived, millis } = works.get(ticket)!
      waits.push({ group, millis: now - arrived })
      coming.push({ at: now + turnMillis, event: { _tag: "TurnOver", ticket } })
      coming.push({ at: now + millis, event: { _tag: "Left", ticket } })
    }
    for (const ticket of next.preempted) {
      preempted.push(works.get(ticket)!.group)
      coming = coming.filter(({ event }) => event._tag === "Arrived" || event.ticket !== ticket)
      coming.push({ at: now + endingMillis, event: { _tag: "Left", ticket } })
      works.set(ticket, { ...works.get(ticket)!, millis: -1 })
    }
  }

  const arrive = (group: string, millis: number) => {
    const ticket = ++lastTicket
    works.set(ticket, { group, millis, arrived: now })
    step({ _tag: "Arrived", work: { ticket, group } })
  }

  return {
    waits,
    done,
    preempted,
    arrive,
    state: () => state,
    onLeft: (then: (group: string) => void) => {
      onLeft = then
    },
    /** Lets time pass. */
    pass: (millis: number) => {
      const end = now + millis
      while (true) {
        const [first] = coming.toSorted((a, b) => a.at - b.at)
        if (first === undefined || first.at > end) break
        coming = coming.filter((one) => one !== first)
        now = first.at
        const { event } = first
        step(event)
        if (event._tag === "TurnOver") coming.push({ at: now + turnMillis, event })
        if (event._tag !== "Left") continue
        coming = coming.filter((one) => one.event._tag === "Arrived" || one.event.ticket !== event.ticket)
        const { group, millis } = works.get(event.ticket)!
        if (millis !== -1) done.push(group)
        onLeft(group)
      }
      now = end
    }
  }
}

/** Each of them asks for the next long work whenever one has ended, and has another waiting. */
const attack = (sim: ReturnType<typeof simulation>, accounts: ReadonlyArray<string>, millis: (n: number) => number) => {
  let n = 0
  const ask = (group: string) => {
    if (accounts.includes(group)) sim.arrive(group, millis(n++))
  }
  sim.onLeft(ask)
  for (const group of [...accounts, ...accounts]) ask(group)
}

const namesOf = (count: number) => Array.from({ length: count }, (_, n) => `busy ${n}`)

describe("preemption", () => {
  it("READ-33 however many accounts do their worst, who has used little begins when a turn is over and a process replaced", () => {
    const durations = fc.array(fc.integer({ min: 200, max: 40_000 }), { minLength: 1, maxLength: 20 })
    const pauses = fc.array(fc.integer({ min: 5_000, max: 20_000 }), { minLength: 1, maxLength: 10 })
    fc.assert(fc.property(fc.integer({ min: 1, max: 12 }), durations, pauses, (count, durations, pauses) => {
      const sim = simulation(rules)
      attack(sim, namesOf(count), (n) => durations[n % durations.length]!)
      sim.pass(60_000)
      for (const pause of pauses) {
        sim.pass(pause)
        sim.arrive("quiet", 100)
      }
      sim.pass(5_000)
      const waits = sim.waits.filter(({ group }) => group === "quiet")
      assert.lengthOf(waits, pauses.length)
      for (const { millis } of waits) assert.isAtMost(millis, turnMillis + endingMillis)
    }))
  })

  it("READ-33 up to as many accounts as find room aside keep nobody waiting while a place is left", () => {
    const sim = simulation(rules)
    attack(sim, namesOf(3), () => 20_000)
    sim.pass(10_000)
    sim.arrive("quiet", 100)
    assert.deepStrictEqual(sim.waits.at(-1), { group: "quiet", millis: 0 })
  })

  it("READ-34 work is ended only past its turn, where nothing is free aside and another group waits", () => {
    const accounts = fc.array(
      fc.record({ group: fc.constantFrom("a", "b", "c", "d", "e"), millis: fc.nat(30_000), pause: fc.nat(4_000) }),
      { maxLength: 60 }
    )
    const shape = fc.record({ places: fc.integer({ min: 1, max: 4 }), asideMax: fc.nat(3) })
    fc.assert(fc.property(shape, accounts, (shape, accounts) => {
      const all = { ...rules, ...shape, ofGroup: Math.max(Math.floor(shape.places / 2), 1) }
      const sim = simulation(all)
      for (const { group, millis, pause } of accounts) {
        const [before, ended] = [sim.state(), sim.preempted.length]
        sim.arrive(group, millis)
        const { lines, running } = sim.state()
        if (sim.preempted.length > ended) {
          assert.strictEqual(running.filter(({ turn }) => turn === "aside").length, all.asideMax)
          assert.strictEqual(running.filter(({ turn }) => turn !== "aside").length, all.places)
          for (
            const one of running.filter(({ isPreempted, ticket }) =>
              isPreempted && !before.running.find((one) => one.ticket === ticket)!.isPreempted
            )
          ) {
            assert.notStrictEqual(one.turn, "on")
            assert.isTrue(lines.some((line) => line.group !== one.group))
          }
        }
        sim.pass(pause)
      }
    }))
  })

  it("READ-34 nothing is ended while nobody else waits, however long it takes", () => {
    const sim = simulation({ ...rules, asideMax: 0 })
    for (let n = 0; n < 5; n++) sim.arrive("heavy", 60_000)
    sim.arrive("other", 60_000)
    sim.pass(400_000)
    assert.deepStrictEqual(sim.preempted, [])
    assert.lengthOf(sim.done, 6)
  })

  it("READ-34 a long file of a group that has used little gets done while others do their worst", () => {
    const sim = simulation(rules)
    attack(sim, namesOf(6), () => 20_000)
    sim.pass(180_000)
    sim.arrive("heavy", 12_000)
    sim.pass(turnMillis + endingMillis + 12_000)
    assert.include(sim.done, "heavy")
    assert.notInclude(sim.preempted, "heavy")
  })

  it("READ-65 beside many accounts that do their worst, who has used little is not ended for those who have used more", () => {
    const durations = fc.array(fc.integer({ min: 300, max: 40_000 }), { minLength: 1, maxLength: 20 })
    fc.assert(fc.property(fc.integer({ min: 4, max: 50 }), durations, (count, durations) => {
      const sim = simulation(rules)
      attack(sim, namesOf(count), (n) => durations[n % durations.length]!)
      sim.pass(180_000)
      for (let n = 0; n < 3; n++) {
        sim.arrive("heavy", 2_000)
        sim.pass(turnMillis + endingMillis + 2_000)
        assert.lengthOf(sim.done.filter((group) => group === "heavy"), n + 1)
        sim.pass(60_000)
      }
      assert.notInclude(sim.preempted, "heavy")
    }))
  })

  it("READ-65 work past its turn is ended once it has used more than who waits, though nothing else happens", () => {
    const sim = simulation({ ...rules, places: 1, asideMax: 0 })
    sim.arrive("first", 3_000)
    sim.pass(4_000)
    sim.arrive("second", 30_000)
    sim.pass(100)
    sim.arrive("first", 500)
    sim.pass(1_900)
    assert.deepStrictEqual(sim.preempted, [])
    sim.pass(2_100)
    assert.deepStrictEqual(sim.preempted, ["second"])
  })

  it("READ-34 of accounts that all ask for long files, files get done all the time", () => {
    fc.assert(fc.property(fc.integer({ min: 2, max: 12 }), fc.integer({ min: 2_000, max: 20_000 }), (count, millis) => {
      const sim = simulation(rules)
      attack(sim, namesOf(count), () => millis)
      sim.pass(300_000)
      // Two at a time are never ended before, but for accounts far behind.
      assert.isAtLeast(sim.done.length, Math.floor(300_000 / millis))
    }))
  })
})
