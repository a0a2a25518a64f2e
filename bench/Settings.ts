/** How much is measured. `--quick` is for seeing that it runs; its figures mean little. */
import { availableParallelism, loadavg } from "node:os"
import { parseArgs } from "node:util"

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    quick: { type: "boolean", default: false },
    queries: { type: "boolean", default: false }
  }
})

export const quick = values.quick
/** Whether each query of the search's mix is shown by itself. */
export const queries = values.queries
/** Names of the measurements to make; all when empty. */
export const only = values.only.flatMap((names) => names.split(","))

export const MiB = 1024 ** 2
/** The file that is sent and fetched. */
export const fileBytes = (quick ? 64 : 1024) * MiB
export const transferRounds = quick ? 1 : 5
export const signRounds = quick ? 5 : 25
/** How many starts on an empty directory, each followed by one on the same directory, and the seconds of rest after them. */
export const startRounds = quick ? 1 : 5
export const restSeconds = quick ? 2 : 30
export const stillRounds = quick ? 3 : 15
export const readRounds = quick ? 5 : 50
export const requestRounds = quick ? 1 : 5
export const requestSeconds = quick ? 2 : 6
/** Rounds of sending small files, and how long each lasts. */
export const smallFileRounds = quick ? 1 : 3
export const smallFileSeconds = quick ? 1 : 3
/** How long each server is sent small files before any are counted: a server that has just started compiles what it runs. */
export const smallFileWarmupSeconds = quick ? 2 : 15
export const listedFiles = quick ? 10_000 : 100_000
/** The largest library, and how many of 5,000 files there are beside it. */
export const libraryFiles = quick ? 20_000 : 1_000_000
export const smallLibraries = quick ? 2 : 200
export const embeddedLibraryFiles = quick ? 5_000 : 100_000
/** Files of the account that keeps another waiting. */
export const waitedForFiles = quick ? 5_000 : 300_000
export const searchRounds = quick ? 3 : 16
export const importedFiles = quick ? 5_000 : 50_000
/** Bytes of each of the large files of an archive, and how many small ones another has. */
export const zipBytes = (quick ? 32 : 512) * MiB
export const zipFiles = quick ? 1_000 : 10_000
/** Files of 13 MB on average that an archive on disk is built of. */
export const archivedFiles = quick ? 20 : 302
export const archiveRounds = quick ? 1 : 3
/** Uploads, and as many downloads, that run at once. */
export const transfersAtOnce = 32

/** What a client sends: a file in parts, small files, and a file whose sender's memory is watched. */
export const clientBytes = (quick ? 256 : 2_048) * MiB
export const clientFiles = quick ? 200 : 2_000
export const clientMemoryBytes = (quick ? 1_024 : 8_192) * MiB
export const clientRounds = quick ? 3 : 5
export const clientCallRounds = quick ? 20 : 60

/** The video that is looked into, and how often; tracks that are listened to. */
export const posterMegabytes = quick ? 60 : 500
export const posterRounds = quick ? 1 : 5
/** How long the film plays that a preview is made of. */
export const previewSeconds = quick ? 4 : 60
export const listenRounds = quick ? 2 : 8

export const machine =
  `${availableParallelism()} cores, Node ${process.versions.node}, ${process.platform} ${process.arch}`

/** The machine's load in the last minute, with that of the measurement; it is printed beside figures that depend on it. */
export const loadNow = () => `load ${loadavg()[0]!.toFixed(1)}`
