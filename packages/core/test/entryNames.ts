import { type NamedFile, namer } from "../src/archives/EntryNames.ts"

/** The names of these files in one archive, in the order given. */
export const entryNames = (files: ReadonlyArray<NamedFile>): ReadonlyArray<string> =>
  files.map(namer(files.map(({ folderPath }) => folderPath)))
