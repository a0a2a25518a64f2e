/** Arguments that a host's code passes for users, tokens and sessions, checked on entry with the same sentences as over HTTP. */
import { Schema } from "effect"
import * as Limits from "../limits/Limits.ts"
import { AccountId, ApiTokenId, FolderId } from "../shared/Ids.ts"
import { misplaced } from "../shared/Misplaced.ts"
import { LineOfLength } from "../shared/Text.ts"
import { ApiTokenText } from "./ApiToken.ts"
import { permissions } from "./CurrentAccount.ts"

const optional = Schema.optionalKey

export const Permissions = Schema.Array(Schema.Literals(permissions)).check(Schema.isMinLength(1))

export const TokenName = LineOfLength(Limits.tokenNameLength.min, Limits.tokenNameLength.max).pipe(
  Schema.brand("TokenName")
)
export type TokenName = typeof TokenName.Type

/** Other names for permissions, all of which are refused. */
const inPermissions = misplaced("must be sent as permissions")
export const otherPermissions = {
  permission: inPermissions,
  Permissions: inPermissions,
  scope: inPermissions,
  scopes: inPermissions
}

/** Other names for the time a token ends, all of which are refused. */
const inExpireTime = misplaced("must be sent as expireTime")
export const otherExpireTimes = {
  expires: inExpireTime,
  expiresAt: inExpireTime,
  expiresIn: inExpireTime,
  expire_time: inExpireTime
}

/** What a call, a session or a token may do, by the names that code has for it. */
const limits = {
  permissions: optional(Schema.NullOr(Permissions)),
  folder: optional(Schema.NullOr(FolderId)),
  ...otherPermissions,
  folderId: misplaced("must be sent as folder"),
  limits: misplaced("must be sent as the fields permissions and folder themselves")
}

export const CallLimits = Schema.Struct(limits)

const DateOrNull = Schema.NullOr(
  Schema.Date.check(
    Schema.makeFilter<Date>((date) => Number.isNaN(date.getTime()) ? "must be a time" : undefined)
  )
)

const token = { ...limits, name: TokenName, expireTime: optional(DateOrNull), ...otherExpireTimes }

/** A token with a text of the host's choosing. */
const TokenText = ApiTokenText.check(Schema.isMinLength(Limits.tokenTextMinLength))

export const NewToken = Schema.Struct(token)
export const RegisteredToken = Schema.Struct({ text: TokenText, ...token })
export const ConfiguredTokens = Schema.Struct({
  tokens: Schema.Array(Schema.Struct({ userId: AccountId, text: TokenText, ...token }))
})
export const RevokedToken = Schema.Struct({ tokenId: ApiTokenId })

const Bytes = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
const { handle: handleLength } = Limits.accountNames
const Handle = LineOfLength(handleLength.min, handleLength.max)

const profile = {
  plan: Schema.NullOr(Schema.Literals(["basic", "pro"])),
  quotaBytes: Schema.NullOr(Bytes),
  monthlyImages: Schema.NullOr(
    Schema.Union([Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 - 1 })), Schema.Literal("plan")])
  ),
  displayName: Schema.NullOr(LineOfLength(0, Limits.accountNames.displayName.max)),
  showsViews: Schema.Boolean
}

export const NewAccount = Schema.Struct({
  id: optional(AccountId),
  handle: optional(Schema.NullOr(Handle)),
  plan: optional(profile.plan),
  quotaBytes: optional(profile.quotaBytes),
  monthlyImages: optional(profile.monthlyImages),
  displayName: optional(profile.displayName),
  showsViews: optional(profile.showsViews)
})

/** One field of a user that is changed. */
export const Changes = {
  plan: Schema.Struct({ plan: profile.plan }),
  quotaBytes: Schema.Struct({ quotaBytes: profile.quotaBytes }),
  monthlyImages: Schema.Struct({ monthlyImages: profile.monthlyImages }),
  displayName: Schema.Struct({ displayName: profile.displayName }),
  showsViews: Schema.Struct({ showsViews: profile.showsViews })
}

export const ByHandle = Schema.Struct({ handle: Schema.String })
export const ById = Schema.Struct({ userId: AccountId })

/** The same of a token and its limits as the services have them. */
const ServiceLimits = Schema.Struct({
  permissions: Schema.NullOr(Permissions),
  folderId: Schema.NullOr(FolderId)
})
export const SessionOpening = Schema.Struct({ accountId: AccountId, limits: ServiceLimits })
const serviceToken = { name: TokenName, limits: ServiceLimits, expireTime: Schema.NullOr(Schema.DateTimeUtc) }
const configured = Schema.Struct({ accountId: AccountId, text: TokenText, ...serviceToken })

export const ServiceToken = Schema.Struct(serviceToken)
export const RegisteredServiceToken = configured
export const ConfiguredServiceTokens = Schema.Struct({ tokens: Schema.Array(configured) })
