import { join } from "node:path"
import { defineConfig } from "vitest/config"

/** Sources, not builds. */
const sources = {
  resolve: { conditions: ["@filedrive/source"] },
  ssr: { resolve: { conditions: ["@filedrive/source"], externalConditions: ["@filedrive/source"] } }
}

const tests = {
  environment: "node",
  pool: "forks",
  testTimeout: 30_000,
  hookTimeout: 60_000,
  // For the processes that tests start: each loads a thousand modules of TypeScript, and all load the same.
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/filedrive-tests") }
} as const

/** Tests that count what their process has, that leave something to its end, or that take long anyhow: they have one each. */
const alone = [
  "packages/adapter-node/test/hosts/Http{Fetch,Node}.test.ts",
  "packages/adapter-node/test/database/{PgliteThread,Autovacuum}.test.ts",
  "packages/adapter-node/test/media/*.test.ts",
  "packages/media/test/*.test.ts",
  "packages/testing/src/MemoryObjectStore.test.ts",
  "packages/testing/test/TestDatabase.test.ts"
]

/** Tests that start processes, kill them or take long by load: `npm run test:processes`. See scripts/processTests.ts. */
const processes = ["{packages,examples}/*/{src,test}/**/*.processes.test.ts", "test/**/*.processes.test.ts"]

export default defineConfig({
  test: {
    globalSetup: "packages/testing/src/SharedPostgres.ts",
    maxWorkers: 2,
    projects: [
      // Two processes run file after file: loading the core, Effect and PGlite for each took longer than most of them.
      {
        ...sources,
        test: {
          ...tests,
          name: "together",
          include: ["packages/*/{src,test}/**/*.test.ts", "examples/*/test/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [...alone, ...processes],
          isolate: false
        }
      },
      { ...sources, test: { ...tests, name: "alone", include: alone, exclude: processes } },
      { ...sources, test: { ...tests, name: "processes", include: processes } }
    ]
  }
})
