/** A drive that serves the pages, with a user whose links they are, and who signs in by a cookie. */
import { createDrive, type DriveOptions, serve } from "@filedrive/adapter-node"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "puppeteer-core"

const cookie = "pages-user"

/** Links that hosts have in the navigation of signed-in pages. */
export const hostLinks = [{ label: { en: "Upload", de: "Hochladen" }, url: "/upload" }]

const userOf = (header: string | null): string | null =>
  new RegExp(`(?:^|; )${cookie}=([^;]+)`).exec(header ?? "")?.[1] ?? null

export const startHost = async (options: DriveOptions = {}) => {
  const directory = await mkdtemp(join(tmpdir(), "filedrive-pages-"))
  const drive = createDrive({
    dataDirectory: join(directory, "drive"),
    rateLimits: false,
    signIn: {
      user: ({ headers }) => userOf(headers.get("cookie")),
      loginUrl: (returnTo) => `/login?next=${encodeURIComponent(returnTo)}`,
      logoutUrl: "/logout"
    },
    pages: { links: hostLinks },
    ...options
  })
  const server = await serve(drive, {
    port: 0,
    otherwise: ({ headers, method, url = "" }, response) => {
      if (url === "/logout" && method === "POST" && headers.origin === drive.urls.site) {
        response.writeHead(303, { location: "/goodbye", "set-cookie": `${cookie}=; Path=/; Max-Age=0` })
        response.end()
        return
      }
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" })
      response.end("<!doctype html><title>The host</title><h1>Sign in at the host</h1>")
    }
  })
  const ada = await drive.accounts.create({ handle: "ada", displayName: "Ada Lovelace" })
  const owner = drive.as(ada!.userId)
  return {
    drive,
    owner,
    /** For files that tests send. */
    directory,
    linkOf: (request: { readonly id: string }): string => `${drive.urls.site}/requests/${request.id}`,
    userId: ada!.userId,
    /** Where the server itself listens, of a drive whose `url` is a proxy's. */
    server: server.origin,
    /** Signs somebody in in the page's browser; Ada where nobody else is named. */
    signIn: (page: Page, userId: string = ada!.userId) =>
      page.browserContext().setCookie({ name: cookie, value: userId, domain: "127.0.0.1", path: "/", sameSite: "Lax" }),
    signOut: async (page: Page) => {
      const context = page.browserContext()
      await context.deleteCookie(...(await context.cookies()).filter(({ name }) => name === cookie))
    },
    stop: async () => {
      await server.stop()
      await drive.close()
      await rm(directory, { recursive: true, force: true })
    }
  }
}

export type PagesHost = Awaited<ReturnType<typeof startHost>>
