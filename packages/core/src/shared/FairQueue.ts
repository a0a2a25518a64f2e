/**
 * Decides whose turn it is, where few can be served at a time. Work comes from groups: the accounts of a drive, or its public links.
 * Of the groups that wait, the one that has had places for the shortest time recently ({@link "./PlaceUse.ts"}) is next, whatever each of
 * them has waiting, and none has more places than its share. Work that takes longer than a turn continues in an extra place ("aside"),
 * beside the next. Where no extra place is free and a group waits that has used less, work past its turn may be preempted: a group that
 * has used little waits for one turn at most.
 *
 * ```text
 *   arrived ─▶ waiting ─▶ in its turn ─▶ turn over ─▶ aside
 *      │          │            │             │          │
 *      │          │            │             └─ preempted (keeps its place until it has left)
 *      └ refused  └────────────┴──────── left ──────────┘
 * ```
 */
import * as PlaceUse from "./PlaceUse.ts"

export interface Rules {
  /** Works in their turn. */
  readonly places: number
  /** Works whose turn is over, beside these. */
  readonly asideMax: number
  /** Works of one group, in their turn and aside. Where work takes long, at most half of all there can be, so that others find a place. */
  readonly ofGroup: number
  /** Works of one group that may wait. */
  readonly waitingOfGroup: number
  /** Works that may wait, of all groups together. */
  readonly waitingMax: number
  /** Whether work whose turn is over is ended when it can't go aside and another group waits. */
  readonly preempts: boolean
}

/**
 * Work in an extra place is preempted only for a group that has used so much less recently: longer than most files take, so that of
 * groups with equal use such work is finished.
 */
const asideLeadMillis = 30_000

export interface Work {
  readonly ticket: number
  readonly group: string
}

interface Running extends Work {
  /** `over`: it would go aside if there were room. */
  readonly turn: "on" | "over" | "aside"
  /** When it began. */
  readonly since: number
  /** It is being preempted, and keeps its place until it has left. */
  readonly isPreempted: boolean
}

/** What waits of one group, oldest first. */
interface Line {
  readonly group: string
  readonly tickets: ReadonlyArray<number>
}

export interface State {
  readonly running: ReadonlyArray<Running>
  /** The group that came first, or began longest ago, is first; none is empty. */
  readonly lines: ReadonlyArray<Line>
  /** Of what has left. */
  readonly use: PlaceUse.PlaceUse
}

export type Event =
  | { readonly _tag: "Arrived"; readonly work: Work }
  /** Its turn is over, or one more is: a waiting group may have used less by now. */
  | { readonly _tag: "TurnOver"; readonly ticket: number }
  /** It has ended, or nobody waits for it any longer. */
  | { readonly _tag: "Left"; readonly ticket: number }

export interface Step {
  readonly state: State
  /** Tickets that begin now. */
  readonly started: ReadonlyArray<number>
  /** Tickets that are refused, because too much waits: the one that arrived, or one of the group that has most waiting. */
  readonly refused: ReadonlyArray<number>
  /** Tickets that are to be ended now. */
  readonly preempted: ReadonlyArray<number>
}

export const empty: State = { running: [], lines: [], use: PlaceUse.none }

/** For how long a group has had places lately, in milliseconds; with what it has running. */
export const useOf = ({ running, use }: State, group: string, now: number): number =>
  running.reduce(
    (sum, one) => one.group === group ? sum + Math.max(now - one.since, 0) : sum,
    PlaceUse.of(use, group, now)
  )

/** How many works of a group wait. */
export const waitingOf = ({ lines }: State, group: string): number =>
  lines.find((line) => line.group === group)?.tickets.length ?? 0

/** @param now in milliseconds. */
export const next = (rules: Rules, state: State, event: Event, now: number): Step => {
  switch (event._tag) {
    case "Arrived":
      return arrive(rules, state, event.work, now)
    case "TurnOver":
      return settle(rules, {
        ...state,
        running: state.running.map((one) =>
          one.ticket === event.ticket && one.turn === "on" ? { ...one, turn: "over" } : one
        )
      }, now)
    case "Left": {
      const left = state.running.find(({ ticket }) => ticket === event.ticket)
      return settle(rules, {
        running: state.running.filter((one) => one !== left),
        lines: state.lines.flatMap((line) => {
          const tickets = line.tickets.filter((ticket) => ticket !== event.ticket)
          return tickets.length === 0 ? [] : [tickets.length === line.tickets.length ? line : { ...line, tickets }]
        }),
        use: left === undefined ? state.use : PlaceUse.add(state.use, left.group, now - left.since, now)
      }, now)
    }
  }
}

