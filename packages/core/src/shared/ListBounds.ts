/** How long the lists in a value may be, known from its schema before the value is walked: a list may claim any length. */
import { SchemaAST } from "effect"
import * as FieldIssue from "./FieldIssue.ts"

/** Most entries of a list that its schema does not bound, and of all lists and objects of a value together. */
export const entriesMaxCount = 1_000_000

/** What a value may be, by its schema: none where that is not known. */
export type Shapes = ReadonlyArray<SchemaAST.AST>

export const shapesOf = (ast: SchemaAST.AST): Shapes => {
  // What is decoded from another form is not walked as its own.
  if (ast.encoding !== undefined) return []
  return SchemaAST.isUnion(ast) ? ast.types.flatMap(shapesOf) : [ast]
}

/** What the entries of a list, or an object's field of this name, may be. */
export const inside = (shapes: Shapes, key: PropertyKey): Shapes =>
  shapes.flatMap((shape) => {
    if (SchemaAST.isArrays(shape)) return shape.rest.flatMap(shapesOf)
    if (!SchemaAST.isObjects(shape)) return []
    const field = shape.propertySignatures.find(({ name }) => name === key)
    return field === undefined ? [] : shapesOf(field.type)
  })

const maxOf = (check: SchemaAST.Check<never>): number => {
  const { payload } = (check.annotations?.["representation"] ?? {}) as {
    readonly payload?: { readonly maximum?: number; readonly maxLength?: number } | null
  }
  return payload?.maximum ?? payload?.maxLength ?? Infinity
}

/** What is wrong with the length of a list, as the end of a sentence. */
export const tooLong = (shapes: Shapes, length: number): string | undefined => {
  const [list, ...others] = shapes.filter(SchemaAST.isArrays)
  for (const check of others.length === 0 ? list?.checks ?? [] : []) {
    if (check._tag === "Filter" && length > maxOf(check as never)) return FieldIssue.checkText(check as never, "items")
  }
  return length > entriesMaxCount ? `must have at most ${entriesMaxCount} items` : undefined
}
