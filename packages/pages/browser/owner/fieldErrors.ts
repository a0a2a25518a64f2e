/** What is wrong with the fields of a form, beside each. */
import { DriveError } from "@filedrive/client"
import { signal } from "@preact/signals"
import { notify } from "../foundation/announce.ts"
import { refusalText } from "./act.ts"

export const makeFieldErrors = <Name extends string>(names: ReadonlyArray<Name>) => {
  const errors = signal({} as Readonly<Partial<Record<Name, string>>>)

  const show = (found: Readonly<Partial<Record<Name, string>>>): void => {
    errors.value = found
    // The first one that is wrong is where the reader goes on.
    requestAnimationFrame(() => document.querySelector<HTMLElement>("form [aria-invalid=true]")?.focus())
  }

  return {
    of: (name: Name): string | undefined => errors.value[name],
    clear: (name: Name): void => {
      if (errors.peek()[name] !== undefined) errors.value = { ...errors.peek(), [name]: undefined }
    },
    show,
    hasAny: (): boolean => Object.values(errors.peek()).some((one) => one !== undefined),
    /** A refusal of the drive's: beside the field that it names, else in passing. */
    refused: (error: unknown, sentence: (name: Name) => string): void => {
      const field = error instanceof DriveError ? error.field?.split(/[.[]/, 1)[0] : undefined
      const name = names.find((one) => one === field)
      if (name === undefined) notify(refusalText(error), "error")
      else show({ [name]: sentence(name) } as Partial<Record<Name, string>>)
    }
  }
}
