import { defineConfig } from "vitest/config"

export default defineConfig({
  resolve: { conditions: ["@filedrive/source"] },
  ssr: { resolve: { conditions: ["@filedrive/source"], externalConditions: ["@filedrive/source"] } },
  test: {
    include: ["packages/*/{src,test}/**/*.test.ts", "examples/*/test/**/*.test.ts", "test/**/*.test.ts"],
    environment: "node",
    globalSetup: "packages/testing/src/SharedPostgres.ts",
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000
  }
})
