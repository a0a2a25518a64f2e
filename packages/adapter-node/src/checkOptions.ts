/** Wrong options are told at once, by a sentence that names the option. */
import { FieldIssue, Given } from "@filedrive/core"
import { Result, Schema } from "effect"
import { DriveOptions } from "./DriveOptions.ts"
import { count, fields, isFunction, millis, millisFrom, must, text, whole } from "./OptionSchema.ts"

/** An option of `createDrive` that can't be used. */
export class WrongOption extends TypeError {
  override readonly name = "WrongOption"
  readonly option: string
  readonly because: string
  constructor(option: string, because: string, of = "createDrive") {
    super(`${of}: ${FieldIssue.sentence({ field: option, because }, "its argument")}`)
    this.option = option
    this.because = because
  }
}

const checking = <A>(of: string, schema: Schema.Codec<A>) => {
  const read = Given.reader(schema, { onExcessProperty: "error" })
  return (options: unknown): void => {
    const found = read(options)
    if (Result.isFailure(found)) throw new WrongOption(found.failure.field, found.failure.because, of)
  }
}

const checkEach = checking("createDrive", DriveOptions)

/** Throws {@link WrongOption} for the first option that can't be used. */
export const checkOptions = (options: DriveOptions): void => {
  checkEach(options)
  if (options.signIn === undefined && (options.oauth?.introspectionSecrets ?? []).length > 0) {
    throw new WrongOption(
      "oauth.introspectionSecrets",
      "must have the option signIn beside it: without it there is no OAuth"
    )
  }
}

const optional = Schema.optionalKey

const connections = count(10_000_000)

const listening = {
  port: optional(whole(0, 65_535)),
  host: optional(text),
  // Node takes 0 for no bound at all.
  headersMillis: optional(millisFrom(1)),
  restMillis: optional(millis),
  graceMillis: optional(millis),
  stallMillis: optional(millis),
  maxConnections: optional(connections),
  maxConnectionsPerAddress: optional(connections)
}

const serving = fields({
  ...listening,
  otherwise: optional(must<unknown>("must be a function", isFunction)),
  prepare: optional(must<unknown>("must be a function", isFunction))
})

/** The same of `serve`'s options. */
export const checkServeOptions = checking("serve", serving)

/** The same of `listen`'s options. */
export const checkListenOptions = checking("listen", fields(listening))
