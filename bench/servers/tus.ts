/** `@tus/server` with its file store, as its documentation sets it up. */
import { FileStore } from "@tus/file-store"
import { Server } from "@tus/server"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { options, ready } from "./parent.ts"

const { directory } = options<{ readonly directory: string }>()
const tus = new Server({ path: "/files", datastore: new FileStore({ directory }) })
const server = createServer({ requestTimeout: 0 }, (request, response) => void tus.handle(request, response))
server.listen(0, "127.0.0.1", () => ready({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
