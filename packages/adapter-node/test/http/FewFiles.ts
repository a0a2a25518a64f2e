/** A server whose calls each read a file: `node FewFiles.ts` prints its origin. */
import { readFile } from "node:fs/promises"
import { listen } from "../../src/http/DriveServer.ts"
import { printLine } from "../printLine.ts"

const { origin } = await listen((_, response) => {
  readFile(import.meta.filename).then(
    (bytes) => response.end(String(bytes.length)),
    () => response.writeHead(500).end()
  )
}, { port: 0 })
printLine(origin)
