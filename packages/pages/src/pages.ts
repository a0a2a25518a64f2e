/** All pages, and where each is. Its program is `browser/<name>/main.tsx`, its texts are those of its name in `texts/texts.ts`. */
export interface Page {
  /** Below the drive's own mount. `/*` is any one segment. */
  readonly path: string
  /** Whether it is for people who are signed in at the host. Such pages are there only where the host says who is. */
  readonly signedIn?: boolean
}

const all = {
  /** Sending files to a request. */
  request: { path: "/requests/*" },
  /** Playing a file and leaving notes on it. */
  review: { path: "/reviews/*" },
  /** What is connected to a person's drive, and what their agent does. */
  connections: { path: "/connections", signedIn: true },
  /** Making file requests, and what was sent to them. */
  requests: { path: "/requests", signedIn: true },
  /** Making reviews, and the notes on them. */
  reviews: { path: "/reviews", signedIn: true }
} as const satisfies Readonly<Record<string, Page>>

export type PageName = keyof typeof all

export const pages: Readonly<Record<PageName, Page>> = all

/** Those for people who are signed in, in the order of the navigation. */
export const signedInPages: ReadonlyArray<PageName> = (Object.keys(pages) as ReadonlyArray<PageName>)
  .filter((name) => pages[name].signedIn === true)
