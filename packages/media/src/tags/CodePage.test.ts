import { assert, describe, it } from "@effect/vitest"
import { decoderOf } from "./CodePage.ts"

/** The bytes of a text in an old code page, by asking its decoder about every byte, and every two. */
const encoderOf = (encoding: string) => {
  const decoder = new TextDecoder(encoding)
  const bytesOf = new Map<string, ReadonlyArray<number>>()
  const isDouble = /jis|jp|18030|big5|kr/.test(encoding)
  for (let first = isDouble ? 0x81 : 0xff; first < 0xff; first++) {
    for (let second = 0x40; second < 0xff; second++) {
      const text = decoder.decode(Uint8Array.of(first, second))
      if ([...text].length === 1 && text !== "\ufffd" && !bytesOf.has(text)) bytesOf.set(text, [first, second])
    }
  }
  for (let byte = 0; byte < 256; byte++) {
    const text = decoder.decode(Uint8Array.of(byte))
    if (text !== "\ufffd") bytesOf.set(text, [byte])
  }
  return (text: string) =>
    Uint8Array.from([...text].flatMap((one) => bytesOf.get(one) ?? assert.fail(`${encoding} has no ${one}`)))
}

const read = (encoding: string, texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const bytes = texts.map(encoderOf(encoding))
  return bytes.map(decoderOf(bytes))
}

