/**
 * The language of an answer, out of those that there are, by the header `Accept-Language` (RFC 9110, section 12.5.4; lookup of RFC 4647).
 * The first of those that there are, when the reader wants none of them.
 */
export const languageOf = (header: string | undefined, available: ReadonlyArray<string>): string => {
  const wanted = (header ?? "").slice(0, 1_000).split(",").map((one, place) => {
    const [range = "", ...parameters] = one.split(";").map((part) => part.trim())
    const quality = parameters.find((parameter) => /^q=/i.test(parameter))
    return { range: range.toLowerCase(), quality: quality === undefined ? 1 : Number(quality.slice(2)), place }
  }).filter(({ quality, range }) => range !== "" && range !== "*" && quality > 0)
    .toSorted((a, b) => b.quality - a.quality || a.place - b.place)
  for (const { range } of wanted) {
    for (let tag = range; tag !== ""; tag = tag.slice(0, Math.max(0, tag.lastIndexOf("-")))) {
      const found = available.find((one) => one.toLowerCase() === tag)
      if (found !== undefined) return found
    }
  }
  return available[0]!
}
