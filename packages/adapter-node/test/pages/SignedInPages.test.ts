/** Pages of people who are signed in at the host, and the sessions that they get. */
import { afterAll, assert, describe, it } from "@effect/vitest"
import { pages } from "@filedrive/pages"
import { type MemoryDrive, memoryDrive } from "@filedrive/testing"
import { checkOptions, WrongOption } from "../../src/checkOptions.ts"
import type { DriveOptions } from "../../src/DriveOptions.ts"
import { pagePathsOf } from "../../src/DrivePaths.ts"
import { serve } from "../../src/serve.ts"
import { temporaryDrive } from "../hosts/hosts.ts"

const drives: Array<MemoryDrive> = []
afterAll(() => Promise.all(drives.map((drive) => drive.close())))

const url = "https://app.example.com/drive"
const own = { origin: "https://app.example.com", "sec-fetch-site": "same-origin" }

/** A drive whose host says that a request is of the user whom its cookie names. */
const driveWith = async (options: Pick<DriveOptions, "pages" | "agent" | "signIn"> = {}) => {
  const drive = await memoryDrive({
    url,
    signIn: {
      user: ({ headers }) => headers.get("cookie"),
      loginUrl: (returnTo) => `/login?next=${encodeURIComponent(returnTo)}`
    },
    ...options
  })
  drives.push(drive)
  const ada = await drive.user({ handle: "ada", displayName: "Ada Lovelace" })
  const fetch = (path: string, headers: Record<string, string> = {}, method = "GET") =>
    drive.fetch(url + path, { method, headers, redirect: "manual" })
  return {
    drive,
    ada,
    fetch,
    open: (headers: Record<string, string>) => fetch("/auth/page-session", headers, "POST")
  }
}

type Session = {
  readonly sessionToken: string
  readonly expiresAt: string
  readonly userId: string
  readonly name: string
}

