/**
 * Libraries as people have them, made up: the words of a language by how often they are used, folders in folders whose
 * files arrive together, photos in the places somebody goes to. The same seed makes the same library.
 */
import type { ImportedFile } from "@filedrive/core"

export interface LibrarySize {
  readonly files: number
  readonly folders: number
  readonly tags: number
}

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
const randomNumbers = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

class Chance {
  readonly next: () => number
  constructor(seed: number) {
    this.next = randomNumbers(seed)
  }
  /** A whole number below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }
  of<A>(items: ReadonlyArray<A>): A {
    return items[this.below(items.length)]!
  }
  /** The first items far more often than the last: the larger `bend`, the more so. */
  often<A>(items: ReadonlyArray<A>, bend = 3): A {
    return items[Math.floor(items.length * this.next() ** bend)]!
  }
  happens(share: number): boolean {
    return this.next() < share
  }
}

const common = (
  "vacation beach sunset wedding family birthday mountain city night party dog cat snow summer winter trip concert live " +
  "final draft mix master demo cover remix portrait garden river forest street"
).split(" ")

const syllables = (
  "ba be bi bo bu ca ce ci co da de di do fa fe fi fo ga ge gi go ha he hi ho ka ke ki ko la le li lo ma me mi mo na ne ni " +
  "no pa pe pi po ra re ri ro sa se si so ta te ti to va ve vi vo za ze zi zo"
).split(" ")

/** Every word there is, the most frequent first. */
export const vocabulary: ReadonlyArray<string> = (() => {
  const chance = new Chance(1)
  const words = new Set(common)
  while (words.size < 20_000) {
    words.add(Array.from({ length: 2 + chance.below(3) }, () => chance.of(syllables)).join(""))
  }
  return [...words]
})()

/** Where photos are taken, latitude and longitude: the first ones most. */
const places: ReadonlyArray<readonly [number, number]> = [
  [48.85, 2.35],
  [-18.1, 178.4],
  [-13.8, -171.7],
  [35.68, 139.69],
  ...(() => {
    const chance = new Chance(2)
    return Array.from({ length: 56 }, () => [chance.next() * 130 - 60, chance.next() * 350 - 175] as const)
  })()
]

const genres = ["Techno", "House", "Jazz", "Rock", "Pop", "Ambient", "Hip Hop", "Classical", "Drum and Bass", "Folk"]
const pitches = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"]
const firstTime = Date.UTC(2018, 0, 1)
const lastTime = Date.UTC(2025, 9, 1)

const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1)

export const tagTexts = (count: number): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, at) => vocabulary[at < 25 ? at : 30 + at * 7]!)

/** Paths up to 12 deep, parents before their children. */
export const folderPaths = (count: number): ReadonlyArray<string> => {
  const chance = new Chance(3)
  const paths: Array<string> = []
  const taken = new Set<string>()
  while (paths.length < count) {
    const above = paths.length < 8 ? "" : paths[Math.floor(paths.length * chance.next() ** 1.5)]!
    const parent = above.split("/").length - 1 < 12 ? above : ""
    const year = chance.happens(0.3) ? ` ${2018 + chance.below(9)}` : ""
    let path = `${parent}/${capital(chance.often(vocabulary, 1.5))}${year}`
    if (taken.has(path)) path += ` ${paths.length}`
    taken.add(path)
    paths.push(path)
  }
  return paths
}

const stamp = (time: Date) => time.toISOString().replace(/[-:]/g, "").replace("T", "_").slice(0, 15)

type Kind = Pick<ImportedFile, "type" | "mimeType" | "fileName" | "fileSize"> & Partial<Pick<ImportedFile, "media">>

class Maker {
  readonly chance: Chance
  readonly artists: ReadonlyArray<string>
  readonly albums: ReadonlyArray<string>

  constructor(seed: number) {
    const chance = new Chance(seed)
    this.chance = chance
    this.artists = Array.from({ length: 3_000 }, () => `${chance.of(vocabulary)} ${chance.of(vocabulary)}`)
    this.albums = Array.from({ length: 6_000 }, () => `${chance.often(vocabulary)} ${chance.of(vocabulary)}`)
  }

  word(bend = 3) {
    return this.chance.often(vocabulary, bend)
  }

  title() {
    return `${capital(this.word())} ${this.word(2)}`
  }

  size(smallest: number, spread: number, bend = 3) {
    return smallest + Math.floor(this.chance.next() ** bend * spread)
  }

  location() {
    const { chance } = this
    if (chance.happens(0.5)) return null
    const [latitude, longitude] = chance.often(places, 2)
    const east = longitude + (chance.next() - 0.5) * 0.8
    return { latitude: latitude + (chance.next() - 0.5) * 0.8, longitude: ((east + 540) % 360) - 180 }
  }

