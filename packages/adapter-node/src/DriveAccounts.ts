/** Users, API tokens and sessions as plain async functions, for a host's own code. */
import {
  AccountInput,
  type Accounts,
  AccountsAdmin,
  ApiTokens,
  ApiTokenText,
  CurrentAccount,
  DriveError,
  Given,
  type Ids,
  isOfPage,
  Sessions,
  SessionToken
} from "@filedrive/core"
import { DateTime, Effect, Option } from "effect"
import { accountId, exactObject, object } from "./arguments.ts"
import { refuse, toDriveError } from "./DriveError.ts"
import type { Run } from "./Run.ts"
import type { CallLimits } from "./UserDrive.ts"
import type { UserIds } from "./UserIds.ts"

export interface NewAccount {
  /** A UUID; made when left out. */
  readonly userId?: string
  /** Unique among the drive's users. */
  readonly handle?: string | null
  readonly displayName?: string | null
  /** Default `pro`. */
  readonly plan?: Accounts.Plan | null
  /** Bytes. Default: the option `quotaBytes` of `createDrive`. */
  readonly quotaBytes?: number | null
  /** Images a calendar month; null: no limit. Default `"plan"`: the plan's own allowance, the option `imagesPerMonth`. */
  readonly monthlyImages?: number | "plan" | null
  readonly showsViews?: boolean
}

export interface Account extends Omit<Accounts.Account, "id"> {
  readonly userId: string
}

/** The drive's own users. Where the host has brought its own, every function here rejects. */
export interface DriveAccounts {
  /** Null when the id or the handle is taken; then nothing changes. */
  readonly create: (account: NewAccount) => Promise<Account | null>
  readonly find: (userId: string) => Promise<Account | null>
  readonly findByHandle: (handle: string) => Promise<Account | null>
  /** Returns the changed account, or null when the user does not exist. So do the next. */
  readonly setPlan: (userId: string, plan: Accounts.Plan | null) => Promise<Account | null>
  readonly setQuota: (userId: string, quotaBytes: number | null) => Promise<Account | null>
  readonly setDisplayName: (userId: string, displayName: string | null) => Promise<Account | null>
  /** Null: no limit; `"plan"`: the plan's own allowance. */
  readonly setMonthlyImages: (userId: string, count: number | "plan" | null) => Promise<Account | null>
  readonly setShowsViews: (userId: string, showsViews: boolean) => Promise<Account | null>
  /** The user can no longer sign in, and every session ends. */
  readonly suspend: (userId: string) => Promise<Account | null>
  readonly unsuspend: (userId: string) => Promise<Account | null>
}

export interface NewToken extends CallLimits {
  readonly name: string
  readonly expireTime?: Date | null
}

/** A token whose text is in the host's configuration. */
export interface ConfiguredToken extends NewToken {
  readonly userId: string
  /** At least 32 characters. */
  readonly text: string
}

export interface DriveTokens {
  /** An API token of the user's. Its text is returned this once. Rejects with `not_allowed` when the user is suspended or unknown. */
  readonly create: (userId: string, token: NewToken) => Promise<{ readonly id: string; readonly token: string }>
  /** Gives the user a token with a text of the host's choosing, of at least 32 characters. Repeating is safe. */
  readonly register: (userId: string, text: string, token: NewToken) => Promise<void>
  /**
   * Makes these the tokens of the host's configuration, registered as {@link register} does: one that was configured before
   * and is no longer among them ends, with every session it was exchanged for. For a host's start; repeating is safe.
   */
  readonly configure: (tokens: ReadonlyArray<ConfiguredToken>) => Promise<void>
  /** Ends a token and every session it was exchanged for. */
  readonly revoke: (userId: string, tokenId: string) => Promise<void>
  /** Whose API token this is and what it may do; null when it is unknown, expired or revoked, or its user may not sign in. */
  readonly find: (text: string) => Promise<TokenFacts | null>
}

/** What an API token or a session may do. */
export interface CallerFacts {
  readonly userId: string
  /** Null: everything. */
  readonly permissions: CurrentAccount.Limits["permissions"]
  /** The id of the one folder it sees; null: the whole drive. */
  readonly folder: string | null
}

