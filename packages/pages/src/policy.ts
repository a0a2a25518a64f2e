/** The Content-Security-Policy of a page: its own style and script, calls to the drive and its storage, and nothing else. */
export interface PolicyOptions {
  /** Of the document's style: SHA-256 as Base64. */
  readonly styleHash: string
  /** Where the links of the drive's storage lead, like `https://bucket.s3.example.com`. */
  readonly origins: ReadonlyArray<string>
}

export const policy = ({ origins, styleHash }: PolicyOptions): string => {
  const links = ["'self'", ...origins].join(" ")
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'sha256-${styleHash}'`,
    `connect-src ${links}`,
    `img-src ${links} blob:`,
    `media-src ${links} blob:`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'"
  ].join("; ")
}
