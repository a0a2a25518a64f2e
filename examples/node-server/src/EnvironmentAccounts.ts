/** The accounts that exist at start, from `FILEDRIVE_ACCOUNTS`. */
import { type Variables, WrongVariable } from "./Variables.ts"

export interface Account {
  readonly handle: string
  readonly displayName: string | null
  readonly plan: "basic" | "pro" | null
  /** Null: no limit. */
  readonly quotaBytes: number | null
  /** Images a calendar month; null: no limit; `"plan"`: the plan's own allowance. */
  readonly imagesPerMonth: number | "plan" | null
  readonly apiToken: string
  /** Null: made at the first start, and found by the handle from then on. */
  readonly userId: string | null
}

const name = "FILEDRIVE_ACCOUNTS"
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i
const tokenMinLength = 32
const known = ["handle", "displayName", "plan", "quotaBytes", "imagesPerMonth", "apiToken", "userId"]

type Fields = Readonly<Record<string, unknown>>

const parse = (text: string): ReadonlyArray<unknown> => {
  try {
    const parsed: unknown = JSON.parse(text)
    if (Array.isArray(parsed) && parsed.length > 0) return parsed
  } catch {
    // Reported below: a message of JSON.parse may quote a token.
  }
  throw new WrongVariable(
    name,
    "must be a JSON array of at least one account, like [{\"handle\":\"ada\",\"apiToken\":\"…\"}]."
  )
}

const accountOf = (value: unknown, index: number): Account => {
  const wrong = (field: string, because: string) => new WrongVariable(name, `[${index}]${field} ${because}.`)
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw wrong("", "must be an object")
  const fields: Fields = value as Fields
  const unknown = Object.keys(fields).find((field) => !known.includes(field))
  if (unknown !== undefined) throw wrong(`.${unknown}`, `is not known; there are ${known.join(", ")}`)
  const {
    apiToken,
    displayName = null,
    handle,
    plan = "pro",
    imagesPerMonth = "plan",
    quotaBytes = null,
    userId = null
  } = fields
  if (typeof handle !== "string" || !/^[^\p{C}\p{Z}/@]{1,64}$/u.test(handle)) {
    throw wrong(".handle", "must be 1 to 64 characters without spaces, / or @")
  }
  if (displayName !== null && typeof displayName !== "string") throw wrong(".displayName", "must be a string or null")
  if (plan !== null && plan !== "basic" && plan !== "pro") throw wrong(".plan", "must be \"basic\", \"pro\" or null")
  if (quotaBytes !== null && !(Number.isSafeInteger(quotaBytes) && (quotaBytes as number) >= 0)) {
    throw wrong(".quotaBytes", "must be a whole number of bytes or null")
  }
  if (
    imagesPerMonth !== null && imagesPerMonth !== "plan" &&
    !(Number.isInteger(imagesPerMonth) && (imagesPerMonth as number) >= 0 && (imagesPerMonth as number) < 2 ** 31)
  ) {
    throw wrong(".imagesPerMonth", "must be a whole number of images or null")
  }
  if (typeof apiToken !== "string" || !/^[\x21-\x7e]+$/.test(apiToken) || apiToken.length < tokenMinLength) {
    throw wrong(".apiToken", `must have at least ${tokenMinLength} characters, printable and without spaces`)
  }
  if (userId !== null && (typeof userId !== "string" || !uuid.test(userId))) throw wrong(".userId", "must be a UUID")
  return {
    handle,
    displayName,
    plan,
    quotaBytes: quotaBytes as number | null,
    imagesPerMonth: imagesPerMonth as number | "plan" | null,
    apiToken,
    userId: userId === null ? null : userId.toLowerCase()
  }
}

/** Null when the variable is not set. No message repeats a token. */
export const accountsOf = (variables: Variables): ReadonlyArray<Account> | null => {
  const text = variables[name]
  if (!text) return null
  const accounts = parse(text).map(accountOf)
  for (const field of ["handle", "apiToken", "userId"] as const) {
    const values = accounts.map((account) => account[field]).filter((value) => value !== null)
    if (new Set(values).size < values.length) {
      throw new WrongVariable(name, `must not give two accounts the same ${field}.`)
    }
  }
  return accounts
}
