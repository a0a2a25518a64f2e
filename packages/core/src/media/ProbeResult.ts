/**
 * What the tools found in a file, as the drive keeps it. Files come from
 * strangers: what can't be so, like a length below nothing or a day in the year
 * 40,000, was not found.
 */
import { DateTime, Option } from "effect"
import type { FoundMedia } from "../files/FileMedia.ts"
import * as MusicalKey from "../files/MusicalKey.ts"
import type { FoundFacts, Sound } from "../ports/MediaTools.ts"
import { withoutHidden } from "../shared/Text.ts"

/** Beats a minute. Above it a tag holds something else; 0 is how tags say that they don't know. */
const tempoMax = 1_000

const pixelsMax = 2 ** 31 - 1

/** The last year that ISO 8601 writes in four digits. */
const yearMax = 9_999

const within = (value: number | null, min: number, max: number): number | null =>
  value !== null && value >= min && value <= max ? value : null

const tempo = (value: number | null) => value === 0 ? null : within(value, 0, tempoMax)

const pixels = (value: number | null) => within(value === null ? null : Math.round(value), 1, pixelsMax)

/** What no line of text contains: control characters (ends of lines among them) and halves of characters. */
const unprintable = /[\p{Cc}\p{Cs}]+/gu

/** Longer ones are cut: no title, name or genre needs more, and all of it is searched. */
const textMaxLength = 1_000
/** More artists of one track are left out. */
const artistsMax = 100

const text = (value: string | null): string | null => {
  const line = withoutHidden((value ?? "").slice(0, textMaxLength).replaceAll(unprintable, " ")).trim()
  return line === "" ? null : line
}

const time = (text: string | null): string | null => {
  const parsed = text === null ? Option.none() : DateTime.make(text)
  if (Option.isNone(parsed)) return null
  const year = DateTime.getPartUtc(parsed.value, "year")
  return within(year, 1, yearMax) === null ? null : DateTime.formatIso(parsed.value)
}

const place = (location: FoundFacts["location"]) => {
  const latitude = within(location?.latitude ?? null, -90, 90)
  const longitude = within(location?.longitude ?? null, -180, 180)
  return latitude === null || longitude === null ? { latitude: null, longitude: null } : { latitude, longitude }
}

/** What is written in a file and, of a track, how it sounds. What was measured wins over what a tag says. */
export const media = (facts: FoundFacts | null, sound: Sound | null): Partial<FoundMedia> => ({
  ...(facts !== null && {
    title: text(facts.title),
    artists: facts.artists.slice(0, artistsMax).map(text).filter((artist) => artist !== null),
    album: text(facts.album),
    genre: text(facts.genre),
    duration: within(facts.durationSeconds, 0, Number.MAX_SAFE_INTEGER),
    tagged_tempo: tempo(facts.taggedTempo),
    width: pixels(facts.width),
    height: pixels(facts.height),
    taken_time: time(facts.takenTime),
    ...place(facts.location),
    camera: text(facts.camera)
  }),
  tempo: tempo(sound?.tempo ?? null),
  key: MusicalKey.ofTag(sound?.key ?? "") ?? MusicalKey.ofTag(facts?.taggedKey ?? "")
})
