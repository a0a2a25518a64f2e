/** How much an account holds, by bucket and kind. Contract: "Files", StorageUsage. */
import { Schema } from "effect"
import { FileType } from "../shared/FileType.ts"

const Kind = Schema.Struct({ type: FileType, bytes: Schema.Int, objects: Schema.Int })

export const StorageUsage = Schema.Struct({
  /** Bytes of all files, those in trash included; derivatives don't count. */
  usedBytes: Schema.Int,
  /** Null: no limit. */
  quotaBytes: Schema.NullOr(Schema.Int),
  objectCount: Schema.Int,
  buckets: Schema.Array(Schema.Struct({
    bucket: Schema.Literals(["private", "public"]),
    bytes: Schema.Int,
    objects: Schema.Int,
    kinds: Schema.Array(Kind)
  })),
  trashedBytes: Schema.Int,
  /** Bytes reserved by uploads in parts, forms and imports that are not files yet. */
  pendingBytes: Schema.Int
}).annotate({ identifier: "StorageUsage" })
export type StorageUsage = typeof StorageUsage.Type

/** The files of one kind in one bucket. */
export interface UsagePart {
  readonly isPublic: boolean
  readonly type: FileType
  readonly objects: number
  readonly bytes: number
  readonly trashedBytes: number
}

/** What an account holds and its uploads will bring, before it is added up. */
export interface UsageParts {
  readonly parts: ReadonlyArray<UsagePart>
  readonly pendingBytes: number
}

const sum = <A>(items: ReadonlyArray<A>, of: (item: A) => number) => items.reduce((total, item) => total + of(item), 0)

/** Adds up the parts. Both buckets are always listed; kinds without files are left out, and the largest comes first. */
export const summarise = (
  parts: ReadonlyArray<UsagePart>,
  { pendingBytes, quotaBytes }: Pick<StorageUsage, "pendingBytes" | "quotaBytes">
): StorageUsage => ({
  usedBytes: sum(parts, (part) => part.bytes),
  quotaBytes,
  objectCount: sum(parts, (part) => part.objects),
  buckets: (["private", "public"] as const).map((bucket) => {
    const inside = parts.filter((part) => part.isPublic === (bucket === "public"))
    return {
      bucket,
      bytes: sum(inside, (part) => part.bytes),
      objects: sum(inside, (part) => part.objects),
      kinds: inside.map(({ bytes, objects, type }) => ({ type, bytes, objects })).toSorted((a, b) =>
        b.bytes - a.bytes || (a.type < b.type ? -1 : 1)
      )
    }
  }),
  trashedBytes: sum(parts, (part) => part.trashedBytes),
  pendingBytes
})
