/** Converts the tags of a track to media facts. */
import { MediaTools } from "@filedrive/core"
import type { WrittenTags } from "./Tags.ts"

/** The facts written in a file that was recorded as `mimeType`. */
export const taggedFacts = ({ facts, hasVideo }: WrittenTags, mimeType: string): MediaTools.ProbeResult => ({
  ...MediaTools.noFacts,
  ...facts,
  mimeType: mimeType === "video/mp4" && !hasVideo ? "audio/mp4" : null
})

const isKnown = (value: unknown): boolean => value !== null && !(Array.isArray(value) && value.length === 0)

/** The facts of the first, completed by the second; null when both are null. */
export const merged = (
  first: MediaTools.ProbeResult | null,
  second: MediaTools.ProbeResult | null
): MediaTools.ProbeResult | null => {
  if (first === null || second === null) return first ?? second
  const known = Object.fromEntries(Object.entries(first).filter(([, value]) => isKnown(value)))
  return { ...second, ...known, mimeType: second.mimeType ?? first.mimeType }
}
