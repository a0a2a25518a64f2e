/** What is open on an owner's page is in its address; it must get no further than to where somebody signs in. */
import { assert, describe, it } from "@effect/vitest"
import { startHost } from "./PagesHost.ts"

const id = "5e0c3a44-93b4-4f28-a6d1-c07e94b2385f"

describe("the address of an owner's page", () => {
  it.each(["requests", "reviews"])("PAGE-140 of /%s: the id is neither counted nor logged", async (path) => {
    const lines: Array<string> = []
    const host = await startHost({ log: (entry) => void lines.push(JSON.stringify(entry)) })
    try {
      const url = `${host.drive.urls.site}/${path}?id=${id}`
      const shown = await fetch(url, { headers: { cookie: `pages-user=${host.userId}` } })
      assert.strictEqual(shown.status, 200)
      assert.notInclude(await shown.text(), id)
      const led = await fetch(url, { redirect: "manual" })
      assert.strictEqual(led.status, 303)
      assert.include(led.headers.get("location")!, encodeURIComponent(url))
      const metrics = await host.drive.metrics()
      assert.include(metrics, `route="/${path}"`)
      assert.notInclude(metrics, id)
      assert.include(lines.join("\n"), `/${path}`)
      assert.notInclude(lines.join("\n"), id)
    } finally {
      await host.stop()
    }
  })
})
