/**
 * A drive for hosts that write no Effect.
 *
 * ```ts
 * const drive = createDrive()
 * const ada = await drive.accounts.create({ handle: "ada" })
 * await serve(drive, { port: 4500 })
 * ```
 *
 * Without options it keeps everything in `./.filedrive`. Several drives may
 * live in one process.
 */
import { FormEnds, JobsWorker, migrate } from "@filedrive/core"
import { Effect, Layer } from "effect"
import type { ServerResponse } from "node:http"
import { accountId } from "./arguments.ts"
import { checkOptions } from "./checkOptions.ts"
import {
  type DriveAccounts,
  type DriveSessions,
  type DriveTokens,
  makeAccounts,
  makeSessions,
  makeTokens
} from "./DriveAccounts.ts"
import { closed } from "./DriveError.ts"
import { migrationLayer } from "./DriveLayer.ts"
import type { DriveOptions } from "./DriveOptions.ts"
import { documentsOf, linkPathsOf, pagePathsOf, pathsOf, prefixesOf } from "./DrivePaths.ts"
import { type FollowDriveEvents, followDriveEvents } from "./FollowEvents.ts"
import { type HostTransaction, hostTransaction, type TransactionClient } from "./HostTransaction.ts"
import * as Answer from "./http/Answer.ts"
import { originOfSocket } from "./http/DriveServer.ts"
import { isMountRemoved, mountOf, ownUrl, pathOf } from "./http/MountPath.ts"
import type { HostRequest } from "./http/ParsedBody.ts"
import { untilRead } from "./http/WebBody.ts"
import { Lifecycle } from "./Lifecycle.ts"
import * as Observability from "./Observability.ts"
import { type PublicDrive, publicDrive } from "./PublicDrive.ts"
import { makeRun } from "./Run.ts"
import { type CallLimits, type UserDrive, userDrive } from "./UserDrive.ts"
import * as UserIds from "./UserIds.ts"

export interface Drive {
  /** Answers a request of the web's kind. The path may come with the mount or without it. */
  readonly fetch: (request: Request) => Promise<Response>
  /**
   * Answers a request of `node:http`; the faster one. Give it `next` and it is
   * called for every path that is not the drive's, which else is a 404.
   */
  readonly nodeHandler: (request: HostRequest, response: ServerResponse, next?: () => void) => void
  /**
   * Whether a URL's path is one of the drive's routes, with the mount or without it: of `request.url` in `node:http` and of a web `Request`
   * alike. The documents that clients look for at the root of the origin count too.
   */
  readonly owns: (url: string) => boolean
  /**
   * The drive as this user sees it, for a host's own code (the id is a UUID, or with the option `accounts` the host's own id of the user): `await drive.as(userId).searchFiles({ text: "cat" })`. The
   * host vouches for the user's identity. For a user who is suspended or unknown every call rejects with `not_allowed`, and events end
   * within 5 seconds: to delete such a user's files, do it first. Every call rejects with a `DriveError`.
   */
  readonly as: (userId: string, limits?: CallLimits) => UserDrive
  /**
   * The operations of people without an account, who have the link of a file request: for a host's own pages. They are limited
   * like calls over HTTP: by link, and by the address that the host names.
   */
  readonly public: PublicDrive
  /**
   * The id of the user's account: a UUID. Operations and routes take and answer accounts by it, as in `shareFiles`. It is `userId` itself,
   * unless a host with users of its own (option `accounts`) has another id for the user.
   */
  readonly accountIdOf: (userId: string) => Promise<string>
  /** The reverse: the host's id of the user with this account. Returns the id itself when the drive has stored no text for it. */
  readonly userIdOf: (accountId: string) => Promise<string>
  /**
   * The calls that can join a transaction which the host has begun on a client of its pool (option `database: { pool }`): they are
   * committed and rolled back with it. Rejects with a `DriveError` naming `client` when it has no open transaction.
   */
  readonly transaction: (client: TransactionClient) => HostTransaction
  /**
   * What happens on the drives of all users, for a host's own worker: `for await (const event of drive.events({ after: cursor }))`.
   * The worker stores the cursor of each event that it handled, and continues from it after a restart.
   */
  readonly events: FollowDriveEvents
  readonly accounts: DriveAccounts
  readonly tokens: DriveTokens
  readonly sessions: DriveSessions
  /**
   * Where people reach the drive: `url`, and its parts below it. A host with a server of its own gives `url`: without it they
   * begin with `http://127.0.0.1:4500`, and the log says so when a request comes to another address.
   */
  readonly urls: {
    readonly site: string
    readonly api: string
    readonly auth: string
    readonly storage: string
    /** Of the agent; nothing answers there with the option `agent: false`. */
    readonly a2a: string
    /** Of the tools for MCP clients; nothing answers there with the option `mcp: false`. */
    readonly mcp: string
    /** Of the authorization server, as apps know it; null without the option `signIn`. */
    readonly issuer: string | null
  }
  /**
   * Starts the drive, if nothing has yet, and resolves when it is ready: the first
   * call or request does the same. Rejects with the reason when it can't start; other calls then
   * reject with `unavailable`, and the reason as `cause`.
   */
  readonly ready: () => Promise<void>
  /** Brings the database up to date; for `migrateAtStart: false`. Safe to run from many processes at once. */
  readonly migrate: () => Promise<void>
  /** Runs the background jobs that are due, until none is. Returns how many ran. For `runJobs: false`. */
  readonly runJobs: () => Promise<number>
  /**
   * Waits until nothing is left of what calls do in storage after their answer: what was uploaded with the form of an inserted file is
   * removed then. For tests that check what is in storage. `close` waits for this too.
   */
  readonly settled: () => Promise<void>
  /** Every metric, in Prometheus's text format. */
  readonly metrics: () => Promise<string>
  /** Tells the drive where it is served, when no `url` was given. `serve` does. */
  readonly listensAt: (origin: string) => void
  /**
   * Ends the answers and streams that follow a feed; to be called when a server stops, which else waits for them. `serve`
   * and `close` do.
   */
  readonly endStreams: () => Promise<void>
  /**
   * Waits for requests in flight, gives jobs back, closes the database. Repeating is safe. Later calls reject with the
   * `DriveError` `unavailable`, which is not `retryable`; feeds that are followed end.
   */
  readonly close: () => Promise<void>
  /** {@link close}, for `await using drive = createDrive()`. */
  readonly [Symbol.asyncDispose]: () => Promise<void>
}

