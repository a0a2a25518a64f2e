/** Options that are misspelt. */
import { DriveError } from "./DriveError.ts"
import type { ClientOptions, PublicCallOptions } from "./Options.ts"

/** The names of all options of a kind: the compiler tells of one that is missing here. */
export type Names<A> = Readonly<Record<keyof A, 1>>

/** Also of a client for people without an account: hosts make both with the same options. */
export const clientNames: Names<ClientOptions> = {
  url: 1,
  apiToken: 1,
  session: 1,
  store: 1,
  fetch: 1,
  retries: 1,
  appId: 1
}

export const callNames: Names<PublicCallOptions> = { signal: 1, retries: 1, access: 1 }

/** Refuses an option that is not known, which would have no effect. One that is undefined counts as left out. */
export const knownOnly = <A extends object>(given: A, names: Names<A>, at = ""): void => {
  for (const name in given) {
    if (given[name] !== undefined && !Object.hasOwn(names, name)) {
      const field = at + name
      const error = `${field} is not a known field; the known ones are ${Object.keys(names).join(", ")}.`
      throw new DriveError({ code: "unknown_field", error, field, retryable: false }, 400)
    }
  }
}
