/**
 * Decides which check of a password is next, and which is refused. All checks take about the same short time, so what groups have used
 * before doesn't count: only what is at work and what waits now.
 *
 * Accounts take turns, and the links of an account take turns within its turn. A line is what waits of one account, or of one link. Next
 * is the line with the fewest checks at work, and of these the one that came, or had its turn, longest ago. So whoever comes goes behind
 * the lines that are there, and nobody who comes later goes before a line with nothing at work: it waits for those at work and for one
 * check of each account that waited before.
 */

export interface Rules {
  /** Checks at work at a time. */
  readonly places: number
  /** Checks of one link that may wait. */
  readonly waitingOfLink: number
  /** Checks that may wait, of all links together. */
  readonly waitingMax: number
}

export interface Check {
  readonly ticket: number
  readonly accountId: string
  readonly linkId: string
  /** See `LinkCall`. */
  readonly network: string | null
}

/** When each line came or had its last turn, as a number that grows. */
type Turns = ReadonlyMap<string, number>

export interface State {
  readonly working: ReadonlyArray<Check>
  /** The one that came first is first. */
  readonly waiting: ReadonlyArray<Check>
  readonly lastTurn: number
  /** Of the accounts and links that wait. */
  readonly ofAccounts: Turns
  readonly ofLinks: Turns
}

export type Event =
  | { readonly _tag: "Arrived"; readonly check: Check }
  /** It is done, or nobody waits for it any longer. */
  | { readonly _tag: "Left"; readonly ticket: number }

export interface Step {
  readonly state: State
  /** Tickets that begin now. */
  readonly started: ReadonlyArray<number>
  /** The ticket that is refused because too much waits: the one that came, or another. */
  readonly refused: number | null
}

export const empty: State = { working: [], waiting: [], lastTurn: 0, ofAccounts: new Map(), ofLinks: new Map() }

export const next = (rules: Rules, state: State, event: Event): Step => {
  if (event._tag === "Left") {
    const isOther = ({ ticket }: Check) => ticket !== event.ticket
    return begin(
      rules,
      without(state, { working: state.working.filter(isOther), waiting: state.waiting.filter(isOther) })
    )
  }
  const { check } = event
  const turn = state.lastTurn + 1
  const step = begin(rules, {
    ...state,
    waiting: [...state.waiting, check],
    lastTurn: turn,
    ofAccounts: new Map([[check.accountId, turn], ...state.ofAccounts]),
    ofLinks: new Map([[check.linkId, turn], ...state.ofLinks])
  })
  if (step.started.length > 0) return step
  const refused = countOf(step.state.waiting, "linkId", check) > rules.waitingOfLink
    ? check
    : step.state.waiting.length > rules.waitingMax
    ? refusedOf(step.state.waiting, check)
    : null
  if (refused === null) return step
  const waiting = step.state.waiting.filter((one) => one !== refused)
  return { state: without(step.state, { waiting }), started: [], refused: refused.ticket }
}

const begin = (rules: Rules, before: State): Step => {
  let state = before
  const started: Array<number> = []
  while (state.working.length < rules.places && state.waiting.length > 0) {
    const { ofAccounts, ofLinks, working } = state
    const check = first(state.waiting, (one) => [
      countOf(working, "accountId", one),
      ofAccounts.get(one.accountId)!,
      countOf(working, "linkId", one),
      ofLinks.get(one.linkId)!,
      one.ticket
    ])
    const lastTurn = state.lastTurn + 1
    started.push(check.ticket)
    state = without({
      ...state,
      lastTurn,
      ofAccounts: new Map([...ofAccounts, [check.accountId, lastTurn]]),
      ofLinks: new Map([...ofLinks, [check.linkId, lastTurn]])
    }, { working: [...working, check], waiting: state.waiting.filter((one) => one !== check) })
  }
  return { state, started, refused: null }
}

/**
 * One of the account with most waiting. On equal counts one of the address with most waiting among all, then one of the link with most
 * waiting, and then the one that came last of those that waited before: it has waited for the shortest time, and the newcomer takes
 * its place.
 */
const refusedOf = (waiting: ReadonlyArray<Check>, newcomer: Check): Check => {
  const accounts = countsOf(waiting.map(({ accountId }) => accountId))
  const networks = countsOf(waiting.map(({ network }) => network))
  const links = countsOf(waiting.map(({ linkId }) => linkId))
  return first(waiting, (one) => [
    -accounts.get(one.accountId)!,
    one.network === null ? -1 : -networks.get(one.network)!,
    -links.get(one.linkId)!,
    one === newcomer ? 1 : 0,
    -one.ticket
  ])
}

const countsOf = (keys: ReadonlyArray<string | null>): ReadonlyMap<string | null, number> => {
  const counts = new Map<string | null, number>()
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

/** With these checks, and without the turns of lines that have ended. */
const without = (state: State, changed: Partial<Pick<State, "working" | "waiting">>): State => {
  const { waiting } = { ...state, ...changed }
  const accounts = new Set(waiting.map(({ accountId }) => accountId))
  const links = new Set(waiting.map(({ linkId }) => linkId))
  return {
    ...state,
    ...changed,
    ofAccounts: new Map([...state.ofAccounts].filter(([id]) => accounts.has(id))),
    ofLinks: new Map([...state.ofLinks].filter(([id]) => links.has(id)))
  }
}

const countOf = (checks: ReadonlyArray<Check>, by: "accountId" | "linkId", like: Check): number =>
  checks.reduce((count, one) => one[by] === like[by] ? count + 1 : count, 0)

/** The check whose numbers are the lowest, compared one after the other. */
const first = (checks: ReadonlyArray<Check>, numbersOf: (check: Check) => ReadonlyArray<number>): Check =>
  checks.map((check) => ({ check, numbers: numbersOf(check) })).reduce((best, one) => {
    const at = one.numbers.findIndex((number, at) => number !== best.numbers[at])
    return at >= 0 && one.numbers[at]! < best.numbers[at]! ? one : best
  }).check
