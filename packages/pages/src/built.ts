/**
 * The pages as they are built now, from their sources. The build of the package puts a module in this one's place that contains them, and
 * so does `npm start`.
 */
import type { BuiltPages } from "./BuiltPages.ts"

// Not a name that the compiler follows: what builds the pages is not published.
const builder = new URL("../build/buildPages.ts", import.meta.url).href

export const built: BuiltPages = (await (await import(builder)).buildPages()).built
