/**
 * Real files to test with: photos, music, films, documents, and some made to do
 * harm. They are not part of this repository; a folder of them beside it is used
 * when it is there.
 */
import { existsSync, globSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { root } from "../scripts/workspace.ts"

const folder = resolve(root, "../shared/corpus")

/** Whether there are samples; `describe.runIf(haveSamples)`. */
export const haveSamples = existsSync(folder)

/** Paths within the folder, like `image/alpha.png`, of the samples below `kind`. */
export const samplesOf = (kind: string): ReadonlyArray<string> =>
  haveSamples ? globSync(`${kind}/*`, { cwd: folder }).toSorted() : []

/** Where a sample lies. */
export const samplePath = (sample: string): string => join(folder, sample)

export const readSample = (sample: string): Uint8Array => new Uint8Array(readFileSync(samplePath(sample)))
