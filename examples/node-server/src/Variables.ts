/** Reading one variable at a time. */

export type Variables = Readonly<Record<string, string | undefined>>

/** A variable that can't be used. The message is a sentence for the operator. */
export class WrongVariable extends Error {
  readonly variable: string
  constructor(variable: string, because: string) {
    super(`${variable} ${because}`)
    this.variable = variable
  }
}

export const wholeNumber = (
  variables: Variables,
  name: string,
  { byDefault, max, min }: { readonly min: number; readonly max: number; readonly byDefault: number }
): number => {
  const text = variables[name] || String(byDefault)
  const number = /^\d+$/.test(text) ? Number(text) : NaN
  if (number >= min && number <= max) return number
  throw new WrongVariable(name, `must be a whole number from ${min} to ${max}, but is "${text}".`)
}

export const oneOf = <const Choices extends ReadonlyArray<string>>(
  variables: Variables,
  name: string,
  choices: Choices,
  byDefault: Choices[number]
): Choices[number] => {
  const text = variables[name] || byDefault
  if (choices.includes(text)) return text
  throw new WrongVariable(name, `must be one of ${choices.join(", ")}, but is "${text}".`)
}

export const yesNo = (variables: Variables, name: string, byDefault: boolean): boolean => {
  const text = variables[name]
  if (!text) return byDefault
  if (text === "1" || text === "true") return true
  if (text === "0" || text === "false") return false
  throw new WrongVariable(name, `must be 1 or 0 (or true or false), but is "${text}".`)
}

/** An http or https address without a trailing slash, or null when not set. */
export const webAddress = (
  variables: Variables,
  name: string,
  allowed: { readonly path: boolean }
): string | null => {
  const text = variables[name]
  if (!text) return null
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !["http:", "https:"].includes(url.protocol)) {
    throw new WrongVariable(name, `must be an address like https://drive.example.com, but is "${text}".`)
  }
  if (url.username || url.search || url.hash || (!allowed.path && url.pathname !== "/")) {
    throw new WrongVariable(
      name,
      `must be ${allowed.path ? "an address" : "an origin"} without ${
        allowed.path ? "" : "a path, "
      }credentials, query or fragment.`
    )
  }
  return url.origin + url.pathname.replace(/\/+$/, "")
}

/** A PostgreSQL address, or null when not set. It may hold a password, so no message repeats it. */
export const postgresAddress = (variables: Variables, name: string): string | null => {
  const text = variables[name]
  if (!text) return null
  if (/^postgres(ql)?:\/\//.test(text) && URL.canParse(text)) return text
  throw new WrongVariable(name, "must be an address like postgres://user:password@host:5432/database.")
}

/** Text that is valid in a header. */
export const headerValue = (variables: Variables, name: string, byDefault: string): string => {
  const text = variables[name] || byDefault
  if (/^[\x21-\x7e]{1,200}$/.test(text)) return text
  throw new WrongVariable(name, "must be 1 to 200 printable ASCII characters without spaces.")
}

/** A key of a provider, which no message repeats. */
export const apiKeyOf = (variables: Variables, name: string): string | null => {
  const key = variables[name]
  if (!key) return null
  if (/^[\x21-\x7e]{1,4096}$/.test(key)) return key
  throw new WrongVariable(name, "must be a key: printable ASCII characters without spaces.")
}

/** The address of a provider. Who may have mixed up address and key is not told the value. */
export const apiAddressOf = (variables: Variables, name: string): string | null => {
  const text = variables[name]
  if (text && !URL.canParse(text)) {
    throw new WrongVariable(name, "must be the address of an API with its version, like https://api.example.com/v1.")
  }
  return webAddress(variables, name, { path: true })
}

/** What stands between commas. */
export const listOf = (variables: Variables, name: string): ReadonlyArray<string> =>
  (variables[name] ?? "").split(",").map((one) => one.trim()).filter(Boolean)

/** Origins of pages, without slashes at their ends; `*` for all. */
export const originsOf = (variables: Variables, name: string): ReadonlyArray<string> =>
  listOf(variables, name).map((one) => {
    const origin = one === "*" ? one : URL.canParse(one) ? new URL(one).origin : ""
    if (origin !== "" && one.replace(/\/$/, "").toLowerCase() === origin) return origin
    throw new WrongVariable(name, `must be origins like https://app.example.com with commas, or *, but has "${one}".`)
  })

/** Secrets that programs send in a header; no message repeats one. */
export const secretsOf = (variables: Variables, name: string): ReadonlyArray<string> => {
  const secrets = listOf(variables, name)
  if (secrets.every((one) => /^[\x21-\x7e]{32,4096}$/.test(one))) return secrets
  throw new WrongVariable(
    name,
    "must be texts of at least 32 printable ASCII characters without spaces, with commas."
  )
}
