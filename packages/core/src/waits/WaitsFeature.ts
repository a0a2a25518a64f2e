/** What tasks of the agent's wait for, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"
import waits from "./0041_waits.ts"
import { taskStepJob } from "./Wait.ts"
import { Waits, waitSweepJob } from "./Waits.ts"

const tables = ["agent_waits", "agent_happenings"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const WaitsFeature = {
  name: "waits",
  layer: Waits.layer,
  tables,
  migrations: { "0041_waits": waits },
  jobs: [taskStepJob, waitSweepJob]
} as const satisfies Feature
