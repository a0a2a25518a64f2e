/** The operations as methods. */
import type { DriveCalls, DriveJson, PagedItems, PublicCalls, PublicJson } from "./generated/DriveCalls.ts"
import { table } from "./generated/table.ts"
import { callNames, clientNames, knownOnly } from "./knownOnly.ts"
import type { CallOptions, ClientOptions, Fetch, PublicCallOptions, PublicClientOptions } from "./Options.ts"
import { Wire } from "./Wire.ts"

/** An operation that answers in pages. */
export type PagedOperation = keyof PagedItems

/** What an operation takes, by its id. */
export type RequestOf<Id extends keyof (DriveJson & PublicJson)> = (DriveJson & PublicJson)[Id]["request"]

/** What it answers. */
export type AnswerOf<Id extends keyof (DriveJson & PublicJson)> = (DriveJson & PublicJson)[Id]["answer"]

export interface Calls extends DriveCalls {
  /** The operations that need no account but a link. */
  readonly public: PublicCalls
  /** The items of an operation that answers in pages, one after the other: `for await (const file of client.all("searchFiles", { text })) …` */
  readonly all: <Id extends PagedOperation>(
    operation: Id,
    request?: RequestOf<Id>,
    options?: PublicCallOptions
  ) => AsyncGenerator<PagedItems[Id], void, undefined>
  /** The session that calls are made with: one that the client has, or the next. */
  readonly session: (options?: CallOptions) => Promise<string>
}

type Call = (request?: unknown, options?: PublicCallOptions) => Promise<unknown>

interface Page {
  readonly nextOffset?: number | null
  readonly nextCursor?: string | null
  /** Of a feed, which always has a cursor. */
  readonly more?: boolean
  readonly [items: string]: unknown
}

/** Everything that is called, and what it is called through. */
export const make = (
  options: ClientOptions | PublicClientOptions,
  ask?: Fetch
): { readonly wire: Wire; readonly calls: Calls } => {
  knownOnly(options, clientNames)
  const wire = new Wire(options, ask)
  const calls: [Record<string, Call>, Record<string, Call>] = [{}, {}]
  const pages: Record<string, ReadonlyArray<string>> = {}
  for (const group of table.split(";")) {
    const [verb, ...rows] = group.split(" ")
    for (const row of rows) {
      const [, noun, once, open, paged] = /^(\w+)(!?)(~?):?(.*)/.exec(row)!
      const id = verb! + noun
      const path = `/${id.replace(/[A-Z]/g, "-$&").toLowerCase()}`
      calls[open ? 1 : 0]![id] = async (body, options) => {
        knownOnly(options ?? {}, callNames)
        return wire.call({ ...options, path, body, isPublic: !!open, isRepeatable: !once })
      }
      pages[id] = paged!.split(",")
    }
  }
  const [drive, open] = calls
  return {
    wire,
    calls: {
      ...drive as unknown as DriveCalls,
      public: open as unknown as PublicCalls,
      async *all(id, request, options) {
        const [items, parameter] = pages[id]!
        const call = (drive[id] ?? open[id])!
        for (let page = request ?? {};;) {
          const answer = await call(page, options) as Page
          yield* answer[items!] as ReadonlyArray<never>
          const next = answer.nextOffset ?? answer.nextCursor
          if (next == null || answer.more === false) return
          page = { ...page, [parameter!]: next }
        }
      },
      session: async ({ signal } = {}) => (await wire.session(signal)).token
    }
  }
}

/** The operations of a drive for a user, and nothing else. */
export const createCalls = (options: ClientOptions): Calls => make(options).calls

/** The operations of people without an account, and nothing else. */
export const createPublicCalls = (options: PublicClientOptions): PublicCalls => make(options).calls.public
