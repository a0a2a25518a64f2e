/** Converts the result of ffprobe to media facts. */
import { MediaTools } from "@filedrive/core"
import { DateTime, Option } from "effect"
import { isDay } from "../isDay.ts"
import { tempoOf } from "../tags/tempoOf.ts"
import { offsetMinutes } from "../Zone.ts"
import { storedSize } from "./DisplaySize.ts"
import * as FrameRates from "./FrameRates.ts"
import { durationOf, hasSound, pictures, type Probe } from "./Probe.ts"

/** Looks a tag up by any of its names, whatever their case: in the container first, a track's own title is not the film's. */
const tagsOf = ({ format, streams }: Probe): (...names: ReadonlyArray<string>) => string | null => {
  const sets = [format.tags, ...streams.map(({ tags }) => tags)].map((tags) =>
    new Map(Object.entries(tags ?? {}).map(([name, value]) => [name.toLowerCase(), value.trim()]))
  )
  return (...names) => {
    for (const set of sets) {
      for (const name of names) {
        const value = set.get(name)
        if (value !== undefined && value !== "") return value
      }
    }
    return null
  }
}

/** Clocks that were never set. */
const unset = /^(?:1970-01-01|1904-01-01|0000)/

const dayParts = (day: string) => day.split("-").map(Number) as [year: number, month: number, day: number]

/** ISO 8601 in UTC, of a time with or without a zone, or of a day; a year alone is when something came out. */
export const timeOf = (text: string | null): string | null => {
  const [, day, time, zone] =
    /^(\d{4}-\d\d-\d\d)(?!\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|[+-]\d\d:?\d\d)?)?/.exec(text ?? "") ?? []
  if (day === undefined || unset.test(day) || !isDay(...dayParts(day))) return null
  const made = DateTime.make(`${day}T${time ?? "00:00:00"}Z`)
  const ahead = offsetMinutes(zone) ?? 0
  return Option.getOrNull(Option.map(made, (clock) => DateTime.formatIso(DateTime.subtract(clock, { minutes: ahead }))))
}

/** Degrees of one number of ISO 6709: `DD.D`, `DDMM.M` or `DDMMSS.S`, by how many digits there are. */
const degrees = (text: string, wholeDigits: number): number => {
  const sign = text.startsWith("-") ? -1 : 1
  const [whole = "", fraction = ""] = text.slice(1).split(".")
  const part = (from: number, to: number) => Number(whole.slice(from, to) || 0)
  const parts = [part(0, wholeDigits), part(wholeDigits, wholeDigits + 2), part(wholeDigits + 2, wholeDigits + 4)]
  const last = Math.min(2, Math.max(0, Math.ceil((whole.length - wholeDigits) / 2)))
  parts[last] = parts[last]! + Number(`0.${fraction || 0}`)
  return sign * (parts[0]! + parts[1]! / 60 + parts[2]! / 3600)
}

/** A place as ISO 6709 writes it, like `+48.8577+002.2950/`. */
export const locationOf = (text: string | null): MediaTools.ProbeResult["location"] => {
  const [, north, east] = /^([+-]\d{2,6}(?:\.\d+)?)([+-]\d{3,7}(?:\.\d+)?)/.exec(text ?? "") ?? []
  if (north === undefined || east === undefined) return null
  const latitude = degrees(north, 2)
  const longitude = degrees(east, 3)
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null
}

/** Media types of video containers with sound only, by ffprobe's name of the format. */
const soundOnly: ReadonlyArray<readonly [format: RegExp, mimeType: (recorded: string) => string | null]> = [
  [/\bmp4\b/, (recorded) => /3gpp2?$/.test(recorded) ? recorded.replace("video/", "audio/") : "audio/mp4"],
  [/\bmatroska\b/, (recorded) => recorded === "video/webm" ? "audio/webm" : "audio/x-matroska"],
  [/\bogg\b/, () => "audio/ogg"],
  [/\basf\b/, () => "audio/x-ms-wma"],
  [/\bmpeg/, () => "audio/mpeg"],
  [/\bflv\b/, () => "audio/x-flv"],
  [/\bavi\b/, () => "audio/x-msvideo"]
]

const mimeTypeOf = (probe: Probe, recorded: string): string | null => {
  if (!recorded.startsWith("video/") || pictures(probe) !== undefined || !hasSound(probe)) return null
  return soundOnly.find(([format]) => format.test(probe.format.format_name))?.[1](recorded) ?? null
}

const listed = (text: string | null): ReadonlyArray<string> =>
  (text ?? "").split(";").map((name) => name.trim()).filter((name) => name !== "")

/** The facts that are read from a video. */
export type VideoFacts = Pick<
  MediaTools.ProbeResult,
  | "mimeType"
  | "title"
  | "artists"
  | "album"
  | "genre"
  | "durationSeconds"
  | "taggedTempo"
  | "taggedKey"
  | "width"
  | "height"
  | "frameRate"
  | "takenTime"
  | "location"
>

/** The facts written in a file that was recorded as `mimeType`. */
export const factsOf = (probe: Probe, mimeType: string): MediaTools.ProbeResult => {
  const tag = tagsOf(probe)
  const shown = pictures(probe)
  const size = shown === undefined ? null : storedSize(shown)
  const times = [
    tag("com.apple.quicktime.creationdate"),
    tag("creation_time"),
    tag("date"),
    tag("date_recorded")
  ]
  const facts: VideoFacts = {
    mimeType: mimeTypeOf(probe, mimeType),
    title: tag("title", "com.apple.quicktime.title"),
    artists: listed(tag("artist")),
    album: tag("album"),
    genre: tag("genre"),
    durationSeconds: durationOf(probe),
    taggedTempo: tempoOf(tag("bpm", "tbpm", "tmpo") ?? ""),
    taggedKey: tag("initialkey", "tkey", "key"),
    width: size?.width ?? null,
    height: size?.height ?? null,
    frameRate: shown === undefined ? null : FrameRates.of(shown),
    // A track's date is when it came out.
    takenTime: shown === undefined ? null : times.map(timeOf).find((time) => time !== null) ?? null,
    location: shown === undefined ? null : locationOf(tag("com.apple.quicktime.location.iso6709", "location"))
  }
  return { ...MediaTools.noFacts, ...facts }
}
