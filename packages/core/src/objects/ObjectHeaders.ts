/** The headers that bytes are stored and served with, by bucket. */
import type { Bucket, ObjectHeaders } from "../ports/ObjectStore.ts"
import { defaultMimeType } from "../shared/FileType.ts"
import * as ContentDisposition from "./ContentDisposition.ts"

const cacheControl: Readonly<Record<Bucket, string>> = {
  /** How long a browser may keep what a signed link gave it: as long as the link itself works. */
  private: "private, max-age=21600",
  /**
   * How long anyone may keep a public object. Short, because an object that is
   * made private is gone from storage at once, but not from caches on the way.
   */
  public: "public, max-age=300"
}

export const of = (
  object: { readonly fileName: string; readonly mimeType?: string | undefined },
  bucket: Bucket
): ObjectHeaders => ({
  contentType: object.mimeType ?? defaultMimeType,
  contentDisposition: ContentDisposition.attachment(object.fileName),
  cacheControl: cacheControl[bucket]
})
