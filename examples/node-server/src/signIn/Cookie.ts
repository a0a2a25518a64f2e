/** The cookie that keeps a browser signed in: it holds a session of the drive's, which no script on a page can read. */

/** With https the browser itself holds the cookie to this origin and path. */
const nameOf = (isSecure: boolean): string => isSecure ? "__Host-filedrive" : "filedrive"

const attributes = (isSecure: boolean): string => `; Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`

/** The value of a `Cookie` header; empty without one. */
export const valueOf = (header: string | null | undefined, isSecure: boolean): string => {
  const prefix = `${nameOf(isSecure)}=`
  return (header ?? "").split(";").map((one) => one.trim()).find((one) => one.startsWith(prefix))?.slice(
    prefix.length
  ) ?? ""
}

/** `Set-Cookie` for a session that ends at `expireTime`. */
export const of = (session: string, expireTime: Date, isSecure: boolean): string =>
  `${nameOf(isSecure)}=${session}; Expires=${expireTime.toUTCString()}${attributes(isSecure)}`

/** `Set-Cookie` that removes it. */
export const none = (isSecure: boolean): string => `${nameOf(isSecure)}=; Max-Age=0${attributes(isSecure)}`
