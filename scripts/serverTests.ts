/**
 * Prints the test files whose outcome may depend on what this machine has: a PostgreSQL server, an S3 engine, ffmpeg and
 * programs like it. Only these need to run again where there are others; the rest (rules without a database, the embedded
 * one by name, decoders that npm brings) could but give the same answer.
 *
 * A file is one of them when itself, or a module of tests that it imports, names any of it.
 */
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { root } from "./workspace.ts"

/** What tests depend on a machine by. `testDatabase` and `layerMemory` are PGlite everywhere. */
const servers = /TestDatabase\.layer\b|layerPostgres|postgresUrl|startPostgres|TEST_[A-Z]|\bS3_ENDPOINT/
const programs = /ffmpeg|ffprobe|\b7z\b|\bunzip\b|bsdtar|python3/i

/** Modules that are there for tests. Those of the product are the same whatever it is tested on. */
const isForTests = (file: string): boolean =>
  file.endsWith(".test.ts") || /(^|\/)(test|packages\/testing\/src)\//.test(relative(root, file))

const importsOf = (file: string, source: string): ReadonlyArray<string> =>
  [...source.matchAll(/(?:from|import\(|new URL\() ?"(\.[^"]+\.ts)"/g)]
    .map(([, specifier]) => resolve(dirname(file), specifier!))
    .filter((path) => isForTests(path) && existsSync(path))

const known = new Map<string, boolean>()

const depends = (file: string): boolean => {
  const found = known.get(file)
  if (found !== undefined) return found
  known.set(file, false) // for rings of imports
  const source = readFileSync(file, "utf8")
  const answer = servers.test(source) || programs.test(source) || importsOf(file, source).some(depends)
  known.set(file, answer)
  return answer
}

/** From the root of the workspace, sorted. */
export const serverTests = (): ReadonlyArray<string> =>
  globSync(["packages/*/{src,test}/**/*.test.ts", "examples/*/test/**/*.test.ts", "test/**/*.test.ts"], { cwd: root })
    .filter((file) => depends(join(root, file)))
    .toSorted()

if (import.meta.main) console.log(serverTests().join("\n"))
