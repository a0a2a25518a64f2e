/** What is inside a file: facts, pictures, text, similar sound, as one value of the list in `Features.ts`. */
import { Layer } from "effect"
import type { Feature } from "../Feature.ts"
import previews from "./0036_previews.ts"
import { CoversApi } from "./CoversApi.ts"
import { CoversHandlers } from "./CoversHandlers.ts"
import { MediaLayer } from "./MediaLayer.ts"
import { peaksJob } from "./Peaks.ts"
import { previewJob } from "./PreviewRuns.ts"
import { ReadingApi } from "./ReadingApi.ts"
import { ReadingHandlers } from "./ReadingHandlers.ts"
import { SoundprintsApi } from "./SoundprintsApi.ts"
import { SoundprintsHandlers } from "./SoundprintsHandlers.ts"

const tables = ["soundprints", "media_streams", "previews"] as const

declare module "../database/Database.ts" {
  interface Tables extends Record<typeof tables[number], Table> {}
}

export const MediaFeature = {
  name: "media",
  layer: MediaLayer,
  api: [ReadingApi, CoversApi, SoundprintsApi],
  handlers: Layer.mergeAll(ReadingHandlers, CoversHandlers, SoundprintsHandlers),
  tables,
  migrations: { "0036_previews": previews },
  jobs: [peaksJob, previewJob]
} as const satisfies Feature
