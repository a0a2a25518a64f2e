import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { FileName } from "../files/FileDetail.ts"
import * as RemoteName from "./RemoteName.ts"

const link = "https://files.test/dir/in%20the%20link.pdf?name=query.exe#part"
const isFileName = Schema.is(FileName)
/** As a header comes: each character a byte. */
const utf8 = (text: string) => Buffer.from(text, "utf8").toString("latin1")
const named = (disposition: string | null, url = link, mimeType = "application/octet-stream") =>
  RemoteName.of(disposition, url, mimeType)

describe("RemoteName", () => {
  it.each<[disposition: string, name: string]>([
    ["attachment; filename=plain.txt", "plain.txt"],
    ["attachment; filename=\"with space; and \\\"quotes\\\".txt\"", "with space; and \"quotes\".txt"],
    ["attachment; filename*=UTF-8''na%C3%AFve%20file.txt", "naïve file.txt"],
    ["attachment; filename=\"plain.txt\"; filename*=UTF-8''na%C3%AFve.txt", "naïve.txt"],
    ["attachment; filename*=utf-8'en'%E2%82%AC%20rates.txt; filename=\"plain.txt\"", "€ rates.txt"],
    ["attachment; filename*=iso-8859-1''caf%E9.txt", "café.txt"],
    ["inline; FileName=\"upper.TXT\"", "upper.TXT"],
    ["filename=\"no type.txt\"", "no type.txt"],
    ["attachment;filename = spaced.txt ;x=y", "spaced.txt"],
    [`attachment; filename="${utf8("Straße 漢字.txt")}"`, "Straße 漢字.txt"],
    ["attachment; filename=\"caf\u00e9.txt\"", "café.txt"],
    ["attachment; filename=\"a%20b.txt\"", "a b.txt"],
    ["attachment; filename=\"100% sure.txt\"", "100% sure.txt"],
    ["attachment; filename=\"never closed.txt", "never closed.txt"],
    // What filename* can't be read as leaves filename.
    ["attachment; filename*=nonsense''%FF.txt; filename=plain.txt", "plain.txt"],
    ["attachment; filename*=UTF-8''%FF%FE.txt; filename=plain.txt", "plain.txt"],
    ["attachment; filename*=plain; filename=plain.txt", "plain.txt"],
    // No way out of a folder, no empty name, no characters that change how it reads.
    ["attachment; filename=\"../../etc/passwd\"", ".._.._etc_passwd"],
    ["attachment; filename=\"C:\\\\dir\\\\file.txt\"", "C:_dir_file.txt"],
    ["attachment; filename=\"line\u0001break.txt\"", "line_break.txt"],
    ["attachment; filename*=UTF-8''%E2%80%AEtxt.exe", "txt.exe"],
    ["attachment; filename*=UTF-8''a%00b.txt", "a_b.txt"],
    // These say nothing: the link does.
    ["attachment", "in the link.pdf"],
    ["attachment; filename=\"\"", "in the link.pdf"],
    ["attachment; filename=\"..\"", "in the link.pdf"],
    ["attachment; filename=\" / \"", "in the link.pdf"],
    ["attachment; filename*=UTF-8''%2E%2E", "in the link.pdf"]
  ])("IMP-6 %s", (disposition, name) => {
    assert.strictEqual(named(disposition), name)
  })

  it.each<[url: string, name: string]>([
    ["https://files.test/a/b.txt", "b.txt"],
    ["https://files.test/a/caf%C3%A9.txt", "café.txt"],
    ["https://files.test/a/caf%E9.txt", "café.txt"],
    ["https://files.test/a%2F..%2Fb", "a_.._b"],
    ["https://files.test/%E0%A4%A", "à¤%A"],
    ["https://files.test/", "download"],
    ["https://files.test", "download"],
    ["https://files.test/a/..%2F", "download"]
  ])("IMP-6 %s without a word of the server's", (url, name) => {
    assert.strictEqual(named(null, url), name)
  })

  it.each<[name: string, mimeType: string, expected: string]>([
    ["photo", "image/jpeg", "photo.jpg"],
    ["photo.png", "image/jpeg", "photo.png"],
    ["v1.2 of it", "application/pdf", "v1.2 of it.pdf"],
    [".hidden", "text/plain; charset=utf-8", ".hidden.txt"],
    ["unknown", "application/x-unknown", "unknown"]
  ])("IMP-6 %s of kind %s is called %s", (name, mimeType, expected) => {
    assert.strictEqual(named(`attachment; filename="${name}"`, link, mimeType), expected)
  })

  it("IMP-6 a long name keeps its extension, and a whole last character", () => {
    const name = named(`attachment; filename*=UTF-8''${encodeURIComponent("漢".repeat(600))}.jpeg`)
    assert.strictEqual(name, `${"漢".repeat(339)}.jpeg`)
    assert.isTrue(isFileName(named(null, `https://files.test/${"x".repeat(3_000)}`, "image/png")))
  })

  const junk = Schema.String.check(Schema.isMaxLength(60))
  it.prop(
    "IMP-6 whatever is sent, the name is a file's, and no path",
    [
      junk,
      junk,
      Schema.Literals(["filename", "filename*", "x"]),
      Schema.Literals(["image/png", "application/pdf", ""])
    ],
    ([value, path, parameter, mimeType]) => {
      for (const text of [value, encodeURIComponent(value.toWellFormed()), `UTF-8''${value}`, `"${value}"`]) {
        const url = `https://files.test/${encodeURIComponent(path.toWellFormed())}`
        const name = named(`attachment; ${parameter}=${text}`, url, mimeType)
        assert.isTrue(isFileName(name), JSON.stringify(name))
        assert.notMatch(name, /^\.*$|[/\\]/)
      }
    },
    { arbitrary: { runs: 500 } }
  )
})
