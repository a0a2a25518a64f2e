/** From what is written in a track to what the drive wants to know. */
import type { MediaTools } from "@filedrive/core"
import type { WrittenTags } from "./Tags.ts"

/** What is written in a file that was recorded as of `mimeType`. */
export const taggedFacts = (tags: WrittenTags, mimeType: string): MediaTools.FoundFacts => ({
  mimeType: mimeType === "video/mp4" && !tags.hasVideo ? "audio/mp4" : null,
  title: tags.title,
  artists: tags.artists,
  album: tags.album,
  genre: tags.genre,
  durationSeconds: tags.durationSeconds,
  taggedTempo: tags.tempo,
  taggedKey: tags.key,
  width: tags.width,
  height: tags.height,
  takenTime: null,
  location: null,
  camera: null
})

/** What the first says, and the second where it says nothing; null when there is neither. */
export const merged = (
  first: MediaTools.FoundFacts | null,
  second: MediaTools.FoundFacts | null
): MediaTools.FoundFacts | null => {
  if (first === null || second === null) return first ?? second
  return {
    mimeType: second.mimeType ?? first.mimeType,
    title: first.title ?? second.title,
    artists: first.artists.length > 0 ? first.artists : second.artists,
    album: first.album ?? second.album,
    genre: first.genre ?? second.genre,
    durationSeconds: first.durationSeconds ?? second.durationSeconds,
    taggedTempo: first.taggedTempo ?? second.taggedTempo,
    taggedKey: first.taggedKey ?? second.taggedKey,
    width: first.width ?? second.width,
    height: first.height ?? second.height,
    takenTime: first.takenTime ?? second.takenTime,
    location: first.location ?? second.location,
    camera: first.camera ?? second.camera
  }
}
