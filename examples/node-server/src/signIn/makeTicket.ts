/** `npm run sign-in`: prints a link that signs the first account in once. To be run on the server's machine, with its environment. */
import { existsSync } from "node:fs"
import { resolve } from "node:path"
import { settingsOf } from "../Environment.ts"
import { WrongVariable } from "../Variables.ts"
import { linkOf } from "./link.ts"

try {
  const settings = settingsOf(process.env)
  const directory = resolve(settings.dataDirectory)
  if (!existsSync(directory)) {
    throw new WrongVariable("FILEDRIVE_DATA", `must be the server's, which has made no ${directory} yet.`)
  }
  const site = settings.origin ?? `http://${settings.host}:${settings.port}`
  console.log(`This link signs in once, within 15 minutes:\n${await linkOf(site, directory)}`)
} catch (error) {
  if (!(error instanceof WrongVariable)) throw error
  console.error(error.message)
  process.exitCode = 1
}
