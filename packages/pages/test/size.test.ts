import { assert, describe, it } from "@effect/vitest"
import { gzipSync } from "node:zlib"
import { document } from "../src/document.ts"
import { load } from "../src/load.ts"
import { type PageName, pages } from "../src/pages.ts"
import { textsOf } from "../src/texts/texts.ts"

describe.each(Object.keys(pages) as ReadonlyArray<PageName>)("the page %s", (name) => {
  it("PAGE-8 has less than 60 kB with all that it loads", async () => {
    const built = await load()
    const page = built.pages[name]!
    const { html } = document({
      name,
      page,
      settings: {
        api: "/api",
        auth: "/auth",
        hasAgent: true,
        links: [],
        logoutUrl: null,
        mount: "",
        hostName: null,
        language: "de",
        texts: textsOf(name, "de")
      },
      theme: "",
      logo: null,
      assets: "/api/pages"
    })
    const scripts = [page.script, ...page.modules].map((asset) =>
      Buffer.from(built.assets[asset]!.gzip, "base64").length
    )
    const bytes = gzipSync(html).length + scripts.reduce((sum, one) => sum + one, 0)
    assert.isAbove(bytes, 10_000)
    assert.isBelow(bytes, 60_000)
  })
})
