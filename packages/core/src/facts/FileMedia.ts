/**
 * The media facts that a record shows, by the file's type: tags of a track, facts of a picture.
 *
 * Contract: "Files", FileRecord.
 */
import { Schema } from "effect"
import type { FileType } from "../shared/FileType.ts"
import { FileId } from "../shared/Ids.ts"
import type { ShownNames, ShownType } from "./Fact.ts"
import { type AnyFact, facts, making, type StoredFacts } from "./MediaFact.ts"

type NameIn<Names, Type extends ShownType> = Names extends { readonly [_ in Type]: infer Name extends string } ? Name
  : never

type Fields<Type extends ShownType> = {
  readonly [F in AnyFact as NameIn<F["shown"], Type>]: F["shownSchema"]
}

/** The facts that a record of this type shows, by the names they have there. */
const shownIn = (type: ShownType) =>
  facts.flatMap((fact) => {
    const { [type]: name }: ShownNames = fact.shown
    return name === undefined ? [] : [{ name, fact }]
  })

const fieldsOf = <Type extends ShownType>(type: Type) =>
  making<void, Fields<Type>>(shownIn(type).map(({ fact, name }) => ({ name, of: () => fact.shownSchema })))()

const picture = Schema.NullOr(FileId)
const Track = Schema.Struct({ ...fieldsOf("Audio"), coverId: picture })
const Video = Schema.Struct({ ...fieldsOf("Video"), thumbnailId: picture })
const Image = Schema.Struct(fieldsOf("Image"))

/** The media facts of the file, by its `type`. Durations are seconds, sizes pixels. */
export const Media = Schema.Union([Track, Video, Image])
export type Media = typeof Media.Type

const values = <Made extends Media>(type: ShownType) =>
  making<StoredFacts, Omit<Made, "coverId" | "thumbnailId">>(
    shownIn(type).map(({ fact, name }) => ({ name, of: fact.show }))
  )

const track = values<typeof Track.Type>("Audio")
const video = values<typeof Video.Type>("Video")
const image = values<typeof Image.Type>("Image")

/** The stored facts of a file, and whether it has any. */
export interface StoredMedia extends StoredFacts {
  readonly hasMedia: boolean
}

/** The `media` of a record; null where nothing was found, and for file types without media facts. */
export const shown = (file: StoredMedia & { readonly type: FileType }, pictureId: FileId | null): Media | null => {
  if (!file.hasMedia && pictureId === null) return null
  switch (file.type) {
    case "Audio":
      return { ...track(file), coverId: pictureId }
    case "Video":
      return { ...video(file), thumbnailId: pictureId }
    case "Image":
      return image(file)
    default:
      return null
  }
}

const example = <Made extends Media>(type: ShownType) =>
  making<void, Omit<Made, "coverId" | "thumbnailId">>(
    shownIn(type).map(({ fact, name }) => ({ name, of: () => fact.example }))
  )()

/** For the documentation. */
export const examples = {
  track: { ...example<typeof Track.Type>("Audio"), coverId: null },
  image: example<typeof Image.Type>("Image")
}