export interface TokenFacts extends CallerFacts {
  readonly tokenId: string
}

export interface DriveSessions {
  /**
   * A session for a user the host has signed in itself: `token` is what calls send as bearer token. Rejects with
   * `not_allowed` when the user is suspended or unknown.
   */
  readonly open: (userId: string, limits?: CallLimits) => Promise<{ readonly token: string; readonly expireTime: Date }>
  /**
   * Whose session this is and what it may do; null when it never was, or has ended. For a host that keeps a session in a cookie. Null for a
   * session of the drive's own pages, too: nobody is to be signed in by it.
   */
  readonly find: (token: string) => Promise<CallerFacts | null>
  /** Ends the session, and those of the drive's pages for its user. Repeating is safe. */
  readonly end: (token: string) => Promise<void>
  /** Ends every session of the user. */
  readonly endAll: (userId: string) => Promise<void>
}

const describe = ({ id, ...account }: Accounts.Account): Account => ({ userId: id, ...account })

const newToken = (
  { expireTime = null, folder = null, name, permissions = null }: typeof AccountInput.NewToken.Type
) => ({
  name,
  limits: { permissions, folderId: folder },
  expireTime: expireTime === null ? null : DateTime.fromDateUnsafe(expireTime)
})

const reading = {
  limits: Given.checkingExactly(AccountInput.CallLimits),
  token: Given.checkingExactly(AccountInput.NewToken),
  registered: Given.checkingExactly(AccountInput.RegisteredToken),
  configured: Given.checkingExactly(AccountInput.ConfiguredTokens),
  revoked: Given.checking(AccountInput.RevokedToken)
}

const ownUsers = new DriveError.Refused({
  code: "not_allowed",
  because: "This drive's users are the host's own (option `accounts`), so the drive keeps none."
})

type Admin = AccountsAdmin["Service"]

const text = (value: unknown, field: string): string =>
  typeof value === "string" ? value : refuse(field, "must be text")

/** What a host is told of a caller, by the host's own id of its user. */
const factsOf = async (
  run: Run,
  users: UserIds,
  id: Ids.AccountId,
  { folderId, permissions }: CurrentAccount.Limits
): Promise<CallerFacts> => ({ userId: (await run(users.userIdsOf([id])))(id), permissions, folder: folderId })

const accountNames = [
  "userId",
  "handle",
  "plan",
  "quotaBytes",
  "monthlyImages",
  "displayName",
  "showsViews"
] as const

/** `own`: whether the drive keeps its users itself. */
export const makeAccounts = (run: Run, own: boolean, quotaBytes: number | null): DriveAccounts => {
  const ask = async (
    call: (admin: Admin) => Effect.Effect<Option.Option<Accounts.Account>, DriveError.InvalidField>
  ): Promise<Account | null> => {
    if (!own) throw toDriveError(ownUsers)
    const found = await run(Effect.flatMap(AccountsAdmin, call))
    return Option.getOrNull(Option.map(found, describe))
  }
  return {
    create: async (given) => {
      const { userId, ...account } = exactObject(given, "", accountNames)
      const named = userId === undefined ? {} : { id: accountId(userId) }
      const there = Object.fromEntries(Object.entries(account).filter(([, value]) => value !== undefined))
      return ask((admin) => admin.create({ plan: "pro", quotaBytes, ...there, ...named }))
    },
    find: (userId) => ask((admin) => admin.find(accountId(userId))),
    findByHandle: (handle) => ask((admin) => admin.findByHandle(handle)),
    setPlan: (userId, plan) => ask((admin) => admin.setPlan(accountId(userId), plan)),
    setQuota: (userId, quota) => ask((admin) => admin.setQuota(accountId(userId), quota)),
    setDisplayName: (userId, name) => ask((admin) => admin.setDisplayName(accountId(userId), name)),
    setMonthlyImages: (userId, count) => ask((admin) => admin.setMonthlyImages(accountId(userId), count)),
    setShowsViews: (userId, shows) => ask((admin) => admin.setShowsViews(accountId(userId), shows)),
    suspend: (userId) => ask((admin) => admin.suspend(accountId(userId))),
    unsuspend: (userId) => ask((admin) => admin.unsuspend(accountId(userId)))
  }
}

