/** The pictures in tags, in the order in which they are tried as the cover. */
import type { IAudioMetadata } from "music-metadata"
import type { Id3Picture } from "./Id3.ts"

interface Picture {
  readonly data: Uint8Array
  /** Lower ones are tried first. */
  readonly rank: number
}

/** Most pictures that are tried. */
const triedMax = 5

/** The front cover; then what is not said to be anything; icons last. */
const rankOfType = (type: number): number => type === 3 ? 0 : type === 0 ? 1 : type === 1 || type === 2 ? 3 : 2

/** As `music-metadata` names types, or tags their fields. */
const rankOfName = (name: string | undefined): number => {
  if (name === undefined || name === "Other") return rankOfType(0)
  if (/\(front\)/i.test(name)) return rankOfType(3)
  return /icon/i.test(name) ? rankOfType(1) : rankOfType(4)
}

const isPicture = (value: unknown): value is { readonly data: Uint8Array; readonly type?: string } =>
  typeof value === "object" && value !== null && "data" in value && value.data instanceof Uint8Array

const isNamedCover = (id: string): boolean => /^cover art \(/i.test(id)

const isCoverField = (id: string): boolean => /picture|^covr$/i.test(id) || isNamedCover(id)

/** `typed` are those of ID3, FLAC and Ogg. */
export const picturesOf = ({ native }: IAudioMetadata, typed: ReadonlyArray<Id3Picture>): ReadonlyArray<Uint8Array> => {
  const ofTypes = typed.map(({ data, type }): Picture => ({ data, rank: rankOfType(type) }))
  const others = Object.entries(native).flatMap(([kind, tags]) =>
    kind.startsWith("ID3") ?
      [] :
      tags.flatMap(({ id, value }): ReadonlyArray<Picture> =>
        isCoverField(id) && isPicture(value)
          ? [{ data: value.data, rank: rankOfName(isNamedCover(id) ? id : value.type) }]
          : []
      )
  )
  return [...ofTypes, ...others]
    .filter(({ data }) => data.byteLength > 0)
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, triedMax)
    .map(({ data }) => data)
}
