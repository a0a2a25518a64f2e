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
  hookTimeout: 60_000
} as const

export default defineConfig({
  test: {
    globalSetup: "packages/testing/src/SharedPostgres.ts",
    maxWorkers: 2,
    projects: [
      // One process runs file after file: the core's tests leave nothing behind, and loading it and opening PGlite for
      // each of its hundred files took longer than most of them.
      {
        ...sources,
        test: { ...tests, name: "core", include: ["packages/core/{src,test}/**/*.test.ts"], isolate: false }
      },
      {
        ...sources,
        test: {
          ...tests,
          name: "hosts",
          include: [
            "packages/{adapter-*,testing}/{src,test}/**/*.test.ts",
            "examples/*/test/**/*.test.ts",
            "test/**/*.test.ts"
          ]
        }
      }
    ]
  }
})
