/** The drive, as people use it who have a link. */
import { createPublicClient, type PublicClient } from "@filedrive/client"
import { answered } from "./answered.ts"
import { settings } from "./settings.ts"

const url = new URL(settings.api, location.href).href

export const client: PublicClient = createPublicClient({ url, fetch: answered })

/** Sends files: their bytes take as long as they do. */
export const sendingClient: PublicClient = createPublicClient({ url })

/** For what a reader looks at an empty page for: it says soon that it did not work. */
export const impatientClient: PublicClient = createPublicClient({ url, fetch: answered, retries: 1 })