const arrive = (rules: Rules, state: State, { group, ticket }: Work, now: number): Step => {
  const line = state.lines.find((line) => line.group === group)
  const lines = line === undefined
    ? [...state.lines, { group, tickets: [ticket] }]
    : state.lines.map((one) => one === line ? { ...line, tickets: [...line.tickets, ticket] } : one)
  const step = settle(rules, { ...state, lines }, now)
  if (step.started.length > 0) return step
  if (waitingOf(step.state, group) > rules.waitingOfGroup) {
    return { state, started: [], refused: [ticket], preempted: [] }
  }
  const waiting = lines.reduce((sum, { tickets }) => sum + tickets.length, 0)
  return waiting > rules.waitingMax ? refuseOne(step, group) : step
}

/** Refuses the newest work of the group that has most waiting: so a group with one work is not refused because of another with many. */
const refuseOne = (step: Step, arrived: string): Step => {
  const { state } = step
  const longest = state.lines.reduce((most, line) => {
    const more = line.tickets.length - most.tickets.length
    return more > 0 || (more === 0 && line.group === arrived) ? line : most
  })
  const tickets = longest.tickets.slice(0, -1)
  return {
    ...step,
    state: {
      ...state,
      lines: state.lines.flatMap((line) => line !== longest ? [line] : tickets.length > 0 ? [{ ...line, tickets }] : [])
    },
    refused: longest.tickets.slice(-1)
  }
}

/** Moves works to extra places, begins those that have a place now, and preempts those that others wait for. */
const settle = (rules: Rules, state: State, now: number): Step => {
  const ofGroup = new Map<string, number>()
  const used = ({ group }: { readonly group: string }): number => {
    const known = ofGroup.get(group) ?? useOf(state, group, now)
    ofGroup.set(group, known)
    return known
  }
  const begun = begin(rules, { ...state, running: letAside(rules, state.running, used) }, used, now)
  const preempted = rules.preempts ? overdue(rules, begun.state, used) : []
  const running = begun.state.running.map((one) => preempted.includes(one) ? { ...one, isPreempted: true } : one)
  return {
    state: { ...begun.state, running },
    started: begun.started,
    refused: [],
    preempted: preempted.map(({ ticket }) => ticket)
  }
}

type Used = (of: { readonly group: string }) => number

const letAside = ({ asideMax }: Rules, running: ReadonlyArray<Running>, used: Used): ReadonlyArray<Running> => {
  const room = asideMax - running.filter(({ turn }) => turn === "aside").length
  const over = running.filter(({ isPreempted, turn }) => turn === "over" && !isPreempted)
  const going = new Set(over.toSorted((a, b) => used(a) - used(b)).slice(0, room))
  return running.map((one) => going.has(one) ? { ...one, turn: "aside" } : one)
}

const begin = (rules: Rules, state: State, used: Used, now: number) => {
  const running = [...state.running]
  let { lines } = state
  const started: Array<number> = []
  while (inTurn(running) < rules.places) {
    const [line] = lines.filter(({ group }) => isBelowShare(rules, running, group)).toSorted((a, b) =>
      used(a) - used(b)
    )
    if (line === undefined) break
    const [ticket, ...rest] = line.tickets
    const others = lines.filter((one) => one !== line)
    lines = rest.length === 0 ? others : [...others, { ...line, tickets: rest }]
    running.push({ ticket: ticket!, group: line.group, turn: "on", since: now, isPreempted: false })
    started.push(ticket!)
  }
  return { state: { ...state, running, lines }, started }
}

/**
 * The works to preempt so that each group that lacks only a place gets one: of those past their turn, that of the group
 * that has used most recently, and of these the one that has run the longest. Not for a group that has used more itself: it would
 * not be next, and of many groups that take turns each would preempt the small work of another, again and again.
 */
const overdue = (rules: Rules, { lines, running }: State, used: Used): ReadonlyArray<Running> => {
  const ending = running.filter(({ isPreempted }) => isPreempted)
  // When a work in an extra place ends, one whose turn is over moves there; so as many places can become free.
  const free = running.filter(({ isPreempted, turn }) => turn === "over" && !isPreempted).length
    - ending.filter(({ turn }) => turn === "aside").length
  const score = (one: Running) => used(one) - (one.turn === "aside" ? asideLeadMillis : 0)
  const candidates = running
    .filter(({ isPreempted, turn }) => turn !== "on" && !isPreempted)
    .toSorted((a, b) => score(b) - score(a))
  const chosen: Array<Running> = []
  const waiting = lines.filter(({ group }) => isBelowShare(rules, running, group)).slice(ending.length)
  for (const { group } of waiting) {
    if (chosen.length >= free) break
    const one = candidates.find((one) => one.group !== group && !chosen.includes(one) && score(one) > used({ group }))
    if (one !== undefined) chosen.push(one)
  }
  return chosen
}

const inTurn = (running: ReadonlyArray<Running>): number => running.filter(({ turn }) => turn !== "aside").length

const isBelowShare = ({ ofGroup }: Rules, running: ReadonlyArray<Running>, group: string): boolean =>
  running.filter((one) => one.group === group).length < ofGroup
