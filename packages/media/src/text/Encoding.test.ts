import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { readFileSync } from "node:fs"
import * as Samples from "../../test/Samples.ts"
import { encodingOf, isText } from "./Encoding.ts"

const bytes = (...bytes: ReadonlyArray<number>) => Uint8Array.from(bytes)
const utf8 = (text: string) => new TextEncoder().encode(text)

const utf16 = (text: string, order: "le" | "be"): Uint8Array => {
  const buffer = Buffer.from(text, "utf16le")
  return order === "le" ? buffer : buffer.swap16()
}

const japanese = "吾輩は猫である。名前はまだ無い。\nどこで生れたかとんと見当がつかぬ。 何でも薄暗いじめじめした所で\n"
  .repeat(8)
const german = "Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. Äpfel, Öl, Übermut.\r\n".repeat(4)
const russian = "Все счастливые семьи похожи друг на друга, каждая несчастливая семья несчастлива по-своему.\n".repeat(
  4
)

const windows1251 = (text: string): Uint8Array =>
  Uint8Array.from(text, (letter) => {
    const code = letter.charCodeAt(0)
    return code >= 0x410 ? code - 0x410 + 0xc0 : code
  })

const utf32 = (text: string, isLittle: boolean): Uint8Array => {
  const view = new DataView(new ArrayBuffer([...text].length * 4))
  for (const [at, one] of [...text].entries()) view.setUint32(at * 4, one.codePointAt(0)!, isLittle)
  return new Uint8Array(view.buffer)
}

/** In an encoding of one byte a character, by asking its decoder about every byte. */
const inEncoding = (text: string, encoding: string): Uint8Array => {
  const decoder = new TextDecoder(encoding)
  const byteOf = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]))
  return Uint8Array.from(text, (one) => byteOf.get(one) ?? assert.fail(`${encoding} has no ${one}`))
}

const spaceless = "これは日本語の文章です。改行なしで続く".repeat(40)
const chinese = "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。\n".repeat(3)
const thai = "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม\n"
const hebrew = "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון\n"
const pointed = "בְּרֵאשִׁית בָּרָא אֱלֹהִים אֵת הַשָּׁמַיִם וְאֵת הָאָרֶץ\n".normalize("NFD")
const lithuanian = "„Visi žmonės gimsta laisvi ir lygūs savo orumu ir teisėmis“. Jiems suteiktas protas ir sąžinė.\n"
const latvian = "Visi cilvēki piedzimst brīvi un vienlīdzīgi savā pašcieņā un tiesībās. Viņi ir apveltīti ar saprātu.\n"
const icelandic = "Hver maður er borinn frjáls og jafn öðrum að virðingu og réttindum. Menn eru gæddir vitsmunum.\n"

/** In an encoding of two bytes a character, by asking its decoder about every pair. */
const inPairs = (text: string, encoding: string): Uint8Array => {
  const decoder = new TextDecoder(encoding)
  const pairOf = new Map<string, ReadonlyArray<number>>()
  for (let first = 0xa1; first < 0xff; first++) {
    for (let second = 0xa1; second < 0xff; second++) {
      pairOf.set(decoder.decode(Uint8Array.of(first, second)), [first, second])
    }
  }
  return Uint8Array.from([...text].flatMap((one) => one < "\u0080" ? [one.charCodeAt(0)] : pairOf.get(one)!))
}

const latin1 = (text: string) => Buffer.from(text, "latin1")

