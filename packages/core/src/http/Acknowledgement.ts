import { Schema } from "effect"

/** Answer of a route that only acknowledges: 200 and `{}`. */
export const Acknowledgement = Schema.Record(Schema.String, Schema.Unknown).annotate({ identifier: "Acknowledgement" })
