/** A link that signs the first account in once. */
import { resolve } from "node:path"
import * as Tickets from "./Tickets.ts"

export const linkOf = async (site: string, dataDirectory: string): Promise<string> =>
  `${site}/sign-in?ticket=${await Tickets.make(resolve(dataDirectory))}`
