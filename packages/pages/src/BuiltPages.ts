/** What the build makes of the sources for browsers. */

export interface BuiltAsset {
  readonly mimeType: string
  readonly text: string
  /** The text compressed, as Base64. */
  readonly brotli: string
  readonly gzip: string
}

export interface BuiltPage {
  /** The asset that the page runs. */
  readonly script: string
  /** Assets that the script imports at once: they are fetched beside it. */
  readonly modules: ReadonlyArray<string>
  /** The style is part of the document, so that it is there with the first bytes. */
  readonly style: string
}

export interface BuiltPages {
  /** By name. A name contains a hash of the content, so that browsers may keep it. */
  readonly assets: Readonly<Record<string, BuiltAsset>>
  readonly pages: Readonly<Record<string, BuiltPage>>
  /** The style of pages that need no program. */
  readonly plainStyle: string
}
