/** A link of the host's own, in the language of the page. */
export interface SettingsLink {
  readonly label: string
  readonly url: string
}

/** What a document tells its page's program. */
export interface Settings {
  /** The path of the drive's API on this host, like `/drive/api`. */
  readonly api: string
  /** The path of what makes sessions on this host, like `/drive/auth`. */
  readonly auth: string
  /** Whether there is an agent that takes tasks. */
  readonly hasAgent: boolean
  /** The path that the drive is mounted at; empty at the top. */
  readonly mount: string
  /** The host's name; null where it gave none. */
  readonly hostName: string | null
  readonly language: string
  readonly texts: Readonly<Record<string, string>>
  /** Beside the pages in the navigation of people who are signed in. */
  readonly links: ReadonlyArray<SettingsLink>
  /** The path to which a POST signs the reader out at the host; null where the host told none. */
  readonly logoutUrl: string | null
}

/** The id of the element that has the settings. */
export const settingsId = "settings"
/** The id of the element that the program writes into. */
export const rootId = "page"
/** The id of the element in the header that the navigation of signed-in pages is written into. */
export const navigationId = "navigation"
