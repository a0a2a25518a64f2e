/** The mix of searches on the embedded database, with 100,000 files. */
import { join } from "node:path"
import { withDirectory } from "../DriveCaller.ts"
import { onPglite } from "../library/LibraryDrive.ts"
import { described, runMix, summary } from "../library/Mix.ts"
import { seed, type SeededLibrary } from "../library/Seed.ts"
import { embeddedLibraryFiles } from "../Settings.ts"
import type { Outcome } from "../Table.ts"

const one: SeededLibrary = {
  userId: "019845e1-682f-7b02-a706-3b2422d13aec",
  seed: 1,
  files: embeddedLibraryFiles,
  folders: 400,
  tags: 100
}

export const libraryEmbedded = (): Promise<ReadonlyArray<Outcome>> =>
  withDirectory(async (directory) => {
    const drive = onPglite(join(directory, "database"))
    try {
      await drive.runPromise(seed([one]))
      const mix = summary(await runMix(drive, one))
      return [{
        what: `a mix of ${mix.count} searches, database embedded, ${embeddedLibraryFiles.toLocaleString("en")} files`,
        own: described(mix),
        against: "",
        result: `p99 ${mix.p99.toFixed(1)} ms`,
        target: "p99 under 25 ms",
        met: mix.p99 < 25
      }]
    } finally {
      await drive.dispose()
    }
  })
