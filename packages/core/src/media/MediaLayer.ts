/** Every service of this feature, each made once, from files, lists, the media tools, the database and the jobs. */
import { Layer } from "effect"
import { Covers } from "./Covers.ts"
import { Extraction } from "./Extraction.ts"
import { Peaks } from "./Peaks.ts"
import { PreviewRuns } from "./PreviewRuns.ts"
import { Previews } from "./Previews.ts"
import { Reading } from "./Reading.ts"
import { Soundprints } from "./Soundprints.ts"

export const MediaLayer = Layer.mergeAll(
  Extraction.layer,
  Covers.layer,
  Peaks.layer,
  PreviewRuns.layer,
  Previews.layer,
  Reading.layer,
  Soundprints.layer
)
