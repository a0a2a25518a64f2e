/** Where somebody is led after signing in: a path of this site, whatever a link asks for. */
export const returnPath = (asked: string | null, site: string): string => {
  if (asked === null || asked.length > 10_000 || asked.includes("\\") || !URL.canParse(asked, site)) return "/"
  const { origin, pathname, protocol, search } = new URL(asked, site)
  // An address of an object of the page (`blob:`) has the origin of its page, too.
  return protocol === new URL(site).protocol && origin === new URL(site).origin && !pathname.startsWith("//")
    ? pathname + search
    : "/"
}
