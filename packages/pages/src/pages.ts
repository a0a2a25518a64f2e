/** All pages, and where each is. Its program is `browser/<name>/main.tsx`, its texts are those of its name in `texts/texts.ts`. */
export const pages = {
  /** Sending files to a request. */
  request: { path: "/requests/*" }
} as const satisfies Readonly<
  Record<string, {
    /** Below the drive's own mount. `/*` is any one segment. */
    readonly path: string
  }>
>

export type PageName = keyof typeof pages