describe("pages of people who are signed in", () => {
  it("PAGE-90 are shown to them, and lead others to where they sign in and back", async () => {
    const { ada, drive, fetch } = await driveWith()
    for (const path of ["/connections", "/connections/", "/connections?a=1"]) {
      const page = await fetch(path, { cookie: ada.userId })
      assert.strictEqual(page.status, 200)
      assert.strictEqual(page.headers.get("cache-control"), "private, no-cache")
      const text = await page.text()
      assert.match(text, /"mount":"\/drive","auth":"\/drive\/auth","hasAgent":true/)
      assert.notInclude(text, "Ada")
    }
    const other = await fetch("/connections?id=a%26b")
    assert.strictEqual(other.status, 303)
    assert.strictEqual(
      other.headers.get("location"),
      `https://app.example.com/login?next=${encodeURIComponent(`${url}/connections?id=a%26b`)}`
    )
    assert.strictEqual(other.headers.get("cache-control"), "no-store")
    assert.isFalse(drive.owns("/connections/a"))
    assert.isFalse(drive.owns("/connectionss"))
  })

  it("PAGE-90 are those of the package, and are not there without signIn or pages", async () => {
    const signedIn = Object.values(pages).filter((page) => page.signedIn === true).map(({ path }) => path)
    const signIn = { user: () => null, loginUrl: () => "/" }
    assert.sameMembers([...pagePathsOf({ signIn })], signedIn)
    for (const options of [{ signIn: undefined }, { pages: false }] as const) {
      const { drive, fetch } = await driveWith(options as never)
      assert.isFalse(drive.owns("/connections"))
      assert.strictEqual((await fetch("/auth/page-session", own, "POST")).status, 404)
    }
  })

  it("PAGE-90 are shown while the host can't say who is signed in: there is nothing of anybody's in them", async () => {
    const away = () => Promise.reject(new Error("away"))
    const { fetch, open } = await driveWith({ signIn: { user: away, loginUrl: () => "/login" }, agent: false })
    const page = await fetch("/connections")
    assert.strictEqual(page.status, 200)
    assert.include(await page.text(), `"hasAgent":false`)
    assert.strictEqual((await open(own)).status, 500)
  })

  const settingsOf = (text: string) =>
    JSON.parse(/<script type="application\/json" id="settings">([^]*?)<\/script>/.exec(text)![1]!)

  it("PAGE-163 have the host's links in the reader's language, and its address for signing out; pages at links have neither", async () => {
    const signIn = { user: () => null, loginUrl: () => "/login", logoutUrl: "/log-out" }
    const { ada, drive, fetch } = await driveWith({
      signIn: { ...signIn, user: ({ headers }) => headers.get("cookie") },
      pages: {
        links: [
          { label: { en: "Upload", de: "Hochladen" }, url: "/upload" },
          { label: "Help </script>", url: "https://help.example.com/drive" }
        ]
      }
    })
    const open = async (path: string, language: string) =>
      settingsOf(await (await fetch(path, { cookie: ada.userId, "accept-language": language })).text())
    for (const [language, label] of [["en", "Upload"], ["de", "Hochladen"], ["fr", "Upload"]] as const) {
      const { links, logoutUrl } = await open("/connections", language)
      assert.deepStrictEqual(links, [
        { label, url: "/upload" },
        { label: "Help </script>", url: "https://help.example.com/drive" }
      ])
      assert.strictEqual(logoutUrl, "/log-out")
    }
    const { links, logoutUrl } = await open("/requests/5e0c1a7d-93b4-4f28-a6d1-c07e94b2385f", "en")
    assert.deepStrictEqual([links, logoutUrl], [[], null])
    // Signing out is the host's: the drive answers nothing there.
    assert.isFalse(drive.owns("/log-out"))
  })

  it.each([
    "log-out",
    "https://app.example.com/log-out",
    "//evil.example.com",
    "/\\evil.example.com",
    "/\n/evil.example.com",
    "",
    7
  ])(
    "PAGE-11 signIn.logoutUrl %j is refused",
    (logoutUrl) => {
      const signIn = { user: () => null, loginUrl: () => "/", logoutUrl }
      assert.throws(
        () => checkOptions({ signIn } as never),
        WrongOption,
        "createDrive: signIn.logoutUrl must be a path of this site"
      )
    }
  )

  it("PAGE-91 whoever is signed in gets a session without limits, for ten minutes", async () => {
    const { ada, drive, open } = await driveWith()
    const answer = await open({ ...own, cookie: ada.userId })
    assert.strictEqual(answer.status, 200)
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    const { expiresAt, sessionToken, ...person } = await answer.json() as Session
    assert.deepStrictEqual(person, { userId: ada.userId, name: "Ada Lovelace" })
    assert.strictEqual(Date.parse(expiresAt), drive.clock.now().getTime() + 600_000)
    const call = () =>
      drive.fetch(`${url}/api/select-api-tokens`, {
        method: "POST",
        headers: { authorization: `Bearer ${sessionToken}`, "x-service-app": "filedrive" }
      })
    assert.strictEqual((await call()).status, 200)
    await drive.clock.advance("10 minutes")
    assert.strictEqual((await call()).status, 401)
  })

  it("PAGE-91 nobody else gets one, and a suspended user none", async () => {
    const { ada, drive, open } = await driveWith()
    const answer = await open(own)
    assert.strictEqual(answer.status, 401)
    assert.strictEqual((await answer.json() as { code: string }).code, "not_signed_in")
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    await drive.accounts.suspend(ada.userId)
    assert.strictEqual((await open({ ...own, cookie: ada.userId })).status, 403)
  })

  it("PAGE-152 a page's session shows a host nobody: kept as a cookie it would give the next one, after signing out too", async () => {
    let asked = (_session: string): Promise<{ readonly userId: string } | null> => Promise.resolve(null)
    const { ada, drive, open } = await driveWith({
      signIn: {
        user: async ({ headers }) => (await asked(headers.get("cookie") ?? ""))?.userId ?? null,
        loginUrl: () => "/login"
      }
    })
    asked = (session) => drive.sessions.find(session)
    const { token } = await drive.sessions.open(ada.userId)
    const { sessionToken } = await (await open({ ...own, cookie: token })).json() as Session
    await drive.sessions.end(token)
    assert.isNull(await drive.sessions.find(sessionToken))
    assert.strictEqual((await open({ ...own, cookie: sessionToken })).status, 401)
  })

  it("PAGE-92 a page of another origin gets no session, and neither does what is no page", async () => {
    const { ada, fetch, open } = await driveWith()
    const cookie = ada.userId
    for (
      const headers of [
        {},
        { origin: "null" },
        { origin: "https://evil.example" },
        { origin: "http://app.example.com" },
        { origin: "https://app.example.com:8443" },
        { origin: own.origin, "sec-fetch-site": "same-site" },
        { origin: own.origin, "sec-fetch-site": "cross-site" },
        { origin: own.origin, "sec-fetch-site": "none" }
      ] as ReadonlyArray<Record<string, string>>
    ) {
      const answer = await open({ ...headers, cookie })
      assert.strictEqual(answer.status, 403, JSON.stringify(headers))
      assert.strictEqual((await answer.json() as { code: string }).code, "wrong_origin")
    }
    assert.strictEqual((await open({ origin: own.origin, cookie })).status, 200)
    assert.strictEqual((await fetch("/auth/page-session", { ...own, cookie })).status, 405)
  })

  /** A drive behind a port that takes two failed attempts a minute from an address. */
  const served = async () => {
    const { close, drive } = await temporaryDrive({
      signIn: { user: ({ headers }) => headers.get("cookie"), loginUrl: () => "/login" },
      rateLimits: { failedExchange: { calls: 2, perSeconds: 60 } }
    })
    const server = await serve(drive, { port: 0 })
    const ada = await drive.accounts.create({ handle: "ada" })
    return {
      cookie: ada!.userId,
      statusFor: async (headers: Record<string, string>) => {
        const { status } = await fetch(`${drive.urls.auth}/page-session`, {
          method: "POST",
          headers: { origin: new URL(drive.urls.site).origin, ...headers }
        })
        return status
      },
      stop: async () => {
        await server.stop()
        await close()
      }
    }
  }

  it("PAGE-93 who asks too often without being signed in has to wait, and sessions that were given don't count", async () => {
    const { cookie, statusFor, stop } = await served()
    for (let call = 0; call < 5; call++) assert.strictEqual(await statusFor({ cookie }), 200)
    assert.deepStrictEqual([await statusFor({}), await statusFor({}), await statusFor({})], [401, 401, 429])
    await stop()
  })

  it("PAGE-151 who is signed in gets a session, however many attempts of others failed at the same address", async () => {
    const { cookie, statusFor, stop } = await served()
    for (let call = 0; call < 4; call++) await statusFor({})
    assert.strictEqual(await statusFor({}), 429)
    assert.strictEqual(await statusFor({ cookie }), 200)
    await stop()
  })
})