describe("Encoding", () => {
  it.each([
    { what: "a mark of UTF-8", head: bytes(0xef, 0xbb, 0xbf, 0xff), encoding: "utf-8" },
    { what: "a mark of UTF-16, little end first", head: bytes(0xff, 0xfe, 0x3d, 0xd8), encoding: "utf-16le" },
    { what: "a mark of UTF-16, big end first", head: bytes(0xfe, 0xff, 0x4e, 0x00), encoding: "utf-16be" },
    { what: "ASCII", head: utf8("hello\r\n\tworld\f"), encoding: "utf-8" },
    { what: "UTF-8 with its last character cut", head: utf8("Zażółć 😀").subarray(0, -2), encoding: "utf-8" },
    { what: "Japanese in UTF-16 without a mark", head: utf16(japanese, "le"), encoding: "utf-16le" },
    { what: "Japanese in UTF-16 the other way round", head: utf16(japanese, "be"), encoding: "utf-16be" },
    { what: "German in UTF-16 without a mark", head: utf16(german, "le"), encoding: "utf-16le" },
    { what: "Russian in UTF-16 without a mark", head: utf16(russian, "be"), encoding: "utf-16be" },
    { what: "Russian in windows-1251", head: windows1251(russian), encoding: "windows-1251" },
    { what: "German in windows-1252", head: latin1(german), encoding: "windows-1252" },
    { what: "a few bytes of what may be anything", head: bytes(0x61, 0xff, 0x62), encoding: "windows-1252" },
    { what: "colours of a terminal", head: utf8("\u001b[31mred\u001b[0m\n"), encoding: "utf-8" },
    {
      what: "a word of windows-1252 that ends like a character of UTF-8 begins",
      head: latin1("Café"),
      encoding: "windows-1252"
    },
    {
      what: "UTF-8 with a wrong byte in it",
      head: Buffer.concat([utf8(russian), bytes(0xff), utf8(russian)]),
      encoding: "utf-8"
    },
    {
      what: "ASCII whose 65,536th byte begins a character",
      head: utf8(`${"a".repeat(65_535)}é`).subarray(0, -1),
      encoding: "utf-8"
    },
    { what: "Japanese by escape sequences", head: latin1("Hi, \u001b$B8cGZ$OG-\u001b(B\n"), encoding: "iso-2022-jp" },
    { what: "Japanese by escape sequences, cut", head: latin1("\u001b$B8cGZ$OG-"), encoding: "iso-2022-jp" },
    { what: "Japanese in UTF-16 without a line break", head: utf16(spaceless, "be"), encoding: "utf-16be" },
    { what: "the same the other way round", head: utf16(spaceless, "le"), encoding: "utf-16le" },
    { what: "Chinese in UTF-16, of which a character ends in zero", head: utf16(chinese, "be"), encoding: "utf-16be" },
    { what: "a mark of UTF-32, little end first", head: bytes(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0), encoding: "utf-32le" },
    { what: "a mark of UTF-32, big end first", head: bytes(0, 0, 0xfe, 0xff, 0, 0, 0, 0x61), encoding: "utf-32be" },
    { what: "German in UTF-32 without a mark", head: utf32(german, true), encoding: "utf-32le" },
    { what: "Japanese in UTF-32 without a mark", head: utf32(japanese, false), encoding: "utf-32be" },
    { what: "Thai in TIS-620", head: inEncoding(thai, "windows-874"), encoding: "windows-874" },
    { what: "Hebrew in windows-1255", head: inEncoding(hebrew, "windows-1255"), encoding: "windows-1255" },
    { what: "Hebrew with points in windows-1255", head: inEncoding(pointed, "windows-1255"), encoding: "windows-1255" },
    { what: "Russian as DOS wrote it", head: inEncoding(russian, "ibm866"), encoding: "ibm866" },
    { what: "Russian in KOI8-R", head: inEncoding(russian, "koi8-r"), encoding: "koi8-r" },
    { what: "Lithuanian in ISO-8859-13", head: inEncoding(lithuanian, "iso-8859-13"), encoding: "iso-8859-13" },
    { what: "Latvian in ISO-8859-13", head: inEncoding(latvian, "iso-8859-13"), encoding: "iso-8859-13" },
    { what: "Lithuanian in windows-1257", head: inEncoding(lithuanian, "windows-1257"), encoding: "windows-1257" },
    { what: "Icelandic in windows-1252", head: inEncoding(icelandic, "windows-1252"), encoding: "windows-1252" },
    { what: "nothing", head: bytes(), encoding: "utf-8" }
  ])("MEDIA-48 $what is $encoding", ({ encoding, head }) => {
    assert.strictEqual(encodingOf(head), encoding)
  })

  it.each([
    "서울은 대한민국의 수도이자 최대 도시이다. 한강을 끼고 있으며 많은 사람들이 살고 있다.",
    "서울은 대한민국의 수도이다.",
    "오늘은 날씨가 좋아서 산책을 했습니다."
  ])("MEDIA-70 a few words of Korean are not taken for Thai: %s", (text) => {
    assert.strictEqual(encodingOf(inPairs(text, "euc-kr")), "euc-kr")
  })

  it.each([
    ["Žąsis ėjo į pievą ir žiūrėjo į šviesą. Ačiū už viską, iki pasimatymo.", "iso-8859-13"],
    ["Žąsis ėjo į pievą ir žiūrėjo į šviesą. Ačiū už viską, iki pasimatymo…", "windows-1257"],
    ["Šī ir ļoti jauka vēstule. Mēs visi kopā dzīvojam lielā, gaišā mājā pie ezera.", "iso-8859-13"],
    ["Hann býr í húsi við ána og það er gott að búa þar á sumrin.", "windows-1252"],
    ["Føroyar eru oyggjar í Norðuratlantshavi, har fólk liva av fiskiskapi.", "windows-1252"]
  ])("MEDIA-70 Lithuanian and Latvian are told from languages of the west: %s", (text, encoding) => {
    assert.strictEqual(encodingOf(inEncoding(text, encoding)), encoding)
  })

  it("MEDIA-70 Russian in capitals is read as DOS wrote it", () => {
    const text = "ПРОГРАММА УСТАНОВКИ ДРАЙВЕРА. НАЖМИТЕ ЛЮБУЮ КЛАВИШУ ДЛЯ ПРОДОЛЖЕНИЯ."
    assert.strictEqual(encodingOf(inEncoding(text, "ibm866")), "ibm866")
  })

  it.each([
    { what: "a NUL in the midst", head: utf8("text\0more text, and more of it") },
    { what: "numbers of two bytes", head: Uint8Array.from({ length: 512 }, (_, i) => i % 2 === 0 ? i / 2 : 0) },
    { what: "control characters", head: bytes(1, 2, 3, 4, 5, 6, 65, 66, 67) },
    { what: "random bytes", head: Uint8Array.from({ length: 4_096 }, (_, i) => (i * 7_919 + (i * i) % 251) % 256) }
  ])("MEDIA-48 $what is no text", ({ head }) => {
    assert.isNull(encodingOf(head))
  })

  it.effect.prop(
    "MEDIA-48 of any bytes the answer is null, UTF-32 or what TextDecoder calls it",
    { head: Schema.Uint8Array },
    ({ head }) =>
      Effect.sync(() => {
        const encoding = encodingOf(head)
        if (encoding === "utf-32le" || encoding === "utf-32be") return
        assert.strictEqual(encoding, encoding === null ? null : new TextDecoder(encoding).encoding)
      })
  )
})

