/** Styles are imported for what they do: the build puts them into the page's one style. */
declare module "*.css"
