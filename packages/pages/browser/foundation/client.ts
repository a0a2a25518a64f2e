/** The drive, as people use it who have a link. */
import { createPublicClient, type PublicClient } from "@filedrive/client"
import { settings } from "./settings.ts"

export const client: PublicClient = createPublicClient({ url: new URL(settings.api, location.href).href })
