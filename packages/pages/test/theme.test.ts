import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { contrast, grounds, themeOf } from "../src/theme.ts"

const tokens = readFileSync(new URL("../browser/style/tokens.css", import.meta.url), "utf8")

/** The custom properties of a theme, of light ground and of dark. */
const read = (css: string) =>
  css.split("@media").map((part) =>
    Object.fromEntries([...part.matchAll(/--([\w-]+): ?(#\w{6})/g)].map(([, k, v]) => [k, v!]))
  )

const assertReadable = (theme: Readonly<Record<string, string>>, ground: string, what: string) => {
  assert.isAtLeast(contrast(theme["on-accent"]!, theme["accent"]!), 4.5, `${what}: text on it`)
  assert.isAtLeast(contrast(theme["accent-text"]!, ground), 4.5, `${what}: text in it`)
  assert.isAtLeast(contrast(theme["accent-firm"]!, ground), 3, `${what}: its shape`)
}

describe("theme", () => {
  it.each(["#000000", "#ffffff", "#2f5bd7", "#ffee00", "#ff0000", "#00ff00", "#808080", "#767676", "#0f766e"])(
    "PAGE-6 text on and in %s is readable on light and dark ground",
    (accent) => {
      const [light, dark] = read(themeOf({ accent }))
      assertReadable(light!, grounds.light, "light")
      assertReadable(dark!, grounds.dark, "dark")
    }
  )

  it("PAGE-6 a colour that is readable stays as it is, and dark ground has its own", () => {
    const [light, dark] = read(themeOf({ accent: "#2450c4", accentDark: "#9db8ff" }))
    assert.strictEqual(light!["accent"], "#2450c4")
    assert.strictEqual(light!["accent-text"], "#2450c4")
    assert.strictEqual(dark!["accent"], "#9db8ff")
  })

  it("PAGE-6 the drive's own colours are readable, on the grounds that themes reckon with", () => {
    const [light, dark] = read(tokens) as [Record<string, string>, Record<string, string>]
    assert.strictEqual(light["raised"], grounds.light)
    assert.strictEqual(dark["raised"], grounds.dark)
    for (const colours of [light, dark]) {
      assertReadable(colours, colours["raised"]!, "own")
      for (const ground of ["ground", "card", "raised", "field"]) {
        for (const text of ["text", "soft", "bad-text", "accent-text"]) {
          assert.isAtLeast(contrast(colours[text]!, colours[ground]!), 4.5, `${text} on ${ground}`)
        }
        assert.isAtLeast(contrast(colours["line-firm"]!, colours[ground]!), 3, `the edge of a field on ${ground}`)
      }
      for (const kind of ["good", "bad"]) {
        assert.isAtLeast(contrast(colours[`${kind}-text`]!, colours[`${kind}-ground`]!), 4.5, kind)
      }
      assert.isAtLeast(contrast(colours["on-bad"]!, colours["bad"]!), 4.5)
      assert.isAtLeast(contrast(colours["on-inverse"]!, colours["inverse"]!), 4.5)
    }
  })
})