/** Throws `WrongOption` for an option that can't be used. Nothing is opened before `ready`, a call or a request. */
export const createDrive = (options: DriveOptions = {}): Drive => {
  checkOptions(options)
  const paths = pathsOf(options)
  const lifecycle = new Lifecycle(options)
  const prefixes = prefixesOf(options)
  const links = linkPathsOf(options)
  const pages = pagePathsOf(options)
  const documents = documentsOf(options)
  const own = () => ({ mount: mountOf(lifecycle.site), prefixes, links, pages, documents })
  const { inFlight } = lifecycle

  const run = makeRun(lifecycle)
  const ownUsers = options.accounts === undefined
  const users = ownUsers || Layer.isLayer(options.accounts) ? UserIds.uuids : UserIds.ofHost
  const notStarted = (error: unknown) => {
    lifecycle.say("The drive did not start.", error)
    return Answer.notStarted
  }

  const nodeHandler: Drive["nodeHandler"] = (request, response, next) => {
    const whole = pathOf(request.url ?? "/")
    const url = ownUrl(own(), whole, isMountRemoved(whole, request.originalUrl && pathOf(request.originalUrl)))
    if (url === undefined) return next === undefined ? Answer.send(response, Answer.unknownRoute) : next()
    // Its caller disconnected while code before the drive was running: nobody waits for an answer.
    if (response.destroyed) return
    if (inFlight.closing) return Answer.send(response, Answer.at(url, Answer.closing))
    response.once("close", inFlight.enter())
    lifecycle.askedAt(originOfSocket(request.socket))
    if (lifecycle.running !== undefined) return lifecycle.running.binding.node(request, response, url)
    lifecycle.start().then(
      ({ binding }) => response.destroyed ? undefined : binding.node(request, response, url),
      (error: unknown) => Answer.send(response, Answer.at(url, notStarted(error)))
    )
  }

  const fetch: Drive["fetch"] = async (request) => {
    const { origin, pathname, search } = new URL(request.url)
    const url = ownUrl(own(), pathname + search)
    if (url === undefined) return Answer.toWeb(Answer.unknownRoute)
    if (inFlight.closing) return Answer.toWeb(Answer.at(url, Answer.closing))
    const leave = inFlight.enter()
    try {
      lifecycle.askedAt(origin)
      const running = await lifecycle.start().catch(notStarted)
      const response = "binding" in running
        ? await running.binding.web(request, url)
        : Answer.toWeb(Answer.at(url, running))
      return untilRead(response, request.signal, leave)
    } catch (error) {
      leave()
      throw error
    }
  }

  const migrateOnly = async () => {
    if (inFlight.closing) throw closed()
    return lifecycle.alive.during(
      Effect.runPromise(Effect.scoped(Effect.asVoid(Layer.build(migrationLayer(options)))))
    )
  }

  return {
    fetch,
    nodeHandler,
    owns: (url) => ownUrl(own(), pathOf(url)) !== undefined,
    as: (userId, limits) => userDrive(run, users, userId, limits),
    public: publicDrive(run),
    accountIdOf: async (userId) => {
      const user = users.user(run, userId)
      await user.run(Effect.void)
      return user.id
    },
    userIdOf: async (given) => {
      const id = accountId(given, "accountId")
      return (await run(users.userIdsOf([id])))(id)
    },
    transaction: (client) => hostTransaction(run, users, ownUsers, options.quotaBytes ?? null, client),
    events: followDriveEvents(run, users),
    accounts: makeAccounts(run, ownUsers, options.quotaBytes ?? null),
    tokens: makeTokens(run, users),
    sessions: makeSessions(run, users),
    get urls() {
      const { site } = lifecycle
      return {
        site,
        api: site + paths.api,
        auth: site + paths.auth,
        storage: site + paths.storage,
        a2a: site + paths.a2a,
        mcp: site + paths.mcp,
        issuer: options.signIn === undefined ? null : site
      }
    },
    ready: async () => void await lifecycle.start(),
    migrate: () => lifecycle.running === undefined ? migrateOnly() : run(Effect.asVoid(Effect.orDie(migrate))),
    runJobs: () => run(Effect.flatMap(JobsWorker, (worker) => worker.runDue)),
    settled: () => run(FormEnds.use((ends) => ends.cleared)),
    metrics: () => run(Observability.prometheus),
    listensAt: (origin) => lifecycle.listensAt(origin),
    endStreams: () => lifecycle.endStreams(),
    close: () => lifecycle.close(),
    [Symbol.asyncDispose]: () => lifecycle.close()
  }
}
