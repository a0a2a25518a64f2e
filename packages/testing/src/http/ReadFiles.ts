/** Documents and tracks written byte by byte, whose pages and sounds a test knows. */

type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()

/** A PDF of a page for each of the texts; a page of null is a picture, as one that was scanned. */
export const pdf = (pages: ReadonlyArray<string | null>): Bytes => {
  const objects: Array<string> = []
  const add = (object: string) => objects.push(object)
  const firstPage = 5
  add("<< /Type /Catalog /Pages 2 0 R >>")
  const kids = pages.map((_, index) => `${firstPage + index * 2} 0 R`).join(" ")
  add(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`)
  add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
  add(stream("\u0000", "/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8"))
  pages.forEach((text, index) => {
    const content = firstPage + index * 2 + 1
    add(
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Resources << /Font << /F1 3 0 R >> /XObject << /I1 4 0 R >> >> " +
        `/Contents ${content} 0 R >>`
    )
    add(stream(text === null ? "q 200 0 0 100 20 20 cm /I1 Do Q" : `BT /F1 12 Tf 20 100 Td (${text}) Tj ET`))
  })
  let body = "%PDF-1.4\n"
  const places = objects.map((object, index) => {
    const place = body.length
    body += `${index + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("")
  return encoder.encode(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}` +
      `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`
  )
}

const stream = (data: string, dictionary = "") =>
  `<< ${dictionary} /Length ${data.length} >>\nstream\n${data}\nendstream`

/** Text as UTF-16, each unit's low byte first, after the mark that says so. */
export const utf16 = (text: string): Bytes => {
  const bytes = new Uint8Array(2 + text.length * 2)
  const view = new DataView(bytes.buffer)
  view.setUint16(0, 0xfeff, true)
  for (let index = 0; index < text.length; index++) view.setUint16(2 + index * 2, text.charCodeAt(index), true)
  return bytes
}

/** A sentence in Japanese, and its bytes in Shift_JIS. */
export const shiftJis = {
  text: "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。\n",
  bytes: Uint8Array.from(
    (
      "8ce1947982cd944c82c582a082e9814296bc914f82cd82dc82be96b382a2814282c782b182c590b682ea82bd82a982c682f1" +
      "82c68ca9939682aa82c282a982ca81420a"
    ).match(/../g)!,
    (hex) => Number.parseInt(hex, 16)
  )
}
