/** `npm run sign-in`: prints a link that signs the first account in once. To be run on the server's machine, with its environment. */
import { settingsOf } from "../Environment.ts"
import { linkOf } from "./link.ts"

const settings = settingsOf(process.env)
const site = settings.origin ?? `http://${settings.host}:${settings.port}`
console.log(`This link signs in once, within 15 minutes:\n${await linkOf(site, settings.dataDirectory)}`)
