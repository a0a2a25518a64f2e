import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as FairQueue from "./FairQueue.ts"

/** What happens, and how long after the last. */
type Act =
  & { readonly after: number }
  & (
    | { readonly do: "arrive"; readonly group: string }
    | { readonly do: "leave" | "turnOver"; readonly which: number }
  )

const group = fc.constantFrom("a", "b", "c", "d")
const after = fc.oneof(fc.constant(0), fc.nat(60_000))
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ after, do: fc.constant("arrive" as const), group }) },
  {
    weight: 2,
    arbitrary: fc.record({ after, do: fc.constantFrom("leave" as const, "turnOver" as const), which: fc.nat(30) })
  }
)
const acts = fc.array(act, { maxLength: 120 })
const rules: fc.Arbitrary<FairQueue.Rules> = fc.record({
  places: fc.integer({ min: 1, max: 5 }),
  asideMax: fc.integer({ min: 0, max: 4 }),
  ofGroup: fc.integer({ min: 1, max: 4 }),
  waitingOfGroup: fc.integer({ min: 0, max: 6 }),
  waitingMax: fc.integer({ min: 0, max: 15 }),
  preempts: fc.boolean()
})

/** Everything that is somewhere, oldest first. */
const ticketsOf = ({ lines, running }: FairQueue.State) =>
  [...running.map(({ ticket }) => ticket), ...lines.flatMap(({ tickets }) => tickets)].toSorted((a, b) => a - b)

const eventOf = (act: Act, state: FairQueue.State, ticket: number): FairQueue.Event | undefined => {
  if (act.do === "arrive") return { _tag: "Arrived", work: { ticket, group: act.group } }
  const tickets = ticketsOf(state)
  const chosen = tickets[act.which % tickets.length]
  if (chosen === undefined) return undefined
  return { _tag: act.do === "leave" ? "Left" : "TurnOver", ticket: chosen }
}

const countOf = ({ running }: FairQueue.State, group: string) => running.filter((one) => one.group === group).length
const inTurn = ({ running }: FairQueue.State) => running.filter(({ turn }) => turn !== "aside").length

/** Runs the acts and shows each step. */
const run = (
  rules: FairQueue.Rules,
  acts: ReadonlyArray<Act>,
  see: (step: FairQueue.Step, before: FairQueue.State, event: FairQueue.Event, now: number) => void
) => {
  let [state, now] = [FairQueue.empty, 0]
  for (const [ticket, act] of acts.entries()) {
    now += act.after
    const event = eventOf(act, state, ticket)
    if (event === undefined) continue
    const step = FairQueue.next(rules, state, event, now)
    see(step, state, event, now)
    state = step.state
  }
}

