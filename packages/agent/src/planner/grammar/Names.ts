/** Names that people write without quotes: of folders, lists, tags. */
import type { Sentence } from "./Sentence.ts"

/** Words in lower case before which an unquoted name ends. */
const stops = new Set((
  "in from with to into and or that which who over under since before after tagged called named for as by on at then but except " +
  "without is are was were has have should older newer larger smaller bigger longer shorter where when if until till so containing " +
  "und oder mit von aus die das der den dem nach seit vor uber ueber unter fur fuer als bis ist sind im am zu zum zur an auf dann aber ohne namens wenn sobald " +
  "liegt liegen lag lagen steht stehen befindet befinden gibt hat haben wurde wurden werden wird should shall soll sollen sollte inside " +
  "folder playlist gallery album tag ordner galerie playlists photos files videos tracks songs dateien fotos public private offentlich"
).split(" "))

const isCapital = (raw: string | undefined): boolean => raw !== undefined && /^[\p{Lu}\p{N}]/u.test(raw)

/** How many tokens of an unquoted or quoted name begin at `at`; 0 for none. In a list of names, "and" is between two. */
export const nameLengthAt = ({ tokens, text }: Sentence, at: number, end: number, hasAnd = true): number => {
  const first = at < end ? tokens[at] : undefined
  if (first === undefined || (first.kind === "mark" && !/[&#+]/.test(first.raw))) return 0
  if (first.kind === "quoted" || first.kind === "hashtag" || first.kind === "url" || first.kind === "handle") return 1
  let length = 0
  while (at + length < end) {
    const token = tokens[at + length]!
    const before = length > 0 ? tokens[at + length - 1]! : undefined
    const joinsTight = before !== undefined && token.start === before.end
    if (token.kind === "quoted") break
    if (
      token.kind === "mark" && !(joinsTight && /[&+#'’/-]/.test(token.raw)) && !(/[&–-]/.test(token.raw) && length > 0)
    ) break
    if (token.norm === "'s") {
      length++
      continue
    }
    const next = tokens[at + length + 1]
    // "Songs of Summer": a small word between capitals belongs to the name.
    const isBetween = length > 0 && isCapital(before?.raw) && isCapital(next?.raw) && at + length + 1 < end &&
      (hasAnd ? /^(?:of|and|the|in|de|la|und|von|der|des|a|for)$/ : /^(?:of|the|de|la|von|der|des)$/).test(
        token.norm
      ) && !/[/]/.test(text.slice(token.end, next!.start))
    if (stops.has(token.norm) && !isCapital(token.raw) && !isBetween) break
    length++
  }
  return length
}