const as = (id: Ids.AccountId) =>
  Effect.provideService(CurrentAccount.CurrentAccount, { id, tokenId: null, limits: CurrentAccount.unlimited })

/** A configured token with its user's account. The drive stores the text of the user's id. */
const withAccount = async (run: Run, users: UserIds, token: unknown, at: number): Promise<unknown> => {
  const { userId, ...others } = object(token as ConfiguredToken, `tokens[${at}]`, ["userId"])
  const user = users.user(run, userId, `tokens[${at}].userId`)
  await user.run(Effect.void)
  return { ...others, userId: user.id }
}

export const makeTokens = (run: Run, users: UserIds): DriveTokens => ({
  create: async (userId, token) => {
    const user = users.user(run, userId)
    const made = await user.run(
      reading.token(token).pipe(
        Effect.flatMap((read) => ApiTokens.use((tokens) => tokens.create(newToken(read)))),
        as(user.id)
      )
    )
    return { id: made.token.id, token: made.text }
  },
  register: async (userId, text, token) => {
    const { id, run: runFor } = users.user(run, userId)
    return runFor(
      Effect.flatMap(
        reading.registered({ ...object(token), text }),
        (read) => ApiTokens.use((tokens) => tokens.register(id, read.text, newToken(read)))
      )
    )
  },
  configure: async (tokens) => {
    const given: unknown = users.areTexts && Array.isArray(tokens)
      ? await Promise.all(tokens.map((token: unknown, at) => withAccount(run, users, token, at)))
      : tokens
    return run(
      Effect.flatMap(reading.configured({ tokens: given }), (read) =>
        ApiTokens.use((service) =>
          service.configure(
            read.tokens.map(({ text, userId, ...token }) => ({
              accountId: accountId(userId),
              text,
              token: newToken(token)
            }))
          )
        ))
    )
  },
  revoke: async (userId, tokenId) => {
    const user = users.user(run, userId)
    return user.run(
      reading.revoked({ tokenId }).pipe(
        Effect.flatMap((read) => ApiTokens.use((tokens) => tokens.revoke(read.tokenId))),
        as(user.id)
      )
    )
  },
  find: async (given) => {
    const token = ApiTokenText.make(text(given, "text"))
    const found = await run(ApiTokens.use((tokens) => tokens.lookUp(token)))
    return found === null
      ? null
      : { ...await factsOf(run, users, found.accountId, found.limits), tokenId: found.id }
  }
})

export const makeSessions = (run: Run, users: UserIds): DriveSessions => ({
  open: async (userId, limits = {}) => {
    const { id, run: runFor } = users.user(run, userId)
    const opened = await runFor(
      Effect.flatMap(
        reading.limits(limits),
        ({ folder = null, permissions = null }) =>
          Sessions.use((sessions) => sessions.open(id, { permissions, folderId: folder }))
      )
    )
    return { token: opened.token, expireTime: DateTime.toDateUtc(opened.expireTime) }
  },
  find: async (given) => {
    const token = SessionToken.make(text(given, "token"))
    if (isOfPage(token)) return null
    const found = await run(
      Effect.catchTag(
        // At no address: an access token of an app's is no session of its person's.
        Sessions.use((sessions) => sessions.resolve(token, "")),
        "Unauthenticated",
        () => Effect.succeed(null)
      )
    )
    return found === null ? null : factsOf(run, users, found.id, found.limits)
  },
  end: async (given) => {
    const token = SessionToken.make(text(given, "token"))
    return run(Sessions.use((sessions) => sessions.end(token)))
  },
  endAll: async (userId) => {
    const { id, run: runFor } = users.user(run, userId)
    return runFor(Sessions.use((sessions) => sessions.endAll(id)))
  }
})