describe("FairQueue", () => {
  it("READ-18 READ-19 no place, share or bound is ever passed, nobody who could begin waits, and nothing is lost", () => {
    fc.assert(fc.property(rules, acts, (rules, acts) => {
      run(rules, acts, ({ preempted, refused, started, state }, before, event) => {
        assert.isAtMost(inTurn(state), rules.places)
        assert.isAtMost(state.running.length - inTurn(state), rules.asideMax)
        for (const { group } of state.running) assert.isAtMost(countOf(state, group), rules.ofGroup)
        for (const { group, tickets } of state.lines) {
          assert.isAtMost(tickets.length, rules.waitingOfGroup)
          assert.isAbove(tickets.length, 0)
          assert.isTrue(inTurn(state) === rules.places || countOf(state, group) === rules.ofGroup)
        }
        assert.isAtMost(state.lines.reduce((sum, { tickets }) => sum + tickets.length, 0), rules.waitingMax)
        const expected = new Set(ticketsOf(before))
        if (event._tag === "Arrived") expected.add(event.work.ticket)
        assert.isAtMost(refused.length, event._tag === "Arrived" ? 1 : 0)
        const had = before.running.filter(({ isPreempted }) => isPreempted).map(({ ticket }) => ticket)
        assert.sameMembers(
          state.running.filter(({ isPreempted }) => isPreempted).map(({ ticket }) => ticket),
          [
            ...had.filter((ticket) => expected.has(ticket) && !(event._tag === "Left" && event.ticket === ticket)),
            ...preempted
          ]
        )
        for (const ticket of refused) expected.delete(ticket)
        if (event._tag === "Left") expected.delete(event.ticket)
        assert.sameMembers(ticketsOf(state), [...expected])
        for (const ticket of started) assert.isTrue(state.running.some((one) => one.ticket === ticket))
      })
    }))
  })

  it("READ-33 of the accounts that wait for no more than a place, one that has used least lately begins", () => {
    fc.assert(fc.property(rules, acts, (rules, acts) => {
      run(rules, acts, ({ started, state }, before, event, now) => {
        const begun = state.running.filter(({ ticket }) => started.includes(ticket))
        if (event._tag === "Arrived") assert.isAtMost(begun.length, 1)
        for (const { group } of begun) {
          for (const { group: waiting } of state.lines) {
            if (countOf(state, waiting) >= rules.ofGroup) continue
            assert.isAtMost(FairQueue.useOf(before, group, now), FairQueue.useOf(before, waiting, now))
          }
        }
      })
    }))
  })

  it("READ-18 with half the places for one, whoever asks beside one other begins at once, whatever that has asked for", () => {
    fc.assert(fc.property(fc.integer({ min: 1, max: 4 }), acts, (half, acts) => {
      const rules = {
        places: 2 * half,
        asideMax: 2,
        ofGroup: half,
        waitingOfGroup: 5,
        waitingMax: 20,
        preempts: true
      }
      const busy = acts.map((act) => act.do === "arrive" ? { ...act, group: "busy" } : act)
      run(rules, busy, ({ preempted, state }, _, __, now) => {
        const quiet = { _tag: "Arrived" as const, work: { ticket: 999, group: "quiet" } }
        assert.deepStrictEqual(FairQueue.next(rules, state, quiet, now).started, [999])
        assert.deepStrictEqual(preempted, [], "nothing of a group that is alone is ended")
      })
    }))
  })

  it("READ-19 where many accounts have all waiting that may wait, who has fewest waiting is not who is refused", () => {
    fc.assert(fc.property(rules, acts, (rules, acts) => {
      run(rules, acts, ({ refused, state }, before, event) => {
        if (event._tag !== "Arrived" || refused.length === 0) return
        const { group, ticket } = event.work
        const had = FairQueue.waitingOf(before, group)
        const most = Math.max(0, ...before.lines.map(({ tickets }) => tickets.length))
        if (refused[0] === ticket) assert.isTrue(had === rules.waitingOfGroup || had + 1 >= most)
        else assert.strictEqual(FairQueue.waitingOf(state, group), had + 1)
      })
    }))
  })

  it("MEDIA-51 while one group has work aside, another's waits for the turn of one at most", () => {
    const rules = { places: 1, asideMax: 2, ofGroup: 1, waitingOfGroup: 9, waitingMax: 9, preempts: false }
    const arrive = (state: FairQueue.State, ticket: number, group: string) =>
      FairQueue.next(rules, state, { _tag: "Arrived", work: { ticket, group } }, 0)
    const first = arrive(FairQueue.empty, 1, "busy")
    const second = arrive(first.state, 2, "busy")
    const third = arrive(second.state, 3, "quiet")
    assert.deepStrictEqual([first, second, third].map(({ started }) => started), [[1], [], []])
    const over = FairQueue.next(rules, third.state, { _tag: "TurnOver", ticket: 1 }, 3_000)
    assert.deepStrictEqual(over.started, [3])
    // Its own next waits until it has ended, not only its turn.
    const left = FairQueue.next(rules, over.state, { _tag: "Left", ticket: 3 }, 4_000)
    assert.deepStrictEqual(left.started, [])
    assert.deepStrictEqual(FairQueue.next(rules, left.state, { _tag: "Left", ticket: 1 }, 5_000).started, [2])
  })
})
