/** Finds the workspace's test files by what they, or the test modules that they import, contain. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { root } from "./workspace.ts"

/** All test files, as paths from the root of the workspace, sorted. */
export const testFiles = (directory = root): ReadonlyArray<string> =>
  globSync(["packages/*/{src,test}/**/*.test.ts", "examples/*/test/**/*.test.ts", "test/**/*.test.ts"], {
    cwd: directory
  }).toSorted()

/** Whether a module belongs to tests: those of the product are not read. */
const isForTests = (path: string): boolean =>
  path.endsWith(".test.ts") || /(^|\/)(test|packages\/testing\/src)\//.test(path)

/**
 * The test files whose source, or that of a test module that they import, `says` accepts. `through` decides which test modules are
 * read; by default all are.
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
    known.set(file, false) // so that circular imports end
    const source = readFileSync(file, "utf8")
    const answer = says(source) || importsOf(file, source).some(tells)
    known.set(file, answer)
    return answer
  }

  return testFiles(directory).filter((file) => tells(join(directory, file)))
}
