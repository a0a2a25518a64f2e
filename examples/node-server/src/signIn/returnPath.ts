/** Where somebody is led after signing in: a path of this site, whatever a link asks for. */
export const returnPath = (asked: string | null, site: string): string => {
  if (asked === null || asked.length > 10_000 || asked.includes("\\") || !URL.canParse(asked, site)) return "/"
  const { origin, pathname, search } = new URL(asked, site)
  return origin === new URL(site).origin && !pathname.startsWith("//") ? pathname + search : "/"
}
