/**
 * A drive's server until it is killed: `node DropServer.ts <database url> <schema> <data directory>`. Prints its origin when it is up.
 */
import { createDrive, serve } from "@filedrive/adapter-node"
import { printLine } from "../printLine.ts"

const [url, schema, dataDirectory] = process.argv.slice(2) as [string, string, string]

const drive = createDrive({
  database: { url, schema, maxConnections: 8 },
  dataDirectory,
  log: "off",
  media: false,
  migrateAtStart: false,
  rateLimits: false
})
const server = await serve(drive, { port: 0 })
printLine(server.origin)
