import { jobsSuite } from "../src/JobsSuite.ts"
import * as TestDatabase from "../src/TestDatabase.ts"

jobsSuite("PGlite in memory", TestDatabase.layerMemory)
jobsSuite("PostgreSQL", TestDatabase.layerPostgres)
