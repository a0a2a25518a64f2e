/**
 * Where an account's bytes are kept in storage. Made by the drive of characters
 * that need no escaping; a caller never chooses one.
 *
 * A form writes below `incoming/` and nowhere else. A file is recorded at a key
 * below `files/` that no form was ever signed for, so a form that is still good
 * cannot change it. Contract: "Files".
 */
import { DateTime, Schema } from "effect"
import type { Bucket, ObjectAddress } from "../ports/ObjectStore.ts"
import { AccountId } from "../shared/Ids.ts"

const isAccountId = Schema.is(AccountId)

interface Place {
  readonly prefix: string
  readonly buckets: ReadonlyArray<Bucket>
}

const places = {
  forms: { prefix: "incoming/", buckets: ["private"] },
  files: { prefix: "files/", buckets: ["private", "public"] },
  transfers: { prefix: "files/", buckets: ["private", "public"] },
  uploads: { prefix: "files/", buckets: ["private"] },
  imports: { prefix: "files/", buckets: ["private"] },
  generations: { prefix: "files/", buckets: ["private"] },
  archives: { prefix: "files/", buckets: ["private"] }
} as const satisfies Record<string, Place>

/**
 * What an object is made for. A feature that makes objects names it, and registers with {@link "./LiveKeys.ts"} which of its keys it
 * needs: while one of these has not registered, nothing is removed from where its objects are.
 */
export type Source = keyof typeof places

/** A part of storage that only the drive writes to. */
export interface Area {
  readonly bucket: Bucket
  readonly prefix: string
  /** All that have objects there. */
  readonly sources: ReadonlyArray<Source>
}

/** All areas. Keys outside (`imported/`, a host's own keys) belong to the host: the drive never searches for orphans there. */
export const areas: ReadonlyArray<Area> = [
  ...Map.groupBy(
    (Object.keys(places) as Array<Source>).flatMap((source) =>
      places[source].buckets.map((bucket) => ({ source, bucket, prefix: places[source].prefix }))
    ),
    ({ bucket, prefix }) => `${bucket} ${prefix}`
  ).values()
].map((ofArea) => ({
  bucket: ofArea[0]!.bucket,
  prefix: ofArea[0]!.prefix,
  sources: ofArea.map(({ source }) => source)
}))

/** The private bucket's keys that forms write to. */
export const incomingPrefix = places.forms.prefix

/** Key of an object that is about to be made for `source`; `id` is fresh for each object. */
export const make = (source: Source, accountId: AccountId, id: string): string =>
  `${places[source].prefix}${accountId}/${id}`

/** A file, or what is made of one, by the key that it has now. */
export interface KeyOwner {
  readonly accountId: AccountId
  readonly id: string
  readonly storeKey: string
}

/**
 * Key of another object for the bytes that are at `storeKey`. It names the object that they were first stored as, so that a drive
 * whose database is of another time than its storage finds them ({@link baseOf}). Bytes at a key of the host's are named by the file's `id`.
 */
export const another = (file: KeyOwner, id: string): string => `${baseOfFile(file)}/${id}`

/** How all keys of a file's bytes begin. */
export const baseOfFile = ({ accountId, id, storeKey }: KeyOwner): string =>
  baseOf(storeKey) ?? make("files", accountId, id)

/** How all keys of the same bytes begin, of which this is one; undefined for keys that are not below `files/`. */
export const baseOf = (key: string): string | undefined =>
  ownerOf(key) !== undefined && key.startsWith(places.files.prefix) ? key.split("/").slice(0, 3).join("/") : undefined

/** When a key was made; undefined for one whose name has no time. */
export const timeOf = (key: string): DateTime.Utc | undefined => {
  const [, high, low] = /([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/.exec(key) ?? []
  return high === undefined || low === undefined ? undefined : DateTime.makeUnsafe(Number.parseInt(high + low, 16))
}

/** Key of bytes that a host stored before it imported the files. Nothing of the drive's writes there. */
export const imported = (accountId: AccountId, storedAs: string): string => `imported/${accountId}/${storedAs}`

/** The private bucket's object of this key: all objects are made there first, except those of files that are public. */
export const inPrivate = (key: string): ObjectAddress => ({ bucket: "private", key })

const prefixes = [...new Set(areas.map(({ prefix }) => prefix))]

/** The account that a key of the drive's belongs to; undefined for other keys. */
export const ownerOf = (key: string): AccountId | undefined => {
  const prefix = prefixes.find((prefix) => key.startsWith(prefix))
  const owner = prefix === undefined ? undefined : /^([^/]+)\//.exec(key.slice(prefix.length))?.[1]
  return owner !== undefined && isAccountId(owner) ? owner : undefined
}

/** The area that a key of the drive's is in; undefined for other keys. */
export const areaOf = (bucket: Bucket, key: string): Area | undefined =>
  ownerOf(key) === undefined
    ? undefined
    : areas.find((area) => area.bucket === bucket && key.startsWith(area.prefix))
