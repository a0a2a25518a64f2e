/**
 * Prints the test files whose outcome may depend on what this machine has: a PostgreSQL server, an S3 engine, a browser, ffmpeg and
 * programs like it. Only these need to run again where there are others; the rest (rules without a database, the embedded
 * one by name, decoders that npm brings) could but give the same answer.
 *
 * A file is one of them when itself, or a module of tests that it imports, names any of it.
 */
import { testFilesThat } from "./testFiles.ts"

/** What tests depend on a machine by. `testDatabase` and `layerMemory` are PGlite everywhere. */
const servers = /TestDatabase\.layer\b|layerPostgres|postgresUrl|startPostgres|TEST_[A-Z]|\bS3_ENDPOINT/
const programs = /chromium|ffmpeg|ffprobe|\b7z\b|\bunzip\b|bsdtar|python3/i

/** These test files, as paths from the root of the workspace, sorted. */
export const serverTests = (): ReadonlyArray<string> =>
  testFilesThat((source) => servers.test(source) || programs.test(source))

if (import.meta.main) console.log(serverTests().join("\n"))
