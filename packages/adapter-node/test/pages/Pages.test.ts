/** The pages over HTTP: documents, scripts, languages, looks and their guards. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { pages } from "@filedrive/pages"
import { type MemoryDrive, memoryDrive } from "@filedrive/testing"
import { createHash } from "node:crypto"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { checkOptions, WrongOption } from "../../src/checkOptions.ts"
import type { DriveOptions } from "../../src/DriveOptions.ts"
import { linkPathsOf } from "../../src/DrivePaths.ts"

const id = "5e0c1a7d-93b4-4f28-a6d1-c07e94b2385f"
const svg = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><script>alert(1)</script></svg>`)
const png = Buffer.from("89504e470d0a1a0a0000000d49484452", "hex")

const drives: Array<MemoryDrive> = []
const driveWith = async (options: Pick<DriveOptions, "url" | "pages" | "log"> = {}) => {
  const drive = await memoryDrive(options)
  drives.push(drive)
  const { site } = drive.urls
  const get = async (path: string, headers: Record<string, string> = {}, method = "GET") => {
    const response = await drive.fetch(new URL(path, site).href, { method, headers })
    const body = Buffer.from(await response.arrayBuffer())
    return {
      status: response.status,
      header: (name: string) => response.headers.get(name),
      body,
      text: body.toString()
    }
  }
  return { drive, get }
}

afterAll(() => Promise.all(drives.map((drive) => drive.close())))

describe("pages", () => {
  let plain: Awaited<ReturnType<typeof driveWith>>
  let hosted: Awaited<ReturnType<typeof driveWith>>

  beforeAll(async () => {
    plain = await driveWith()
    hosted = await driveWith({
      url: "https://app.example.com/drive",
      pages: {
        name: `</title><b>"Lumière" & Söhne`,
        logo: svg,
        logoDark: png,
        colours: { accent: "#ffee00" },
        texts: {
          en: { "request.title": "</script><i>Send us pictures" },
          fr: { "request.title": "Envoyez vos photos" },
          ar: { "request.title": "أرسل" }
        }
      }
    })
  })

  it("PAGE-1 each id has the same page, at the top and below a mount", async () => {
    const page = await plain.get(`/requests/${id}`)
    assert.strictEqual(page.status, 200)
    assert.strictEqual(page.header("content-type"), "text/html; charset=utf-8")
    assert.strictEqual((await plain.get("/requests/%3Cscript%3E?a=1")).text, page.text)
    assert.notInclude(page.text, id)
    const below = await hosted.get(`/drive/requests/${id}`)
    assert.strictEqual(below.status, 200)
    assert.match(below.text, /"api":"\/drive\/api","mount":"\/drive"/)
    const [, script] = /<script type="module" src="([^"]+)"/.exec(below.text)!
    assert.match(script!, /^\/drive\/api\/pages\/request-\w+\.js$/)
    assert.strictEqual((await hosted.get(script!)).status, 200)
    const review = await hosted.get(`/drive/reviews/${id}`)
    assert.strictEqual((await hosted.get("/drive/reviews/%3Cscript%3E")).text, review.text)
    assert.match(review.text, /src="\/drive\/api\/pages\/review-\w+\.js"/)
    assert.strictEqual((await plain.get(`/requests/${id}`, {}, "HEAD")).body.length, 0)
    assert.strictEqual((await plain.get(`/requests/${id}`, {}, "POST")).status, 405)
  })

  it("PAGE-1 other paths are the host's, and all are without pages", async () => {
    for (const path of ["/requests", "/requests/", `/requests/${id}/a`, "/request/a", "/drive/requests/a/b"]) {
      assert.isFalse(hosted.drive.owns(path), path)
    }
    assert.isTrue(hosted.drive.owns(`/requests/${id}?a=/b/c`))
    assert.isTrue(hosted.drive.owns(`/reviews/${id}`))
    for (const path of ["/reviews", "/reviews/", `/reviews/${id}/a`]) assert.isFalse(hosted.drive.owns(path), path)
    const { drive, get } = await driveWith({ pages: false })
    assert.isFalse(drive.owns(`/requests/${id}`))
    assert.strictEqual((await get(`/requests/${id}`)).status, 404)
    assert.strictEqual((await get("/api/pages/icon.svg")).status, 404)
  })

  it("PAGE-1 are those of the package", () => {
    const links = Object.values(pages).flatMap(({ path }) => /^(.+)\/\*$/.exec(path)?.[1] ?? [])
    assert.sameMembers([...linkPathsOf({})], links)
    assert.isEmpty(linkPathsOf({ pages: false }))
  })

  it("PAGE-2 only its own style and script run, in no frame, and its address is sent to nobody", async () => {
    const { header, text } = await hosted.get(`/drive/requests/${id}`)
    const [, style] = /<style>([^]*?)<\/style>/.exec(text)!
    const hash = createHash("sha256").update(style!).digest("base64")
    assert.strictEqual(
      header("content-security-policy"),
      "default-src 'none'; script-src 'self'; " +
        `style-src 'sha256-${hash}'; ` +
        "connect-src 'self' https://app.example.com http://storage.test; " +
        "img-src 'self' https://app.example.com http://storage.test blob:; " +
        "media-src 'self' https://app.example.com http://storage.test blob:; " +
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )
    assert.strictEqual(header("x-content-type-options"), "nosniff")
    assert.strictEqual(header("referrer-policy"), "no-referrer")
    assert.strictEqual(header("x-frame-options"), "DENY")
    assert.strictEqual(text.match(/<style/g)!.length, 1)
    assert.notMatch(text, / style=| on\w+=|javascript:|(?:src|href)="(?!"|\/drive\/api\/pages\/)/)
    assert.notMatch(style!, /url\(|@import/)
    assert.isEmpty([...text.matchAll(/<script(?! type="(?:module" src=|application\/json))/g)])
  })

  it("PAGE-3 scripts are kept, and sent in the encoding that is asked for", async () => {
    const page = await plain.get(`/requests/${id}`)
    const [, path] = /<script type="module" src="([^"]+)"/.exec(page.text)!
    const whole = await plain.get(path!)
    assert.strictEqual(whole.header("content-encoding"), null)
    assert.strictEqual(whole.header("content-type"), "text/javascript; charset=utf-8")
    assert.strictEqual(whole.header("cache-control"), "public, max-age=31536000, immutable")
    const brotli = await plain.get(path!, { "accept-encoding": "gzip, deflate, br" })
    assert.strictEqual(brotli.header("content-encoding"), "br")
    assert.strictEqual(brotliDecompressSync(brotli.body).toString(), whole.text)
    const gzip = await plain.get(path!, { "accept-encoding": "gzip, br;q=0" })
    assert.strictEqual(gzip.header("content-encoding"), "gzip")
    assert.strictEqual(gunzipSync(gzip.body).toString(), whole.text)
    for (const { header } of [whole, brotli, gzip]) assert.strictEqual(header("vary"), "accept-encoding")
    const again = await plain.get(path!, { "if-none-match": `"other", ${gzip.header("etag")}` })
    assert.strictEqual(again.status, 304)
    assert.strictEqual(again.body.length, 0)
    assert.strictEqual((await plain.get("/api/pages/request-00000000.js")).status, 404)
  })

  it("PAGE-3 a page is asked for each time, and sent when it has changed", async () => {
    const headers = { "accept-language": "de", "accept-encoding": "br" }
    const page = await plain.get(`/requests/${id}`, headers)
    assert.strictEqual(page.header("cache-control"), "no-cache")
    assert.strictEqual(page.header("vary"), "accept-language, accept-encoding")
    assert.match(brotliDecompressSync(page.body).toString(), /<html lang="de"/)
    const known = { "if-none-match": page.header("etag")! }
    assert.strictEqual((await plain.get(`/requests/${id}`, { ...headers, ...known })).status, 304)
    assert.strictEqual((await plain.get(`/requests/${id}`, { ...known, "accept-language": "en" })).status, 200)
  })

  it.each([
    { accept: undefined, lang: "en", says: "Send us pictures" },
    { accept: "de-AT,de;q=0.9,en;q=0.8", lang: "de", says: "Dateien senden" },
    { accept: "nl, fr;q=0.5, de;q=0.4", lang: "fr", says: "Envoyez vos photos" },
    { accept: "ar", lang: "ar", says: "أرسل" },
    { accept: "nl", lang: "en", says: "Send us pictures" }
  ])("PAGE-4 a reader of $accept reads $lang", async ({ accept, lang, says }) => {
    const page = await hosted.get(`/drive/requests/${id}`, accept === undefined ? {} : { "accept-language": accept })
    assert.strictEqual(page.header("content-language"), lang)
    assert.include(page.text, `<html lang="${lang}" dir="${lang === "ar" ? "rtl" : "ltr"}">`)
    assert.include(page.text, says)
    // What a table lacks is there in English.
    assert.include(page.text, lang === "de" ? "Abschließen" : `"request.finish":"Finish"`)
  })

  it("PAGE-4 a text that no page has is refused by name", async () => {
    const failed = memoryDrive({ pages: { texts: { de: { "request.titel": "Dateien" } } } })
    const error: Error = await failed.then(() => assert.fail("It started."), (error) => error)
    assert.include(String(error.message) + String(error.cause), "pages.texts.de.request.titel is not known")
  })

  it("PAGE-5 the host's name and logos are shown", async () => {
    const { text } = await hosted.get(`/drive/requests/${id}`)
    const [, light] = /<img class="brand-logo" src="([^"]+)"/.exec(text)!
    const [, dark] = /<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)"/.exec(text)!
    const lightLogo = await hosted.get(light!)
    assert.deepStrictEqual(lightLogo.body, svg)
    assert.strictEqual(lightLogo.header("content-type"), "image/svg+xml")
    assert.include(lightLogo.header("content-security-policy"), "default-src 'none'")
    assert.include(lightLogo.header("content-security-policy"), "sandbox")
    assert.deepStrictEqual((await hosted.get(dark!)).body, png)
    assert.notInclude((await plain.get(`/requests/${id}`)).text, "<header")
  })

  it("PAGE-12 a host's name and texts become no markup", async () => {
    const { text } = await hosted.get(`/drive/requests/${id}`)
    assert.include(text, "alt=\"&lt;/title&gt;&lt;b&gt;&quot;Lumière&quot; &amp; Söhne\"")
    assert.notInclude(text, "<b>")
    assert.notInclude(text, "<i>")
    const [, json] = /<script type="application\/json" id="settings">([^]*?)<\/script>/.exec(text)!
    const settings = JSON.parse(json!)
    assert.strictEqual(settings.hostName, `</title><b>"Lumière" & Söhne`)
    assert.strictEqual(settings.texts["request.title"], "</script><i>Send us pictures")
  })

  it("PAGE-9 the id is neither counted nor logged", async () => {
    const lines: Array<string> = []
    const { drive, get } = await driveWith({ log: (entry) => void lines.push(JSON.stringify(entry)) })
    await get(`/requests/${id}`)
    const metrics = await drive.metrics()
    assert.match(metrics, /filedrive_http_requests_total\{[^}]*route="\/requests\/\*"/)
    assert.notInclude(metrics, id)
    assert.include(lines.join("\n"), "/requests/*")
    assert.notInclude(lines.join("\n"), id)
  })

  const wrong: ReadonlyArray<readonly [pages: unknown, says: string]> = [
    [true, "pages must be an object"],
    [{ title: "x" }, "pages.title is not known; there are name, logo, logoDark, colours, texts, links"],
    [{ name: "" }, "pages.name must be text"],
    [{ logo: "logo.svg" }, "pages.logo must be the bytes of an SVG, PNG, JPEG or WebP image of 512 KiB or less"],
    [{ logo: Buffer.from("<html>") }, "pages.logo must be the bytes of an SVG"],
    [{ logo: Buffer.concat([svg, Buffer.alloc(512 * 1024)]) }, "pages.logo must be the bytes of an SVG"],
    [{ colours: {} }, "pages.colours.accent is missing"],
    [{ colours: { accent: "red" } }, "pages.colours.accent must be a colour like #2f5bd7"],
    [{ texts: { de: "x" } }, "pages.texts must be tables of texts by language"],
    ...[
      "/upload",
      [{ url: "/upload" }],
      [{ label: "", url: "/upload" }],
      [{ label: { de: "Hochladen" }, url: "/upload" }],
      [{ label: "Upload", url: "upload" }],
      [{ label: "Upload", url: "javascript:alert(1)" }],
      [{ label: "Upload", url: "//evil.example.com" }],
      [{ label: "Upload", url: "/\\evil.example.com" }],
      [{ label: "Upload", url: "/\t/evil.example.com" }],
      Array.from({ length: 9 }, () => ({ label: "Upload", url: "/upload" }))
    ].map((links) => [{ links }, "pages.links must be a list of at most 8 links"] as const)
  ]
  it.each(wrong)("PAGE-11 %j: %s", (pages, says) => {
    try {
      checkOptions({ pages } as never)
    } catch (error) {
      assert.instanceOf(error, WrongOption)
      assert.include(error.message, `createDrive: ${says}`)
      return
    }
    assert.fail("It was taken.")
  })
})
