/** What the public links of file requests and reviews have in common, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"
import links from "./0032_links.ts"
import roomOfLinks from "./0040_room_of_links.ts"
import { linkSweepJob, PublicLinks } from "./PublicLinks.ts"

const tables = ["link_accesses"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const LinksFeature = {
  name: "links",
  layer: PublicLinks.layer,
  tables,
  migrations: { "0032_links": links, "0040_room_of_links": roomOfLinks },
  jobs: [linkSweepJob]
} as const satisfies Feature
