import { assert, describe, it } from "@effect/vitest"
import { DateTime, Schema } from "effect"
import { FileName } from "../files/FileDetail.ts"
import { imageModels } from "../ports/ImageGenerator.ts"
import { utf8Length } from "../shared/Text.ts"
import * as Generation from "./Generation.ts"

const prompt = "a tram"
const image = (...bytes: ReadonlyArray<number>) => ({ mimeType: "image/png", bytes: new Uint8Array(bytes) })
const ascii = (text: string) => [...text].map((character) => character.charCodeAt(0))

describe("What may be asked for", () => {
  it("GEN-1 a prompt has 1 to 4,000 characters, none of them NUL", () => {
    const isPrompt = Schema.is(Generation.Prompt)
    assert.deepStrictEqual(["a", "a".repeat(4_000), "", "a".repeat(4_001), "a\u0000b"].map((text) => isPrompt(text)), [
      true,
      true,
      false,
      false,
      false
    ])
  })

  it.each(imageModels)("GEN-2 %s takes its aspect ratios alone, and quality only if it is gptImage2", (model) => {
    const ratios = ["1:1", "3:2", "2:3", "16:9", "9:16", "4:3", "3:4"] as const
    const taken = ratios.filter((aspectRatio) => Generation.flaw({ prompt, model, aspectRatio }) === undefined)
    assert.deepStrictEqual(taken, model === "gptImage2" ? ratios.slice(0, 3) : [...ratios])
    const wrong = ratios.filter((ratio) => !(taken as ReadonlyArray<string>).includes(ratio))
    for (const aspectRatio of wrong) {
      assert.strictEqual(Generation.flaw({ prompt, model, aspectRatio })?.field, "aspectRatio")
    }
    const withQuality = Generation.flaw({ prompt, model, quality: "low" })
    assert.strictEqual(withQuality?.field, model === "gptImage2" ? undefined : "quality")
  })

  it("GEN-3 what is left out is gptImage2, 1:1, and low on the basic plan, medium on the pro plan", () => {
    const common = { prompt, model: "gptImage2", aspectRatio: "1:1" } as const
    assert.deepStrictEqual(Generation.settle({ prompt }, "basic"), { ...common, quality: "low" })
    assert.deepStrictEqual(Generation.settle({ prompt }, "pro"), { ...common, quality: "medium" })
    assert.strictEqual(Generation.settle({ prompt, quality: "high" }, "basic").quality, "high")
    assert.isNull(Generation.settle({ prompt, model: "flux2Pro" }, "pro").quality)
  })

  it("GEN-4 nanoBananaPro, and gptImage2 at medium or high, are for the pro plan", () => {
    const proOnly = imageModels.flatMap((model) =>
      (model === "gptImage2" ? ["low", "medium", "high"] as const : [null]).flatMap((quality) =>
        Generation.isProOnly({ model, quality }) ? [`${model} ${quality}`] : []
      )
    )
    assert.deepStrictEqual(proOnly, ["gptImage2 medium", "gptImage2 high", "nanoBananaPro null"])
  })
})

describe("The saved image", () => {
  it.each([
    ["A tram, on a hill!", "a-tram-on-a-hill"],
    ["  --  ", "image"],
    ["../../etc/passwd", "etc-passwd"],
    ["C:\\con?*\u0000\u0007\n", "c-con"],
    ["\u202Egnp.exe\u202C", "gnp-exe"],
    ["Ünï\u0301 日本 שלום", "ünḯ-日本-שלום"],
    ["🚋", "image"],
    ["\ud800 a", "a"]
  ])("GEN-20 the prompt %j makes the name %s", (text, slug) => {
    assert.strictEqual(Generation.slugOf(text), slug)
  })

  it("GEN-20 a name is a valid one and has 124 bytes at most, whatever the prompt is", () => {
    const isFileName = Schema.is(FileName)
    for (
      const text of [
        "x".repeat(4_000),
        "日本".repeat(2_000),
        "a ".repeat(2_000),
        "\u0301".repeat(9),
        "a\u0301".repeat(900)
      ]
    ) {
      const stored = { storeKey: "k", mimeType: "image/jpeg", sizeBytes: 1 }
      const name = Generation.fileNameOf({ prompt: text, stored })
      assert.isTrue(isFileName(name), name)
      assert.isTrue(name.endsWith(".jpg"))
      assert.isAtMost(utf8Length(name), 124)
    }
  })

  it("GEN-21 its kind is that of its first bytes", () => {
    assert.strictEqual(Generation.kindOf(image(0x89, ...ascii("PNG\r\n\x1a\n"), 1))?.mimeType, "image/png")
    assert.strictEqual(Generation.kindOf(image(0xff, 0xd8, 0xff, 0xe0))?.mimeType, "image/jpeg")
    assert.strictEqual(Generation.kindOf(image(...ascii("RIFF1234WEBPVP8 ")))?.mimeType, "image/webp")
    for (const other of [[], ascii("GIF89a"), ascii("<svg>"), ascii("RIFF1234WAVE"), [0x89, 0x50, 0x4e]]) {
      assert.isNull(Generation.kindOf(image(...other)))
    }
  })

  it("GEN-12 sentences have 300 characters at most", () => {
    for (const code of Generation.failureCodes) assert.isAtMost(Generation.sentenceOf(code).length, 300)
    assert.match(Generation.sentenceOf("moderated"), /rules/)
  })
})

it.each([
  ["2026-01-31T23:59:59.999Z", "2026-01-01", "2026-02-01T00:00:00.000Z"],
  ["2026-02-01T00:00:00.000Z", "2026-02-01", "2026-03-01T00:00:00.000Z"],
  ["2026-12-31T12:00:00.000Z", "2026-12-01", "2027-01-01T00:00:00.000Z"]
])("GEN-7 %s is in the month %s, and the next begins at %s", (time, month, renewTime) => {
  const now = DateTime.makeUnsafe(time)
  assert.strictEqual(Generation.monthOf(now), month)
  assert.strictEqual(DateTime.formatIso(Generation.renewTime(now)), renewTime)
})