describe("bytes of which nothing else is known", () => {
  it.each([
    ["Thai", inEncoding(thai, "windows-874")],
    ["Russian of DOS", inEncoding(russian, "ibm866")],
    ["German in windows-1252", latin1(german)],
    ["a word in windows-1252", latin1("Café\n")],
    ["Japanese in UTF-16", utf16(spaceless, "be")],
    ["German in UTF-32", utf32(german, false)],
    ["Japanese by escape sequences", latin1("Hi, \u001b$B8cGZ$OG-\u001b(B\n")]
  ])("MEDIA-67 %s is text", (_, head) => {
    assert.isTrue(isText(head))
  })

  it.each([
    ["nothing", bytes()],
    ["two letters and a zero", bytes(0x61, 0, 0x62)],
    ["a key of 32 random bytes", Uint8Array.from({ length: 32 }, (_, i) => 128 + (i * 7_919 + (i * i) % 251) % 128)],
    ["random bytes", Uint8Array.from({ length: 4_096 }, (_, i) => (i * 7_919 + (i * i) % 251) % 256)],
    ["a control character among letters", Buffer.concat([latin1(german), bytes(0x02)])]
  ])("MEDIA-67 %s is none", (_, head) => {
    assert.isFalse(isText(head))
  })
})

describe.skipIf(Samples.missing !== undefined)(`Encoding of real files${Samples.because(Samples.missing)}`, () => {
  it.each([
    ["text/fr-utf8.txt", "utf-8"],
    ["text/ja-utf16le.txt", "utf-16le"],
    ["text/de-windows1252.txt", "windows-1252"],
    ["text/ja-eucjp.txt", "euc-jp"],
    ["text/utf8-emoji-300k.txt", "utf-8"],
    ["text/utf16le-bom-cjk.txt", "utf-16le"],
    ["text/latin1-fr.txt", "windows-1252"],
    ["mends/text-utf16be-ja.txt", "utf-16be"]
  ])("MEDIA-48 %s is %s", (path, encoding) => {
    assert.strictEqual(encodingOf(readFileSync(Samples.sample(path)).subarray(0, 65_536)), encoding)
  })
})