describe("CodePage", () => {
  it.each([
    ["shift_jis", ["夜明けの歌", "岸洋子", "ベスト・ヒット"]],
    ["shift_jis", ["さくら", "森山直太朗"]],
    ["shift_jis", ["First Love", "宇多田ヒカル"]],
    ["shift_jis", ["津軽海峡・冬景色", "石川さゆり"]],
    ["shift_jis", ["紅蓮華"]],
    ["euc-jp", ["世界に一つだけの花", "スマップ"]],
    ["windows-1251", ["Подмосковные вечера", "Владимир Трошин"]],
    ["windows-1251", ["Группа крови", "Кино"]],
    ["windows-1251", ["Мир"]],
    ["windows-1251", ["ЗВЕЗДА ПО ИМЕНИ СОЛНЦЕ"]],
    ["windows-1251", ["Обійми", "Океан Ельзи"]],
    ["windows-1251", ["Track 01", "Земфира", "Live in Moscow"]],
    ["windows-1251", ["Ђурђевдан", "Бијело дугме"]],
    ["koi8-r", ["Подмосковные вечера", "Владимир Трошин"]],
    ["ibm866", ["Подмосковные вечера", "Владимир Трошин"]],
    ["gb18030", ["月亮代表我的心", "邓丽君"]],
    ["gb18030", ["七里香", "周杰伦"]],
    ["gb18030", ["红豆", "王菲"]],
    ["gb18030", ["青花瓷"]],
    ["big5", ["月亮代表我的心", "鄧麗君"]],
    ["big5", ["海闊天空", "Beyond"]],
    ["big5", ["聽媽媽的話", "周杰倫"]],
    ["euc-kr", ["사랑해요", "김종국"]],
    ["euc-kr", ["봄날", "방탄소년단"]],
    ["euc-kr", ["강남스타일", "싸이"]],
    ["euc-kr", ["가시나"]],
    ["windows-1253", ["Ζορμπάς", "Μίκης Θεοδωράκης"]],
    ["windows-1253", ["Σ' αγαπώ", "Χάρις Αλεξίου"]],
    ["windows-1255", ["ירושלים של זהב", "נעמי שמר"]],
    ["windows-1255", ["שלום"]],
    ["windows-1256", ["أنت عمري", "أم كلثوم"]],
    ["windows-1256", ["حبيبي يا نور العين", "عمرو دياب"]],
    ["windows-874", ["รักเธอ", "เบิร์ด ธงไชย"]],
    ["windows-1250", ["Długość dźwięku samotności", "Myslovitz"]],
    ["windows-1250", ["Příběhy obyčejného šílenství", "Jaromír Nohavica"]],
    ["windows-1250", ["Rusalka", "Antonín Dvořák"]],
    ["windows-1250", ["Szerelmes őszi dal, tűz és víz", "Zsuzsa Koncz"]],
    ["windows-1250", ["Dragostea din tei, mă şi ţară"]],
    ["windows-1254", ["Şarkı Söylemek Lazım", "Şebnem Ferah"]],
    ["windows-1254", ["Gülşen", "Bangır Bangır"]],
    ["windows-1252", ["Café", "Björk"]],
    ["windows-1252", ["Señor", "Los Ángeles Azules"]],
    ["windows-1252", ["Ágætis byrjun", "Sigur Rós"]],
    ["windows-1252", ["Ænima"]],
    ["windows-1252", ["Mötley Crüe", "Queensrÿche", "Hüsker Dü"]],
    ["windows-1252", ["À l’époque où…", "Édith Piaf"]],
    ["windows-1252", ["Déjà Vu", "Beyoncé"]],
    ["windows-1252", ["Så länge skutan kan gå", "Evert Taube"]],
    ["windows-1252", ["Röyksopp & Röd", "MØ", "Peña"]],
    ["windows-1252", ["Ñandú", "¿Qué? ¡Ay!"]],
    ["windows-1252", ["Águas de Março", "João Gilberto"]],
    ["windows-1252", ["Zauberflöte: Großer Übermut", "Böhm"]],
    ["windows-1252", ["é"]],
    ["windows-1252", ["DÉJÀ VU ÉTÉ"]],
    ["windows-1252", ["Don’t Stop – “Live”", "Sinéad O’Connor"]],
    ["windows-1252", ["Þursaflokkurinn", "Þú og ég"]],
    ["windows-1252", ["Símtalið", "Ásgeir Trausti"]],
    ["windows-1252", ["5°C", "Love™ ©2001"]],
    ["windows-1252", ["Für Elise", "Dvorák: Humoresque"]],
    ["windows-1252", ["Één"]],
    ["windows-1252", ["«Été»"]],
    ["windows-1252", ["Ámbar Lucid", "Première"]],
    ["gb18030", ["演员", "薛之谦"]],
    ["gb18030", ["甜蜜蜜"]],
    ["windows-874", ["ลอยกระทง", "สุนทราภรณ์"]],
    ["windows-1254", ["Aşık Veysel"]],
    ["windows-1250", ["Między ciszą a ciszą"]]
  ])("MEDIA-92 texts in %s are read: %j", (encoding, texts) => {
    assert.deepStrictEqual(read(encoding, texts), texts)
  })

  it("MEDIA-92 UTF-8 declared as Latin-1 is read as UTF-8, whatever the other texts are", () => {
    const bytes = [Buffer.from("Zażółć 東京"), Buffer.from("Café", "latin1"), Buffer.from("plain")]
    assert.deepStrictEqual(bytes.map(decoderOf(bytes)), ["Zażółć 東京", "Café", "plain"])
  })

  it("MEDIA-92 a last character of which a half was cut off is left out", () => {
    const bytes = encoderOf("shift_jis")("夜明けの歌").subarray(0, -1)
    assert.strictEqual(decoderOf([bytes])(bytes), "夜明けの")
  })

  it("MEDIA-92 only the beginning of endless texts is examined", () => {
    const bytes = Array.from({ length: 2_000 }, () => Buffer.alloc(1_000, 0xcf))
    assert.lengthOf(decoderOf(bytes)(bytes[0]!), 1_000)
  })

  it("MEDIA-92 bytes of no known alphabet stay as declared, each of them", () => {
    const bytes = Uint8Array.of(0x41, 0x81, 0x42, 0x8d, 0xff)
    assert.strictEqual(decoderOf([bytes])(bytes), "A\u0081B\u008dÿ")
  })
})
