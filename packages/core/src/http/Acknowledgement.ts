import { Schema } from "effect"

/** Answer of a route that only acknowledges: 200 and `{}`. */
export const Acknowledgement = Schema.Struct({})
