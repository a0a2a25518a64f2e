/** The `media` of an import row, and what of it is stored. */
import { Schema } from "effect"
import { type AnyFact, facts, type FactValues, making } from "./MediaFact.ts"

type Fields = { readonly [F in AnyFact as F["imported"]]: F["importSchema"] }

const fields = making<void, Fields>(
  facts.map(({ importSchema, imported }) => ({ name: imported, of: () => importSchema }))
)

/** The media facts of a file; a fact that is left out or null is not known. */
export const ImportedMedia = Schema.Struct(fields())
export type ImportedMedia = typeof ImportedMedia.Type

/** The stored facts, from an import row's `media`. */
export const stored = making<ImportedMedia, FactValues>(facts.map(({ name, ofImport }) => ({ name, of: ofImport })))
