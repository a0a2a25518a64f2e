/** A host's site on an origin of its own: a page with the client in it, and the session that its server hands out. */
import { build } from "esbuild"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { fileURLToPath } from "node:url"

export interface ClientSite {
  readonly origin: string
  /** The page, for the drive at `url`. */
  readonly page: (url: string) => string
  readonly close: () => void
}

const scriptOf = async (source: string): Promise<string> => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(source, import.meta.url))],
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    conditions: ["@filedrive/source"]
  })
  return outputFiles[0]!.text
}

export const serveClientSite = async (session: () => Promise<string>): Promise<ClientSite> => {
  const [script, worker] = await Promise.all(["clientPage.ts", "clientWorker.ts"].map(scriptOf))
  const server = createServer(async ({ url }, response) => {
    if (url === "/session") return response.end(await session())
    if (url === "/page.js") return response.setHeader("content-type", "text/javascript").end(script)
    if (url === "/worker.js") return response.setHeader("content-type", "text/javascript").end(worker)
    response.setHeader("content-type", "text/html").end(`<!doctype html><script src="/page.js"></script>`)
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    page: (url) => `${origin}/?${new URLSearchParams({ drive: url })}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}
