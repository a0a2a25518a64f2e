import { Database } from "@filedrive/core"
import { databaseSuite } from "../src/DatabaseSuite.ts"
import * as TestDatabase from "../src/TestDatabase.ts"

databaseSuite("PGlite in memory", TestDatabase.layerMemory)
databaseSuite("PostgreSQL", TestDatabase.layerPostgres, {
  breakConnections: Database.use(({ sql }) => sql`SELECT pg_terminate_backend(pg_backend_pid())`)
})
