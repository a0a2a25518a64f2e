/** What a document tells its page's program. */
export interface Settings {
  /** The path of the drive's API on this host, like `/drive/api`. */
  readonly api: string
  /** The path that the drive is mounted at; empty at the top. */
  readonly mount: string
  /** The host's name; null where it gave none. */
  readonly hostName: string | null
  readonly language: string
  readonly texts: Readonly<Record<string, string>>
}

/** The id of the element that has the settings. */
export const settingsId = "settings"
/** The id of the element that the program writes into. */
export const rootId = "page"
