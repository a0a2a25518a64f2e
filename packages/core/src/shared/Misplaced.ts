/** Fields with a wrong name that are refused with the right one. */
import { Schema, type SchemaAST } from "effect"

/** A field that is refused: if it were ignored, as unknown fields are, more would be allowed than was meant. */
export const misplaced = (because: string) =>
  Schema.optionalKey(Schema.Unknown.annotate({ isMisplaced: true }).check(Schema.makeFilter(() => because)))

/** Whether a field is one of {@link misplaced}: it is refused, so it is no known field, and no description of the payload names it. */
export const isMisplaced = (field: SchemaAST.AST): boolean => field.annotations?.["isMisplaced"] === true
