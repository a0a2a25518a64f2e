import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as CheckTurns from "./CheckTurns.ts"

type Act =
  | { readonly do: "arrive"; readonly account: number; readonly link: number; readonly network: number | null }
  | { readonly do: "leave"; readonly which: number }

const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("arrive" as const),
      account: fc.nat(7),
      link: fc.nat(2),
      network: fc.option(fc.nat(5))
    })
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("leave" as const), which: fc.nat(30) }) }
)
const acts = fc.array(act, { maxLength: 150 })
const rules: fc.Arbitrary<CheckTurns.Rules> = fc.record({
  places: fc.integer({ min: 1, max: 4 }),
  waitingOfLink: fc.integer({ min: 1, max: 6 }),
  waitingMax: fc.integer({ min: 1, max: 12 })
})

type See = (step: CheckTurns.Step, before: CheckTurns.State, event: CheckTurns.Event) => void

const run = (rules: CheckTurns.Rules, acts: ReadonlyArray<Act>, see: See) => {
  let state = CheckTurns.empty
  for (const [ticket, act] of acts.entries()) {
    const all = [...state.working, ...state.waiting]
    if (act.do === "leave" && all.length === 0) continue
    const event: CheckTurns.Event = act.do === "leave"
      ? { _tag: "Left", ticket: all[act.which % all.length]!.ticket }
      : {
        _tag: "Arrived",
        check: {
          ticket,
          accountId: `account ${act.account}`,
          linkId: `link ${act.account} ${act.link}`,
          network: act.network === null ? null : `192.0.2.${act.network}`
        }
      }
    const step = CheckTurns.next(rules, state, event)
    see(step, state, event)
    state = step.state
  }
}

const counts = (checks: ReadonlyArray<CheckTurns.Check>, by: "accountId" | "linkId" | "network") => {
  const found = new Map<string, number>()
  for (const { [by]: key } of checks) if (key !== null) found.set(key, (found.get(key) ?? 0) + 1)
  return found
}

const ticketsOf = (checks: ReadonlyArray<CheckTurns.Check>) => checks.map(({ ticket }) => ticket)

describe("CheckTurns", () => {
  it("LINK-22 no bound is ever passed, nobody waits beside a free place, and nothing is lost", () => {
    fc.assert(fc.property(rules, acts, (rules, acts) => {
      run(rules, acts, ({ refused, started, state }, before, event) => {
        assert.isAtMost(state.working.length, rules.places)
        assert.isTrue(state.working.length === rules.places || state.waiting.length === 0)
        assert.isAtMost(state.waiting.length, rules.waitingMax)
        for (const count of counts(state.waiting, "linkId").values()) assert.isAtMost(count, rules.waitingOfLink)
        const expected = new Set(ticketsOf([...before.working, ...before.waiting]))
        if (event._tag === "Arrived") expected.add(event.check.ticket)
        else expected.delete(event.ticket)
        if (refused !== null) expected.delete(refused)
        assert.sameMembers(ticketsOf([...state.working, ...state.waiting]), [...expected])
        assert.includeMembers(ticketsOf(state.working), [...started])
        assert.sameMembers([...state.ofAccounts.keys()], [...counts(state.waiting, "accountId").keys()])
        assert.sameMembers([...state.ofLinks.keys()], [...counts(state.waiting, "linkId").keys()])
      })
    }))
  })

  it("LINK-22 whoever comes to a link of another account waits for one check at most of each account that waited, and for no later one", () => {
    fc.assert(fc.property(rules, acts, (rules, acts) => {
      /** Of each account that came with nothing there: the accounts that may have one more turn before it. */
      const ahead = new Map<string, Set<string>>()
      run(rules, acts, ({ started, state }, before, event) => {
        const had = counts([...before.working, ...before.waiting], "accountId")
        if (event._tag === "Arrived" && !had.has(event.check.accountId)) {
          ahead.set(event.check.accountId, new Set(counts(before.waiting, "accountId").keys()))
        }
        for (const ticket of started) {
          const { accountId } = state.working.find((one) => one.ticket === ticket)!
          ahead.delete(accountId)
          for (const [newcomer, others] of ahead) {
            assert.isTrue(others.delete(accountId), `${accountId} before ${newcomer}`)
          }
        }
        const waiting = counts(state.waiting, "accountId")
        for (const newcomer of ahead.keys()) if (!waiting.has(newcomer)) ahead.delete(newcomer)
      })
    }))
  })

  it("LINK-22 where too much waits, one of the account with most waiting is refused, on equal counts one of the address with most", () => {
    fc.assert(fc.property(rules, acts, (rules, acts) => {
      run(rules, acts, ({ refused }, before, event) => {
        if (event._tag !== "Arrived" || refused === null) return
        const waiting = [...before.waiting, event.check]
        const one = waiting.find(({ ticket }) => ticket === refused)!
        const [accounts, links, networks] = [
          counts(waiting, "accountId"),
          counts(waiting, "linkId"),
          counts(waiting, "network")
        ]
        if (one === event.check && links.get(one.linkId)! > rules.waitingOfLink) return
        const most = Math.max(...accounts.values())
        assert.strictEqual(accounts.get(one.accountId), most)
        const near = ({ network }: CheckTurns.Check) => network === null ? 1 : networks.get(network)!
        const tied = waiting.filter(({ accountId }) => accounts.get(accountId) === most)
        assert.strictEqual(near(one), Math.max(...tied.map(near)))
        // With nothing else there, of the account or the address, the newcomer stays.
        if (accounts.get(event.check.accountId) === 1 && near(event.check) === 1) {
          assert.notStrictEqual(one, event.check)
        }
      })
    }))
  })
})
