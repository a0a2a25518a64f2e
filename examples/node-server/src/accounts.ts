/** The accounts that exist at start: those of the environment, or one for trying the drive out. */
import type { Drive, DriveError } from "@filedrive/adapter-node"
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import type { Settings } from "./Environment.ts"
import type { Account } from "./EnvironmentAccounts.ts"
import { WrongVariable } from "./Variables.ts"

export interface StartAccount {
  readonly handle: string
  readonly userId: string
  readonly apiToken: string
}

/** Makes a directory with its missing parents. Node's own `recursive` retries without end where nothing can be made, as in `/proc`. */
const madeDirectory = async (path: string): Promise<void> => {
  if (existsSync(path)) return
  if (dirname(path) !== path) await madeDirectory(dirname(path))
  await mkdir(path, { mode: 0o700 })
}

/** The token of the `demo` account: made at the first start, kept where only its owner can read it. */
const keptToken = async (dataDirectory: string): Promise<string> => {
  const path = join(dataDirectory, "demo-token")
  await madeDirectory(resolve(dataDirectory))
  const token = `fdt_${randomBytes(32).toString("base64url")}`
  // Written only where there is none.
  await writeFile(path, `${token}\n`, { mode: 0o600, flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error
  })
  return (await readFile(path, "utf8")).trim()
}

const demo = async (dataDirectory: string): Promise<Account> => ({
  handle: "demo",
  displayName: "Demo",
  plan: "pro",
  quotaBytes: null,
  imagesPerMonth: "plan",
  apiToken: await keptToken(dataDirectory),
  userId: null
})

const variable = "FILEDRIVE_ACCOUNTS"

/** Translates the drive's refusal of an account to an error of the variable. */
const naming = async <A>(work: Promise<A>, place: (field: string) => string): Promise<A> => {
  try {
    return await work
  } catch (error) {
    const { code, field = "", message } = error as DriveError
    throw code === "invalid_field"
      ? new WrongVariable(variable, `${place(field)}${message.slice(field.length)}`)
      : error
  }
}

/** Makes the account, or updates an existing one to the environment's values. */
const ensure = async (drive: Drive, account: Account): Promise<StartAccount> => {
  const { apiToken, displayName, handle, imagesPerMonth, plan, quotaBytes, userId } = account
  const wanted = { handle, displayName, plan, quotaBytes, ...(userId === null ? {} : { userId }) }
  const found = await drive.accounts.create(wanted) ?? await drive.accounts.findByHandle(handle)
  if (found === null || (userId !== null && found.userId !== userId)) {
    throw new WrongVariable(variable, `gives ${handle} a userId or handle that another account has.`)
  }
  await drive.accounts.setPlan(found.userId, plan)
  await drive.accounts.setQuota(found.userId, quotaBytes)
  await drive.accounts.setMonthlyImages(found.userId, imagesPerMonth)
  await drive.accounts.setDisplayName(found.userId, displayName)
  return { handle, userId: found.userId, apiToken }
}

export const makeAccounts = async (drive: Drive, settings: Settings): Promise<ReadonlyArray<StartAccount>> => {
  const made: Array<StartAccount> = []
  const accounts = settings.accounts ?? [await demo(settings.dataDirectory)]
  for (const [index, account] of accounts.entries()) {
    made.push(await naming(ensure(drive, account), (field) => `[${index}].${field}`))
  }
  const name = settings.accounts === null ? "Demo token of the server" : "Token of the server (FILEDRIVE_ACCOUNTS)"
  // A token that was configured at an earlier start and no longer is ends now, with its sessions.
  await naming(
    drive.tokens.configure(
      made.map(({ apiToken, userId }) => ({ userId, text: apiToken, name }))
    ),
    (field) => field.replace(/^tokens(\[\d+\])\.text$/, "$1.apiToken")
  )
  return made
}
