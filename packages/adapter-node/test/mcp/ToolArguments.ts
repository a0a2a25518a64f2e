/** Arguments of tools that name what is in a place: made from the tools' schemas, so that a new tool is tried too. */
import type { DriveTools } from "@filedrive/core"
import type { Place, World } from "./World.ts"

type Json = Readonly<Record<string, unknown>>

interface Schema {
  readonly type?: string
  readonly format?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly items?: Schema
  readonly anyOf?: ReadonlyArray<Schema>
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
}

const rootOf = (schema: Schema): Schema =>
  schema.$ref === undefined ? schema : schema.$defs![schema.$ref.split("/").at(-1)!]!

const isOf = (schema: Schema, format: string): boolean =>
  schema.format === format || (schema.items !== undefined && isOf(schema.items, format)) ||
  (schema.anyOf ?? []).some((one) => isOf(one, format))

/** Ids, by the property or by the tool and property. */
const idsOf = (place: Place, { friend }: World): Json => ({
  fileId: place.text,
  id: place.text,
  fileIds: [place.text],
  imageId: place.image,
  trackId: place.track,
  videoId: place.video,
  featuredIds: [place.image],
  tagId: place.tagId,
  folderId: place.folderId,
  fromFolderId: place.folderId,
  parentId: place.folderId,
  playlistId: place.playlistId,
  galleryId: place.galleryId,
  requestId: place.requestId,
  requestIds: [place.requestId],
  dropIds: [place.dropId],
  reviewId: place.reviewId,
  reviewIds: [place.reviewId],
  noteId: place.noteId,
  generationId: place.generationId,
  userIds: [friend.userId],
  "select_similar_tracks.fileId": place.track,
  "create_file_review.fileId": place.video,
  "select_file_reviews.fileId": place.video,
  "restore_files.fileIds": [place.trashed],
  "create_playlist.fileIds": [place.track],
  "add_to_playlist.fileIds": [place.track],
  "reorder_playlist.fileIds": [place.track],
  "remove_from_playlist.fileIds": [place.track],
  "create_gallery.fileIds": [place.image],
  "add_to_gallery.fileIds": [place.image],
  "reorder_gallery.fileIds": [place.image],
  "remove_from_gallery.fileIds": [place.image],
  "move_folder.folderId": place.subfolderId,
  "select_imports.ids": [place.importId],
  "select_generations.ids": [place.generationId],
  "select_archives.ids": [place.archiveId],
  "cancel_generation.id": place.generationId,
  "delete_archive.id": place.archiveId
})

/** Texts that lead to a place, and values of what a call needs besides. */
const valuesOf = (place: Place, { filesUrl, friendHandle }: World): Json => ({
  folder: place.path,
  path: `${place.path}/new`,
  "search_files.text": place.word,
  tags: [`${place.word} tag`],
  handles: [friendHandle],
  url: `${filesUrl}/new.bin`,
  timestampSeconds: 0,
  // A request for files called "changed" has made a folder of that name.
  "rename_folder.name": "renamed"
})

/** Properties that lead to a place by themselves. */
const leads: ReadonlySet<string> = new Set(["folder", "path", "tags", "search_files.text", "handles"])

const pairsOf = <A>(list: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  list.flatMap((one, at) => list.slice(at + 1).map((other) => [one, other]))

/**
 * Calls of a tool that are about a place: with what it requires, and besides with each property, and each two, that name something there.
 * Fails for a property with an id that it does not know.
 */
export const argumentsOf = (tool: DriveTools.DriveTool, place: Place, world: World): ReadonlyArray<Json> => {
  const { properties = {}, required = [] } = rootOf(tool.parameters() as Schema)
  const [ids, values] = [idsOf(place, world), valuesOf(place, world)]
  const known = (name: string): unknown => {
    for (const from of [ids, values]) {
      for (const key of [`${tool.name}.${name}`, name]) if (from[key] !== undefined) return from[key]
    }
    return undefined
  }
  const valueOf = (name: string): unknown => {
    const schema = properties[name]!
    const value = known(name)
    if (value !== undefined) return value
    if (isOf(schema, "uuid")) throw new Error(`${tool.name}: what is the id ${name} of? Add it to ToolArguments.ts.`)
    if (schema.enum !== undefined) return schema.enum[0]
    if (schema.type === "boolean") return true
    if (schema.type === "string") return "changed"
    throw new Error(`${tool.name}: which value has ${name}? Add it to ToolArguments.ts.`)
  }
  const naming = Object.keys(properties).filter((name) =>
    !required.includes(name) &&
    (isOf(properties[name]!, "uuid") || leads.has(name) || leads.has(`${tool.name}.${name}`))
  )
  return [[], ...naming.map((name) => [name]), ...pairsOf(naming)].map((chosen) =>
    Object.fromEntries([...required, ...chosen].map((name) => [name, valueOf(name)]))
  )
}

/** An answer without what the call itself sent. */
export const withoutEcho = (answer: string, args: unknown): string => {
  const sent: Array<string> = []
  const walk = (value: unknown) => {
    if (typeof value === "string") sent.push(value)
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(walk)
  }
  walk(args)
  // The longest first: a path may begin with another.
  return sent.toSorted((one, other) => other.length - one.length).reduce(
    (text, one) => text.replaceAll(one, ""),
    answer
  )
}

/** What of a place an answer tells. */
export const toldOf = (answer: string, place: Place): ReadonlyArray<string> =>
  Object.values(place).filter((one) => answer.toLowerCase().includes(one.toLowerCase()))
