/** From what is written in a track to what the drive wants to know. */
import { MediaTools } from "@filedrive/core"
import type { WrittenTags } from "./Tags.ts"

/** What is written in a file that was recorded as of `mimeType`. */
export const taggedFacts = ({ facts, hasVideo }: WrittenTags, mimeType: string): MediaTools.FoundFacts => ({
  ...MediaTools.noFacts,
  ...facts,
  mimeType: mimeType === "video/mp4" && !hasVideo ? "audio/mp4" : null
})

const isKnown = (value: unknown): boolean => value !== null && !(Array.isArray(value) && value.length === 0)

/** What the first says, and the second where it says nothing; null when there is neither. */
export const merged = (
  first: MediaTools.FoundFacts | null,
  second: MediaTools.FoundFacts | null
): MediaTools.FoundFacts | null => {
  if (first === null || second === null) return first ?? second
  const known = Object.fromEntries(Object.entries(first).filter(([, value]) => isKnown(value)))
  return { ...second, ...known, mimeType: second.mimeType ?? first.mimeType }
}
