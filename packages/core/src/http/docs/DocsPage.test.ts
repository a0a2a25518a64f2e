/** The documentation page as text: its content, its links, and that no content becomes markup. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { assetsFile, assetsModule } from "../../../../../scripts/docsAssets.ts"
import { errors, statuses } from "../ApiError.ts"
import { defaults } from "../HttpConfig.ts"
import * as OpenApiDocument from "../OpenApiDocument.ts"
import { script, style } from "./Assets.ts"
import { page } from "./DocsPage.ts"
import { escape, prose } from "./Html.ts"
import { unitOf } from "./Units.ts"

// oxlint-disable-next-line no-explicit-any
type Json = any

const document = OpenApiDocument.make({ ...defaults, origin: "https://drive.test", basePath: "/drive/api" })
const json: Json = JSON.parse(JSON.stringify(document))
const operations = Object.entries<Json>(json.paths).flatMap(([path, methods]) =>
  Object.entries<Json>(methods).map(([method, item]) => ({ method, path, item }))
)
const html = page(document, errors)

const articles = new Map(
  html.split("<article ").slice(1).map((text) => [/^id="([^"]*)"/.exec(text)![1]!, text.split("</article>")[0]!])
)

const withoutMarkup = (text: string): string =>
  text.replaceAll(/<[^>]*>/g, " ").replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))).replaceAll(
    /\s+/g,
    " "
  )

const count = (text: string, part: string): number => text.split(part).length - 1

describe("operations", () => {
  it("OPS-8 every operation stands once on the page, in the section of its feature", () => {
    assert.sameMembers([...articles.keys()], operations.map(({ item }) => item.operationId))
    for (const { description, name } of json.tags) {
      const section = html.split("<section ").find((one) => one.includes(`-title">${escape(name)}</h2>`))!
      assert.include(withoutMarkup(section).replaceAll(" ", ""), description.replaceAll(/[` ]/g, ""))
      const own = operations.filter(({ item }) => item.tags.includes(name))
      for (const { item } of own) assert.include(section, `<article id="${item.operationId}"`)
      assert.strictEqual(count(section, "<article "), own.length, name)
    }
  })

  it.each(operations)(
    "OPS-8 $item.operationId has its whole description, its fields and its examples",
    ({ item, path }) => {
      const article = articles.get(item.operationId)!
      const told = withoutMarkup(article)
      // Steps have their numbers from the list.
      for (const sentence of item.description.replaceAll(/(?<=[.:] )\d\. /g, "").split(/(?<=\.) /)) {
        assert.include(told.replaceAll(" ", ""), sentence.replaceAll(/[` ]/g, ""))
      }
      const mount = path === "/exchange-token" ? "/auth" : "/drive/api"
      assert.include(article, `data-path="${mount}${path}"`)
      for (const body of [item.requestBody, item.responses["200"]]) {
        for (const { example, schema } of Object.values<Json>(body?.content ?? {})) {
          assert.include(article, escape(typeof example === "string" ? example : JSON.stringify(example, null, 2)))
          for (const name of Object.keys(schema.properties ?? {})) {
            assert.include(
              article,
              `class="name">${name}</code>`
            )
          }
          if (schema.$ref) assert.include(article, `href="#record-${schema.$ref.split("/").at(-1)}"`)
        }
      }
      for (const one of item.parameters.filter(({ in: where }: Json) => where === "query")) {
        assert.include(article, `class="name">${one.name}</code>`)
      }
    }
  )

  it("OPS-8 fields have their limits, their values, and the unit of every number that has one", () => {
    const told = withoutMarkup(articles.get("insertFile")!)
    assert.include(told, "fileSize integer, in bytes, 0 to 2,199,023,255,552 required")
    assert.include(told, "mimeType string, at most 255 characters")
    assert.include(told, "type \"Video\" or \"Audio\" or \"Image\"")
    assert.match(withoutMarkup(articles.get("exchangeToken")!), /expiresIn integer, in seconds/)
    assert.match(withoutMarkup(articles.get("signUploadParts")!), /partNumbers list of integer/)
  })

  it("OPS-8 a number without a unit is a count, a place in a list, a page or a status", () => {
    const found = new Set<string>()
    const visit = (value: Json, field: string): void => {
      if (typeof value !== "object" || value === null) return
      if ((value.type === "integer" || value.type === "number") && unitOf(field) === undefined) found.add(field)
      for (const [key, inner] of Object.entries<Json>(value)) {
        if (key === "example") continue
        if (key === "properties") { for (const [name, one] of Object.entries(inner)) visit(one, name) }
        else visit(inner, field)
      }
    }
    visit(json, "")
    const counts =
      /^(?:added|deleted|removed|files|folders|views|allViews|objects|limit|parts|partsDone|total|used|status)$|(?:Count|Number|Numbers)$/
    const places = /^(?:from|to|fromPage|toPage|offset|nextOffset)$/
    assert.deepStrictEqual([...found].filter((name) => !counts.test(name) && !places.test(name)), [])
  })

  it("OPS-8 numbered steps are a list, and what follows them is not", () => {
    const text = "Uploads a file. 1. Call `/a`. It answers. 2. Send it. Then wait."
    assert.strictEqual(
      prose(text, (name) => name === "/a" ? "a" : undefined),
      "<p class=\"lead\">Uploads a file.</p><ol><li>Call <a href=\"#a\"><code>&#47;a</code></a>. It answers.</li><li>Send it.</li></ol><p>Then wait.</p>"
        .replace("&#47;", "/")
    )
  })
})

describe("errors", () => {
  it("OPS-9 every status and every code is described once, and operations link only the statuses that not all have", () => {
    const [section] = html.split("<section id=\"errors\"")[1]!.split("</section>")
    for (const [{ fields }, status] of statuses) {
      assert.strictEqual(count(html, `id="status-${status}"`), 1)
      for (const code of fields.code.literals) assert.strictEqual(count(section!, `id="error-${code}"`), 1, code)
    }
    for (const { item } of operations) {
      const links = [...articles.get(item.operationId)!.matchAll(/href="#status-(\d+)"/g)].map(([, status]) => status)
      const own = Object.keys(item.responses).filter((status) => !"200 400 401 403 429 500 503".includes(status))
      assert.deepStrictEqual(links, own, item.operationId)
    }
  })

  it("OPS-6 LINK-1 what is called through a public link says that it needs no session", () => {
    const article = articles.get("openFileRequest")!
    assert.include(article, "Needs no session: the link's id is the key.")
    assert.include(article, "data-auth=\"link\"")
    assert.notInclude(article, "Needs a session.")
  })

  it("OPS-9 all operations may answer the errors that are described for all", () => {
    for (const { item } of operations) {
      const all = "400 403 429 500 503".split(" ")
      assert.includeMembers(Object.keys(item.responses), item.security.length === 0 ? all : [...all, "401"])
    }
  })
})

describe("the page", () => {
  it("OPS-10 ids are unique, and every link within the page leads to one", () => {
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id!)
    assert.strictEqual(new Set(ids).size, ids.length)
    const links = [...html.matchAll(/ href="#([^"]*)"/g)].map(([, id]) => id!)
    assert.isAbove(links.length, 2 * operations.length)
    assert.deepStrictEqual(links.filter((link) => !ids.includes(link)), [])
  })

  it("OPS-10 routes and error codes that descriptions name are links", () => {
    const article = articles.get("insertFile")!
    assert.include(article, "<a href=\"#generateFileUrls\"><code>/generate-file-urls</code></a>")
    assert.include(article, "<a href=\"#error-size_mismatch\"><code>size_mismatch</code></a>")
  })

  it("OPS-11 it has landmarks, a way past the list of operations, and a label for every field of a form", () => {
    for (
      const part of [
        "<html lang=\"en\">",
        "<header class=\"top\">",
        "<nav aria-label",
        "<main id=\"main\">",
        "href=\"#main\""
      ]
    ) {
      assert.include(html, part)
    }
    for (const [, id] of html.matchAll(/<input id="([^"]*)"/g)) assert.include(html, `<label for="${id}">`)
    for (const [, title] of html.matchAll(/aria-labelledby="([^"]*)"/g)) {
      assert.strictEqual(count(html, ` id="${title}"`), 1)
    }
    assert.strictEqual(count(html, "<h1>"), 1)
  })

  it("OPS-11 what needs the script is hidden until it runs", () => {
    for (const form of html.match(/<form [^>]*>|<p class="filter"[^>]*>/g)!) assert.include(form, "hidden")
    assert.notInclude(html, "Try it</button>")
  })

  it("OPS-12 the script and the style have less than 15 kB together, and are those of their sources", async () => {
    assert.isBelow(style.text.length + script.text.length, 15_000)
    assert.strictEqual(readFileSync(assetsFile, "utf8"), await assetsModule())
  })

  it("OPS-12 it has colours for dark mode, and one column on a narrow screen", () => {
    assert.include(style.text, "prefers-color-scheme:dark")
    const wide = style.text.indexOf("@media")
    assert.notInclude(style.text.slice(0, wide), "grid-template-columns")
  })
})

describe("hostile texts", () => {
  const hostile = "\"'><script>alert(1)</script><img src=x onerror=alert(1)>&lt;!--"
  const harmless = "xyz"

  /** The document with `text` added to all that it contains: descriptions, names, examples, values. */
  const spoiled = (text: string) => {
    const spoil = (value: Json, key = ""): Json => {
      if (Array.isArray(value)) {
        return key === "required" || key === "tags" && typeof value[0] === "string"
          ? value
          : value.map((one) => spoil(one, key))
      }
      if (typeof value === "string") {
        return ["description", "title", "version", "example", "enum", "const"].includes(key) ? value + text : value
      }
      if (typeof value !== "object" || value === null) return value
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          key === "properties" ? name + text : name,
          spoil(inner, key === "example" ? "example" : name)
        ])
      )
    }
    return page(spoil(json), errors)
  }

  it("SEC-7 whatever the document contains is shown as text, and never becomes a tag, attribute or comment", () => {
    const [bad, good] = [spoiled(hostile), spoiled(harmless)]
    assert.notInclude(bad, "<script>alert")
    assert.notInclude(bad, "<img")
    assert.isAbove(count(bad, "&#60;script&#62;"), 100)
    for (const character of ["<", ">", "\""]) {
      assert.strictEqual(count(bad, character), count(good, character), character)
    }
  })

  it("SEC-7 the script writes texts, never markup, and evaluates nothing", () => {
    assert.notMatch(
      script.text,
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|\beval\b|new Function|setAttribute\("(?:on|href|src)/
    )
  })

  it("SEC-8 the script keeps tokens and sessions in memory: nothing is stored, and no address contains them", () => {
    assert.notMatch(
      script.text,
      /localStorage|sessionStorage|indexedDB|\.cookie|caches|serviceWorker|history\.|location\.(?:hash|search|assign|replace)/
    )
    assert.match(html, /<input id="token" type="password" autocomplete="off"/)
  })

  it("SEC-6 page, script and style name no other host, and the markup has no inline code or style", () => {
    assert.notMatch(html, /(?:src|href|action)="(?:https?:)?\/\//)
    assert.notMatch(`${style.text}${script.text}`, /https?:\/\/|url\(|@import|\bimport\(/)
    assert.deepStrictEqual(html.match(/<script[^>]*>/g), [`<script src="docs/page.js?v=${script.version}" defer>`])
    assert.notMatch(html, /<style| style=| on[a-z]+="|javascript:/)
  })
})
