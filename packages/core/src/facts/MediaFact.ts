/**
 * The one list of media facts: what the drive knows of what is inside files. Columns, import rows, records, tools' results and search
 * docs are made of it. How to add a fact: docs/contributing.md, "A media fact".
 */
import * as Fact from "./Fact.ts"
import * as Kind from "./FactKind.ts"

/** In the order of columns, of a record's fields, and of their weight where there are more words than a file is found by. */
export const facts = [
  Fact.make("title", Kind.Line, {
    probe: "title",
    shown: { Audio: "title", Video: "title", Image: "title" },
    isText: true
  }, "Rua Escura"),
  Fact.make("artists", Kind.Lines, { probe: "artists", shown: { Audio: "artists" }, isText: true }, ["Ana Moreira"]),
  Fact.make("album", Kind.Line, { probe: "album", shown: { Audio: "album" }, isText: true }, "Cais"),
  Fact.make("genre", Kind.Line, { probe: "genre", shown: { Audio: "genre" }, isText: true }, "Fado"),
  Fact.make("duration", Kind.Seconds, {
    probe: "durationSeconds",
    shown: { Audio: "duration", Video: "duration" },
    number: "duration"
  }, 214.6),
  // As measured; where it was not, the tag's is shown and searched.
  Fact.make("tempo", Kind.Tempo, {
    sound: "tempo",
    shown: { Audio: "tempo" },
    number: "tempo",
    beside: "taggedTempo"
  }, 92),
  // As the track's tag says.
  Fact.make("taggedTempo", Kind.Tempo, { probe: "taggedTempo" }),
  Fact.make("key", Kind.Key, { sound: "key", probe: "taggedKey", shown: { Audio: "key" }, number: "key" }, "Am"),
  // As shown: rotation applied.
  Fact.make("width", Kind.Pixels, { probe: "width", shown: { Video: "width", Image: "width" } }, 4032),
  Fact.make("height", Kind.Pixels, { probe: "height", shown: { Video: "height", Image: "height" } }, 3024),
  // Of a video: by it the positions of notes on it are computed. No record shows it.
  Fact.make("frameRate", Kind.Rate, { probe: "frameRate" }),
  // When a photo was taken or a video recorded.
  Fact.make("takenTime", Kind.Moment, {
    probe: "takenTime",
    shown: { Video: "recordedTime", Image: "takenTime" },
    number: "taken"
  }, "2026-09-27T16:41:05.000Z"),
  Fact.make("latitude", Kind.Latitude, {
    probe: "location",
    imported: "location",
    shown: { Video: "location", Image: "location" },
    number: "latitude",
    beside: "longitude"
  }, { latitude: 38.7118, longitude: -9.1303 }),
  Fact.make("longitude", Kind.Longitude, { probe: "location", imported: "location", number: "longitude" }),
  Fact.make("camera", Kind.Line, { probe: "camera", shown: { Image: "camera" } }, "Fairphone 5")
] as const

export type AnyFact = typeof facts[number]

/** All media facts of a file. */
export type FactValues = { readonly [F in AnyFact as F["name"]]: F["unknown"] }

/** The same as it is read with its file: all null where nothing was found. */
export type StoredFacts = { readonly [F in AnyFact as F["name"]]: F["unknown"] | null }

/** How one property of an object is made of a source. */
export interface Property<Source> {
  readonly name: string
  readonly of: (source: Source) => unknown
}

/** Makes objects of a type that is declared for every fact, from a list of properties made of {@link facts}. */
export const making =
  <Source, Made extends object>(properties: ReadonlyArray<Property<Source>>) => (source: Source): Made => {
    const made: Record<string, unknown> = {}
    for (const { name, of } of properties) made[name] = of(source)
    return made as Made
  }

/** Of a file in which nothing was found. */
export const unknown = making<void, FactValues>(facts.map(({ name, unknown }) => ({ name, of: () => unknown })))()
