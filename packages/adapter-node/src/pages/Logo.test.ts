import { assert, describe, it } from "@effect/vitest"
import { logoOf } from "./Logo.ts"

const svg = `<svg xmlns="http://www.w3.org/2000/svg"/>`

describe("logoOf", () => {
  it.each([
    { bytes: Buffer.from(svg), mimeType: "image/svg+xml" },
    {
      bytes: Buffer.from(`\uFEFF<?xml version="1.0"?>\n<!-- a > b -->\n<!DOCTYPE svg>\n${svg}`),
      mimeType: "image/svg+xml"
    },
    { bytes: Buffer.from("89504e470d0a1a0a00", "hex"), mimeType: "image/png" },
    { bytes: Buffer.from("ffd8ffe0", "hex"), mimeType: "image/jpeg" },
    { bytes: Buffer.from("RIFF\0\0\0\0WEBPVP8 "), mimeType: "image/webp" },
    { bytes: Buffer.from("<html><svg>"), mimeType: undefined },
    { bytes: Buffer.from("<svgx>"), mimeType: undefined },
    { bytes: Buffer.alloc(0), mimeType: undefined }
  ])("PAGE-5 tells $mimeType by its first bytes", ({ bytes, mimeType }) => {
    assert.strictEqual(logoOf(bytes)?.mimeType, mimeType)
  })

  it("PAGE-5 tells a file of comments alone, or before something else, as fast as any other", () => {
    for (const end of ["", "<sv", svg]) {
      assert.strictEqual(
        logoOf(Buffer.from("<!---->".repeat(280) + end))?.mimeType,
        end === svg ? "image/svg+xml" : undefined
      )
    }
  })
})
