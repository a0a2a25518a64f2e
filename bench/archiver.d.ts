/** What the measurements use of archiver, which has no types of its own. */
declare module "archiver" {
  import type { Readable, Transform } from "node:stream"

  export class ZipArchive extends Transform {
    constructor(options: { readonly store: boolean })
    append(source: Readable, entry: { readonly name: string }): this
    finalize(): Promise<void>
  }
}
