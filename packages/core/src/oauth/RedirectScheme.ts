/**
 * Schemes of redirects to native apps on the person's own machine (RFC 8252, section 7.1). Pure. Contract: "MCP and OAuth".
 */

/** Those without a dot that apps register although RFC 8252 asks for one. */
export const defaults: ReadonlyArray<string> = ["cursor", "vscode", "vscode-insiders", "windsurf", "zed"]

/**
 * Schemes that browsers or operating systems handle themselves: a redirect to one could run a script in the page's origin, open a file, or
 * reach a server. No list may name one.
 */
const handled: ReadonlySet<string> = new Set(
  ("about android-app blob chrome chrome-extension chrome-untrusted cid content data devtools edge facetime feed file " +
    "filesystem ftp ftps hcp help http https intent its jar javascript livescript mailto mhtml mid mk mocha " +
    "moz-extension ms-its ms-msdt res resource safari-web-extension search-ms shell sms tel urn vbscript view-source " +
    "webcal ws wss wyciwyg x-apple-helpbasic").split(" ")
)

/** Whether a host may list the scheme for apps. */
export const mayBeListed = (scheme: string): boolean => /^[a-z][a-z0-9+.-]{0,49}$/.test(scheme) && !handled.has(scheme)

/** Whether an app may be led to by this scheme: one with a dot, or one of the host's list. */
export const isPrivateUse = (scheme: string, listed: ReadonlyArray<string>): boolean =>
  mayBeListed(scheme) && (scheme.includes(".") || listed.includes(scheme))
