import { assert, describe, it } from "@effect/vitest"
import { addressOf } from "./IdleSocket.ts"

describe("where a PostgreSQL server listens", () => {
  it("HOST-106 an address is read from a URL as the driver reads it", () => {
    const addresses = {
      "postgres://u:p@db.example:6543/d": { host: "db.example", port: 6543 },
      "postgresql://db.example": { host: "db.example", port: 5432 },
      "postgres:///d": { host: "localhost", port: 5432 },
      "postgres://[::1]:7000/d": { host: "::1", port: 7000 },
      "postgres://u@ignored:1/d?host=db.example&port=7001": { host: "db.example", port: 7001 },
      "postgres://%2Fvar%2Frun:7002/d": { path: "/var/run/.s.PGSQL.7002" },
      "postgres:///d?host=/var/run/postgresql": { path: "/var/run/postgresql/.s.PGSQL.5432" }
    }
    for (const [url, address] of Object.entries(addresses)) assert.deepEqual<unknown>(addressOf(url), address, url)
  })
})
