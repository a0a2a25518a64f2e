/** The workspace's test files, and what they and the test modules they import are about. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { root } from "./workspace.ts"

/** From the root of the workspace, sorted. */
export const testFiles = (directory = root): ReadonlyArray<string> =>
  globSync(["packages/*/{src,test}/**/*.test.ts", "examples/*/test/**/*.test.ts", "test/**/*.test.ts"], {
    cwd: directory
  }).toSorted()

/** Modules that are there for tests. Those of the product are the same whatever it is tested on. */
const isForTests = (path: string): boolean =>
  path.endsWith(".test.ts") || /(^|\/)(test|packages\/testing\/src)\//.test(path)

/**
 * The test files whose own source, or that of a test module they import, `says` something. `through` tells of a module of tests
 * whether it is read too; by default all are.
 */
export const testFilesThat = (
  says: (source: string) => boolean,
  through: (path: string) => boolean = () => true,
  directory = root
): ReadonlyArray<string> => {
  const known = new Map<string, boolean>()

  const importsOf = (file: string, source: string): ReadonlyArray<string> =>
    [...source.matchAll(/(?:from|import\(|new URL\() ?"(\.[^"]+\.ts)"/g)]
      .map(([, specifier]) => resolve(dirname(file), specifier!))
      .filter((path) => {
        const place = relative(directory, path)
        return isForTests(place) && through(place) && existsSync(path)
      })

  const tells = (file: string): boolean => {
    const found = known.get(file)
    if (found !== undefined) return found
    known.set(file, false) // for rings of imports
    const source = readFileSync(file, "utf8")
    const answer = says(source) || importsOf(file, source).some(tells)
    known.set(file, answer)
    return answer
  }

  return testFiles(directory).filter((file) => tells(join(directory, file)))
}
