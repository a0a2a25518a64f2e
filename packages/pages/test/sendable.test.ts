import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { assert as assertProperty, property, string } from "fast-check"
import { FileName } from "../../core/src/files/FileDetail.ts"
import { DropNote, SenderName } from "../../core/src/requests/Drop.ts"
import { fileName, line, lines } from "../browser/foundation/sendable.ts"

const isName = Schema.is(FileName)

describe("what is sent", () => {
  it.each([
    { name: "tram 28.jpg", sent: "tram 28.jpg" },
    { name: "invoice \u202Egpj.exe", sent: "invoice gpj.exe" },
    { name: "a\u200Bb\u00ADc\uFEFF.txt", sent: "a\u200Bb\u00ADc\uFEFF.txt" },
    { name: "صورة ٢٠٢٦.jpg", sent: "صورة ٢٠٢٦.jpg" },
    { name: "می‌خواهم.txt", sent: "می‌خواهم.txt" },
    { name: "👩‍🚀❤️.png", sent: "👩‍🚀❤️.png" },
    { name: "\u200eIMG-WA0001.jpg", sent: "\u200eIMG-WA0001.jpg" },
    { name: "two\nlines\t\u2028.txt", sent: "two lines  .txt" },
    { name: "\u200B\u202E", sent: "file" },
    { name: `${"é".repeat(600)}.tar.gz`, sent: `${"é".repeat(510)}.gz` },
    { name: "x".repeat(2_000), sent: "x".repeat(1_024) }
  ])("PAGE-43 a file $name is sent as $sent", ({ name, sent }) => {
    assert.strictEqual(fileName(name), sent)
    assert.isTrue(isName(sent))
  })

  it("PAGE-43 the drive takes the name of any file, and what anybody types", () => {
    const strange = string({ unit: "binary", maxLength: 60 })
    assertProperty(property(strange, (text) => {
      assert.isTrue(isName(fileName(text)), JSON.stringify(fileName(text)))
      const name = line(text).slice(0, 100)
      assert.isTrue(name === "" || Schema.is(SenderName)(line(name)), JSON.stringify(name))
      assert.isTrue(Schema.is(DropNote)(lines(text)), JSON.stringify(text))
    }))
  })
})
