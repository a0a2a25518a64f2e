/**
 * Languages in Latin letters that Latin-1 does not have: the letters that each writes beyond ASCII. A text is in the code page of one of them
 * when that has all its letters, and no language of Western Europe does.
 */

/** Small letters; the large ones are the same. */
const westernLanguages = [
  "àâäçéèêëîïôöùûüÿœæ", // French
  "äöüßé", // German
  "áéíñóúü", // Spanish
  "áâãàçéêíóôõúü", // Portuguese
  "æøåé", // Danish, Norwegian
  "åäöéü", // Swedish, Finnish
  "áðéíóúýþæö", // Icelandic
  "àèéìòùî", // Italian
  "ëïéèöüó", // Dutch
  "àçèéíïòóúü", // Catalan
  "äõöüšž", // Estonian
  "áéíóú", // Irish
  "âêîôûŵŷäëïöüáéíóú" // Welsh
].map((letters) => new Set(letters))

const others = [
  { encoding: "windows-1250", letters: "ąćęłńóśźż" }, // Polish
  { encoding: "windows-1250", letters: "áčďéěíňóřšťúůýž" }, // Czech
  { encoding: "windows-1250", letters: "áäčďéíĺľňóôŕšťúýž" }, // Slovak
  { encoding: "windows-1250", letters: "áéíóöőúüű" }, // Hungarian
  { encoding: "windows-1250", letters: "ăâîşţ" }, // Romanian
  { encoding: "windows-1250", letters: "čćđšž" }, // Croatian, Serbian, Slovene
  { encoding: "windows-1254", letters: "çğıİöşüâîû" }, // Turkish
  { encoding: "windows-1257", letters: "ąčęėįšųūž" }, // Lithuanian
  { encoding: "windows-1257", letters: "āčēģīķļņšūž" } // Latvian
].map(({ encoding, letters }) => ({ encoding, letters: new Set(letters) }))

/** Marks that stand beside words in any language. */
const marks = /[\p{ASCII}’‘“”„–—…«»°´™®©€·\u00a0]/gu

/** Signs that stand before or behind a word, or a number, and never in it; those behind a number, of which only ³ is behind a unit. */
const misplaced = /\p{L}[¿¡£¥¹¼½¾]|\p{L}{2}³|[²³¹ºª¼½¾¶£¥]\p{L}/u

const lettersIn = (texts: ReadonlyArray<Uint8Array>, encoding: string): ReadonlyArray<string> => {
  const decoder = new TextDecoder(encoding)
  return texts.flatMap((bytes) => [...decoder.decode(bytes).replaceAll(marks, "").toLowerCase()])
}

/** A name and a title may be in two languages; within one text there is one. */
const isWestern = (bytes: Uint8Array): boolean => {
  if (misplaced.test(new TextDecoder("windows-1252").decode(bytes))) return false
  const letters = lettersIn([bytes], "windows-1252").filter((letter) => /\p{L}/u.test(letter) && !/[ºª]/u.test(letter))
  return westernLanguages.some((language) => letters.every((letter) => language.has(letter)))
}

/** Turkish has these of the letters that are Icelandic in Latin-1, and none of the vowels that Icelandic always has. */
const isTurkish = (texts: ReadonlyArray<Uint8Array>): boolean => {
  const letters = lettersIn(texts, "windows-1252")
  const isWithin = texts.some((bytes) => /\p{L}þ/u.test(new TextDecoder("windows-1252").decode(bytes)))
  return letters.includes("ý") && (isWithin || (letters.length >= 3 && /[þð]/.test(letters.join(""))))
    && letters.every((letter) => "çðýþöü".includes(letter))
}

/** Null where the letters are those of Western Europe, or of no language in particular. */
export const centralEuropean = (texts: ReadonlyArray<Uint8Array>): string | null => {
  if (isTurkish(texts)) return "windows-1254"
  if (texts.every(isWestern)) return null
  const found = others.find(({ encoding, letters }) => {
    const written = lettersIn(texts, encoding)
    return written.length > 1 && written.every((letter) => letters.has(letter))
  })
  return found?.encoding ?? null
}