  image(time: Date): Kind {
    const { chance } = this
    const extension = chance.of(["jpg", "jpg", "jpg", "heic", "png"])
    const words = () => [this.word(), this.word(2), chance.below(2_000)].join(chance.of(["_", "-", " "]))
    const name = chance.happens(0.5)
      ? `IMG_${stamp(time)}`
      : chance.happens(0.4)
      ? `DSC${String(chance.below(99_999)).padStart(5, "0")}`
      : words()
    return {
      type: "Image",
      mimeType: `image/${extension === "jpg" ? "jpeg" : extension}`,
      fileName: `${name}.${extension}`,
      fileSize: this.size(200_000, 30_000_000),
      media: {
        title: chance.happens(0.1) ? this.title() : null,
        takenTime: time,
        width: 4_032,
        height: 3_024,
        location: this.location()
      }
    }
  }

  video(time: Date): Kind {
    const { chance } = this
    const extension = chance.of(["mp4", "mov"])
    const name = chance.happens(0.5)
      ? `VID_${stamp(time)}`
      : `${this.title()} ${chance.of(["final", "draft", "v2", "cut"])}`
    return {
      type: "Video",
      mimeType: extension === "mp4" ? "video/mp4" : "video/quicktime",
      fileName: `${name}.${extension}`,
      fileSize: this.size(1_000_000, 40_000_000_000, 5),
      media: {
        title: chance.happens(0.1) ? this.title() : null,
        takenTime: time,
        duration: Math.round((3 + chance.next() ** 3 * 4_000) * 100) / 100,
        width: 1_920,
        height: 1_080,
        location: this.location()
      }
    }
  }

  track(): Kind {
    const { chance } = this
    const extension = chance.of(["mp3", "wav", "flac"])
    const artists = [chance.often(this.artists), ...(chance.happens(0.2) ? [chance.often(this.artists)] : [])]
    return {
      type: "Audio",
      mimeType: extension === "mp3" ? "audio/mpeg" : `audio/${extension}`,
      fileName: `${capital(this.word())} - ${capital(this.word(2))}${
        chance.happens(0.2) ? " (remix)" : ""
      }.${extension}`,
      fileSize: this.size(1_000_000, 200_000_000),
      media: {
        title: this.title(),
        artists,
        album: chance.happens(0.8) ? chance.often(this.albums) : null,
        genre: chance.of(genres),
        duration: Math.round((30 + chance.next() * 500) * 100) / 100,
        tempo: chance.happens(0.8) ? Math.round((60 + chance.next() * 120) * 10) / 10 : null,
        taggedTempo: chance.happens(0.3) ? 60 + chance.below(120) : null,
        key: chance.happens(0.8) ? `${chance.of(pitches)}${chance.happens(0.5) ? "m" : ""}` : null
      }
    }
  }

  other(): Kind {
    const { chance } = this
    if (chance.happens(0.8)) {
      const name = `${capital(this.word())}_${this.word(2)}_report${chance.below(500)}.pdf`
      return { type: "Document", mimeType: "application/pdf", fileName: name, fileSize: this.size(1_000, 20_000_000) }
    }
    const name = `${this.word()}${chance.below(9_999)}.zip`
    return { type: "Archive", mimeType: "application/zip", fileName: name, fileSize: this.size(0, 1_000_000_000, 1) }
  }

  kind(time: Date): Kind {
    const part = this.chance.next()
    return part < 0.6 ? this.image(time) : part < 0.72 ? this.video(time) : part < 0.9 ? this.track() : this.other()
  }
}

/** The files of a user's library in the order they came, ready to be imported. */
export function* library(userId: string, size: LibrarySize, seed: number): Generator<ImportedFile> {
  const maker = new Maker(seed)
  const { chance } = maker
  const folders = folderPaths(size.folders)
  const tags = tagTexts(size.tags)
  for (let at = 0; at < size.files; at++) {
    const time = new Date(firstTime + (lastTime - firstTime) * (at + chance.next()) / size.files)
    const { media, ...kind } = maker.kind(new Date(time.getTime() - chance.next() * 3e8))
    // Most files of a folder come at about one time; some any time, to the folders that are used most.
    const part = chance.next()
    const now = Math.floor(folders.length * at / size.files)
    const folder = part < 0.7
      ? folders[(now * 7_919 + chance.below(3)) % folders.length]!
      : part < 0.9
      ? chance.often(folders, 2)
      : "/"
    const marks = chance.happens(0.4) ? 0 : 1 + chance.below(4)
    yield {
      ...kind,
      objectKey: `users/${userId}/${seed}-${at}`,
      storedAs: `${seed}-${at}`,
      etag: "none",
      insertTime: time,
      folder,
      tags: [...new Set(Array.from({ length: marks }, () => chance.often(tags, 2)))],
      description: chance.happens(0.3)
        ? Array.from({ length: 4 + chance.below(10) }, () => maker.word(2)).join(" ")
        : null,
      ...(media === undefined ? {} : { media })
    }
  }
}
