/**
 * Which test files start or kill processes, or mount disks. They are called `*.processes.test.ts` and run by
 * `npm run test:processes`, so that `npm test` stays short; `.ci/run` runs both.
 */
import { testFilesThat } from "./testFiles.ts"
import { root } from "./workspace.ts"

const processes = /\bspawn\(|\bfork\(|\bexecFile\b|\b(?:spawn|execFile)Sync\(process\.execPath|"SIGKILL"|\bsmallDisk\(/

/** These modules start a server or a program once for all tests that import them, so these tests are as fast as others. */
const fixtures = /(?:PostgresServer|FfmpegFixtures|ZipTools|Breach)\.ts$/

export const suffix = ".processes.test.ts"

/** The files that must have this suffix, as paths from the root of the workspace, sorted. Slow ones may have it too. */
export const processTests = (directory = root): ReadonlyArray<string> =>
  testFilesThat((source) => processes.test(source), (path) => !fixtures.test(path), directory)

if (import.meta.main) console.log(processTests().join("\n"))
