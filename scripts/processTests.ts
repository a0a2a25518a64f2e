/**
 * Which test files start processes beside themselves, kill them or mount disks. They are called `*.processes.test.ts` and run by
 * `npm run test:processes`, so that `npm test` stays short; `.ci/run` runs both.
 */
import { testFilesThat } from "./testFiles.ts"
import { root } from "./workspace.ts"

const processes = /\bspawn\(|\bfork\(|\bexecFile\b|"SIGKILL"|\bsmallDisk\(/

/** These start a server or a program once for all who import them, so their tests are as quick as others. */
const fixtures = /(?:PostgresServer|FfmpegFixtures|ZipTools|Breach)\.ts$/

export const suffix = ".processes.test.ts"

/** The files that must have that name, from the root of the workspace, sorted. Others may have it because they take long. */
export const processTests = (directory = root): ReadonlyArray<string> =>
  testFilesThat((source) => processes.test(source), (path) => !fixtures.test(path), directory)

if (import.meta.main) console.log(processTests().join("\n"))
