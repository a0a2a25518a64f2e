/**
 * Whose turn it is, where few can be served at a time: accounts take turns, whatever each of them has waiting, and none
 * has more places than its share. Work that is at it for longer than a turn may go on aside, beside the next.
 *
 * ```text
 *   arrived ─▶ waiting ─▶ in its turn ─turn over─▶ aside
 *      │          │            │                     │
 *      └ refused  └────────────┴──── left ───────────┘
 * ```
 */

export interface Rules {
  /** Works in their turn. */
  readonly places: number
  /** Works whose turn is over, beside these. */
  readonly asideMax: number
  /** Works of one account, in their turn and aside. At most half of all there can be, so that others find a place. */
  readonly ofAccount: number
  /** Works of one account that may wait. */
  readonly waitingOfAccount: number
  /** Works that may wait, of all accounts together. */
  readonly waitingMax: number
}

export interface Work {
  readonly ticket: number
  readonly account: string
}

interface Running extends Work {
  /** `over`: it would go aside if there were room. */
  readonly turn: "on" | "over" | "aside"
}

/** What waits of one account, oldest first. */
interface Line {
  readonly account: string
  readonly tickets: ReadonlyArray<number>
}

export interface State {
  readonly running: ReadonlyArray<Running>
  /** In the order of their turns; none is empty. */
  readonly lines: ReadonlyArray<Line>
}

export type Event =
  | { readonly _tag: "Arrived"; readonly work: Work }
  | { readonly _tag: "TurnOver"; readonly ticket: number }
  /** It has ended, or nobody waits for it any more. */
  | { readonly _tag: "Left"; readonly ticket: number }

export interface Step {
  readonly state: State
  /** Tickets that begin now. */
  readonly started: ReadonlyArray<number>
  /** Tickets that are refused, because too much waits: the one that arrived, or one of the account that has most waiting. */
  readonly refused: ReadonlyArray<number>
}

export const empty: State = { running: [], lines: [] }

/** How much of an account waits. */
export const waitingOf = ({ lines }: State, account: string): number =>
  lines.find((line) => line.account === account)?.tickets.length ?? 0

export const next = (rules: Rules, state: State, event: Event): Step => {
  switch (event._tag) {
    case "Arrived":
      return arrive(rules, state, event.work)
    case "TurnOver":
      return settle(rules, {
        ...state,
        running: state.running.map((one) =>
          one.ticket === event.ticket && one.turn === "on" ? { ...one, turn: "over" } : one
        )
      })
    case "Left":
      return settle(rules, {
        running: state.running.filter(({ ticket }) => ticket !== event.ticket),
        lines: state.lines.flatMap((line) => {
          const tickets = line.tickets.filter((ticket) => ticket !== event.ticket)
          return tickets.length === 0 ? [] : [tickets.length === line.tickets.length ? line : { ...line, tickets }]
        })
      })
  }
}

const arrive = (rules: Rules, state: State, { account, ticket }: Work): Step => {
  const line = state.lines.find((line) => line.account === account)
  const lines = line === undefined
    ? [...state.lines, { account, tickets: [ticket] }]
    : state.lines.map((one) => one === line ? { ...line, tickets: [...line.tickets, ticket] } : one)
  const step = settle(rules, { ...state, lines })
  if (step.started.length > 0) return step
  if (waitingOf(step.state, account) > rules.waitingOfAccount) return { state, started: [], refused: [ticket] }
  const waiting = lines.reduce((sum, { tickets }) => sum + tickets.length, 0)
  return waiting > rules.waitingMax ? refuseOne(step.state, account) : step
}

/** Refuses the newest of the account that has most waiting: not who comes first for who has many waiting already. */
const refuseOne = (state: State, arrived: string): Step => {
  const longest = state.lines.reduce((most, line) => {
    const more = line.tickets.length - most.tickets.length
    return more > 0 || (more === 0 && line.account === arrived) ? line : most
  })
  const tickets = longest.tickets.slice(0, -1)
  return {
    state: {
      ...state,
      lines: state.lines.flatMap((line) => line !== longest ? [line] : tickets.length > 0 ? [{ ...line, tickets }] : [])
    },
    started: [],
    refused: longest.tickets.slice(-1)
  }
}

/** Lets aside what may go there, and begins whatever has a place now: of each account in turn. */
const settle = (rules: Rules, { lines, running }: State): Step => {
  const now = [...letAside(rules, running)]
  let left = lines
  const started: Array<number> = []
  while (true) {
    const line = left.find(({ account }) => hasPlace(rules, now, account))
    if (line === undefined) return { state: { running: now, lines: left }, started, refused: [] }
    const [ticket, ...rest] = line.tickets
    const others = left.filter((one) => one !== line)
    left = rest.length === 0 ? others : [...others, { ...line, tickets: rest }]
    now.push({ ticket: ticket!, account: line.account, turn: "on" })
    started.push(ticket!)
  }
}

const letAside = ({ asideMax }: Rules, running: ReadonlyArray<Running>): ReadonlyArray<Running> => {
  let room = asideMax - running.filter(({ turn }) => turn === "aside").length
  return running.map((one) => one.turn === "over" && room-- > 0 ? { ...one, turn: "aside" } : one)
}

const hasPlace = ({ ofAccount, places }: Rules, running: ReadonlyArray<Running>, account: string): boolean =>
  running.filter(({ turn }) => turn !== "aside").length < places
  && running.filter((one) => one.account === account).length < ofAccount
