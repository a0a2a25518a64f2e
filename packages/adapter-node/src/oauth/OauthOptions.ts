/** The options `signIn` and `oauth`: who is signed in, and what the host's own services may ask. */
import { RedirectScheme } from "@filedrive/core"
import { Schema } from "effect"
import { fields, isFunction, isSitePath, must } from "../OptionSchema.ts"

const optional = Schema.optionalKey

export const signInOptions = fields({
  /**
   * The id of the user who is signed in where the request comes from; null for nobody. The request has its URL and headers, and no body.
   */
  user: must<(request: Request) => string | null | Promise<string | null>>("must be a function", isFunction),
  /** Where a person signs in. The host leads back to `returnTo`, an absolute URL of this drive's, afterwards. */
  loginUrl: must<(returnTo: string) => string | Promise<string>>("must be a function", isFunction),
  /**
   * Where people sign out: a path of this site to which pages send a POST with the browser's cookies. It must take none from pages of other sites, as
   * the header `Origin` tells. Default: pages offer nobody to sign out.
   */
  logoutUrl: optional(must<string>("must be a path of this site, like /sign-out", isSitePath))
})

/** The fewest characters of a secret. */
const secretMinLength = 32

export const oauthOptions = fields({
  /**
   * The secrets by which the host's own services ask what a token is (RFC 7662), each of 32 to 4,096 printable ASCII characters without
   * spaces. Default none: then nothing answers at `/oauth/introspect`.
   */
  introspectionSecrets: optional(must<ReadonlyArray<string>>(
    `must be a list of secrets, each of ${secretMinLength} printable ASCII characters or more, without spaces`,
    (value) =>
      Array.isArray(value) &&
      value.every((one) =>
        typeof one === "string" && one.length >= secretMinLength && /^[\x21-\x7e]{1,4096}$/.test(one)
      )
  )),
  /**
   * Schemes of native apps that people may be led back to, like `cursor` for `cursor://…`. Schemes with a dot (`com.example.app`) need not be
   * listed. Default: `cursor`, `vscode`, `vscode-insiders`, `windsurf` and `zed`.
   */
  redirectSchemes: optional(must<ReadonlyArray<string>>(
    "must be a list of schemes in small letters, like [\"cursor\"], none of which browsers handle themselves",
    (value) => Array.isArray(value) && value.every((one) => typeof one === "string" && RedirectScheme.mayBeListed(one))
  ))
})

export interface SignInOptions extends Schema.Schema.Type<typeof signInOptions> {}
export interface OauthOptions extends Schema.Schema.Type<typeof oauthOptions> {}
