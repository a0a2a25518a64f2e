/**
 * What the drive's speed and memory are held to, measured side by side:
 * `npm run bench`, or `npm run bench -- --only download,upload`, or `-- --quick`
 * to see that it runs. `--queries` shows each search of the mix. Linux only; nginx and wrk are used where they are installed.
 */
import { agent, agentEmbedded } from "./rows/agent.ts"
import { agentLists } from "./rows/agentLists.ts"
import { agentUploads, agentWakes } from "./rows/agentWaits.ts"
import { archiveOnDisk } from "./rows/archiveOnDisk.ts"
import { bulkImport } from "./rows/bulkImport.ts"
import { client } from "./rows/client.ts"
import { download } from "./rows/download.ts"
import { drops, dropsEmbedded } from "./rows/drops.ts"
import { embeddedStart } from "./rows/embeddedStart.ts"
import { firstPaint } from "./rows/firstPaint.ts"
import { images } from "./rows/images.ts"
import { library } from "./rows/library.ts"
import { libraryEmbedded } from "./rows/libraryEmbedded.ts"
import { listen } from "./rows/listen.ts"
import { listing } from "./rows/listing.ts"
import { mediaLoad } from "./rows/mediaLoad.ts"
import { memory } from "./rows/memory.ts"
import { operation } from "./rows/operation.ts"
import { poster } from "./rows/poster.ts"
import { preview } from "./rows/preview.ts"
import { readText } from "./rows/readText.ts"
import { reviews } from "./rows/reviews.ts"
import { sign } from "./rows/sign.ts"
import { signRoute } from "./rows/signRoute.ts"
import { smallFiles, smallFilesEmbedded } from "./rows/smallFiles.ts"
import { smallRoute } from "./rows/smallRoute.ts"
import { still } from "./rows/still.ts"
import { upload } from "./rows/upload.ts"
import { waits } from "./rows/waits.ts"
import { wakes } from "./rows/wakes.ts"
import { zip } from "./rows/zip.ts"
import { loadNow, machine, only, quick } from "./Settings.ts"
import { type Outcome, table } from "./Table.ts"

const measurements: Readonly<Record<string, () => Promise<ReadonlyArray<Outcome>>>> = {
  sign,
  "sign-route": signRoute,
  upload,
  download,
  "small-route": smallRoute,
  "small-files": smallFiles,
  "small-files-embedded": smallFilesEmbedded,
  drops,
  "drops-embedded": dropsEmbedded,
  operation,
  reviews,
  agent,
  "agent-embedded": agentEmbedded,
  "agent-wakes": agentWakes,
  "agent-uploads": agentUploads,
  "agent-lists": agentLists,
  images,
  "media-load": mediaLoad,
  still,
  poster,
  preview,
  listen,
  "read-text": readText,
  memory,
  zip,
  "archive-on-disk": archiveOnDisk,
  listing,
  library,
  "library-embedded": libraryEmbedded,
  "bulk-import": bulkImport,
  waits,
  wakes,
  "first-paint": firstPaint,
  "embedded-start": embeddedStart,
  client
}

const unknown = only.filter((name) => !(name in measurements))
if (unknown.length > 0) {
  console.error(`There is no measurement ${unknown.join(", ")}: there are ${Object.keys(measurements).join(", ")}.`)
  process.exit(2)
}

const outcomes: Array<Outcome> = []
for (const [name, measure] of Object.entries(measurements)) {
  if (only.length > 0 && !only.includes(name)) continue
  console.error(`${name} (${loadNow()})`)
  outcomes.push(...await measure())
}
console.log(`\n${table(outcomes)}\n\n${machine}${quick ? "; --quick: too little for figures that mean something" : ""}`)
