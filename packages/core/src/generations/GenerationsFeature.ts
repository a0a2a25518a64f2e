/** Generated images, as one value of the list in `Features.ts`. */
import type { Feature } from "../Feature.ts"
import generations from "./0038_generations.ts"
import credentialsOfGenerations from "./0051_credentials_of_generations.ts"
import { generationForgetJob, Generations, imageJobs } from "./Generations.ts"
import { GenerationsApi } from "./GenerationsApi.ts"
import { GenerationsHandlers } from "./GenerationsHandlers.ts"
import { GenerationsLiveKeys } from "./GenerationsLiveKeys.ts"

const tables = ["generations", "image_months"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const GenerationsFeature = {
  name: "generations",
  layer: Generations.layer,
  api: [GenerationsApi],
  handlers: GenerationsHandlers,
  tables,
  liveKeys: GenerationsLiveKeys,
  migrations: { "0038_generations": generations, "0051_credentials_of_generations": credentialsOfGenerations },
  jobs: [...imageJobs.map(({ job }) => job), generationForgetJob]
} as const satisfies Feature
