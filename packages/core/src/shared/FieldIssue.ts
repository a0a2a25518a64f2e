/**
 * What is wrong with a value that came from outside, for programs and in a sentence for people. Requests, arguments of a host's
 * code and options all go through here: a schema's issue becomes a {@link FieldIssue} by {@link first}, and that a
 * {@link sentence}.
 */
import type { SchemaAST, SchemaIssue } from "effect"
import { isMisplaced } from "./Misplaced.ts"

export interface FieldIssue {
  readonly code: "missing_field" | "invalid_field" | "unknown_field"
  /** Path of the field, like `within.south`, `fileIds[3]` or `[2].id`; empty for the body itself. */
  readonly field: string
  /** What is wrong with it, as the end of a sentence: "must be true or false". */
  readonly because: string
}

/** `["fileIds", 3]` as `fileIds[3]`. */
export const pathText = (path: ReadonlyArray<PropertyKey>): string =>
  path.reduce<string>(
    (text, key) => typeof key === "number" ? `${text}[${key}]` : text === "" ? String(key) : `${text}.${String(key)}`,
    ""
  )

/** The field with what is wrong with it. `whole` names the value itself, where no field of it is named. */
export const sentence = ({ because, field }: Pick<FieldIssue, "because" | "field">, whole = "The body"): string => {
  // Some reasons are no predicate, like what is said of an address that nothing is imported from.
  const says = /^(?:must|is|has|cannot) /.test(because) ? ` ${because}` : `: ${because}`
  return `${field === "" ? whole : field}${says}${/[.!?]$/.test(because) ? "" : "."}`
}

/** The first field that is wrong, in the order the schema names them. */
export const first = (issue: SchemaIssue.Issue): FieldIssue => {
  const path: Array<PropertyKey> = []
  let at: SchemaIssue.Issue = issue
  for (;;) {
    switch (at._tag) {
      case "Pointer":
        path.push(...at.path)
        at = at.issue
        continue
      case "Composite":
        at = at.issues[0]
        continue
      case "AnyOf": {
        // A union of one thing and null: what is wrong with the thing says more than "or null".
        const inner = at.issues.length === 1 ? at.issues[0] : at.issues.find(hasPath)
        if (inner === undefined) return invalid(path, mustBe(at.ast))
        at = inner
        continue
      }
      case "Encoding":
        if (at.issue._tag === "InvalidValue" || at.issue._tag === "InvalidType") {
          return invalid(path, message(at.issue) ?? mustBe(at.ast))
        }
        at = at.issue
        continue
      case "Filter": {
        if (at.issue._tag === "Pointer" || at.issue._tag === "Composite") {
          at = at.issue
          continue
        }
        return invalid(
          path,
          message(at.issue) ?? checkText(at.filter, Array.isArray(at.input) ? "items" : "characters")
        )
      }
      case "MissingKey":
        return { code: "missing_field", field: pathText(path), because: "is missing" }
      case "UnexpectedKey":
        return { ...invalid(path, unexpected(at.ast)), ...at.ast._tag === "Objects" && { code: "unknown_field" } }
      case "InvalidType":
      case "OneOf":
        return invalid(path, mustBe(at.ast))
      case "InvalidValue":
      case "Forbidden":
        return invalid(path, message(at) ?? "is not valid")
    }
  }
}

const invalid = (path: ReadonlyArray<PropertyKey>, because: string): FieldIssue => ({
  code: "invalid_field",
  field: pathText(path),
  because
})

const unexpected = (ast: SchemaAST.AST): string => {
  const text = ast.annotations?.["messageUnexpectedKey"]
  return typeof text === "string"
    ? text
    : unknownBecause(
      ast._tag === "Objects"
        ? ast.propertySignatures.filter(({ type }) => !isMisplaced(type)).map(({ name }) => name)
        : []
    )
}

/** What is wrong with a field that is not among these. */
export const unknownBecause = (known: ReadonlyArray<PropertyKey>): string =>
  `is not a known field${
    known.length === 0 ? "; there are none" : `; the known ones are ${known.map(String).join(", ")}`
  }`

const hasPath = (issue: SchemaIssue.Issue): boolean =>
  issue._tag === "Pointer" ||
  (issue._tag === "Composite" && hasPath(issue.issues[0])) ||
  (issue._tag === "Encoding" && hasPath(issue.issue)) ||
  issue._tag === "Filter"

const message = (issue: SchemaIssue.Issue): string | undefined => {
  const text = "annotations" in issue ? issue.annotations?.message : undefined
  return typeof text === "string" ? text : undefined
}

/** "must be text": what a value of this schema looks like to people. */
const mustBe = (ast: SchemaAST.AST): string => {
  const options = alternatives(ast)
  return options.length === 0 ? "is not valid" : `must be ${listed(options)}`
}

const alternatives = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  const described = ast.annotations?.["description"]
  if (typeof described === "string") return [described]
  switch (ast._tag) {
    case "String":
    case "TemplateLiteral":
      return ["text"]
    case "Number":
      return ["a number"]
    case "Boolean":
      return ["true or false"]
    case "Arrays":
      return ["a list"]
    case "Objects":
      return ["an object"]
    case "Null":
      return ["null"]
    case "Literal":
      return [String(ast.literal)]
    case "Union":
      return ast.types.flatMap(alternatives)
    default:
      return []
  }
}

const listed = (options: ReadonlyArray<string>): string =>
  options.length < 2 ? options.join("") : `${options.slice(0, -1).join(", ")} or ${options.at(-1)}`

type Payload = Readonly<Record<string, number | undefined>> | null | undefined

/** The checks the contract uses, by the id their schema gives them. */
export const checkText = (check: SchemaAST.Filter<unknown>, counted: "items" | "characters"): string => {
  const { id, payload } = (check.annotations?.representation ?? {}) as {
    readonly id?: string
    readonly payload?: Payload
  }
  const { maximum, maxLength, minimum, minLength } = payload ?? {}
  switch (id) {
    case "effect/schema/isUUID":
      return "must be a UUID"
    case "effect/schema/isInt":
      return "must be a whole number"
    case "effect/schema/isFinite":
      return "must be a finite number"
    case "effect/schema/isBetween":
      return `must be from ${minimum} to ${maximum}`
    case "effect/schema/isGreaterThanOrEqualTo":
      return `must be at least ${minimum}`
    case "effect/schema/isLessThanOrEqualTo":
      return `must be at most ${maximum}`
    case "effect/schema/isBetweenLength":
      return `must have ${minimum} to ${maximum} ${counted}`
    case "effect/schema/isMinLength":
      return `must have at least ${minLength} ${counted}`
    case "effect/schema/isMaxLength":
      return `must have at most ${maxLength} ${counted}`
    default:
      return "is not valid"
  }
}
