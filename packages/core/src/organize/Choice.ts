/** Payloads of which two fields name the same thing in two ways. */
import { Effect } from "effect"
import { InvalidField } from "../shared/DriveError.ts"
import type { Path } from "../shared/FolderPath.ts"
import type { FolderId } from "../shared/Ids.ts"
import type { Destination } from "./Folders.ts"

type Payload<Field extends string> = { readonly [key in Field]?: unknown }

const beside = (first: string, second: string) =>
  new InvalidField({ code: "invalid_field", field: second, because: `must not be given beside ${first}` })

/** Which of two fields is given, of which at most one may be. */
export const atMostOne = <A extends string, B extends string>(
  payload: Payload<A | B>,
  first: A,
  second: B
): Effect.Effect<A | B | undefined, InvalidField> => {
  const [hasFirst, hasSecond] = [payload[first] !== undefined, payload[second] !== undefined]
  if (hasFirst && hasSecond) return Effect.fail(beside(first, second))
  return Effect.succeed(hasFirst ? first : hasSecond ? second : undefined)
}

/** Which of two fields is given, of which just one must be. */
export const oneOf = <A extends string, B extends string>(
  payload: Payload<A | B>,
  first: A,
  second: B
): Effect.Effect<A | B, InvalidField> =>
  Effect.flatMap(atMostOne(payload, first, second), (given) =>
    given === undefined
      ? new InvalidField({ code: "missing_field", field: first, because: `is missing, and so is ${second}` })
      : Effect.succeed(given))

/** The folder that `folder` or `folderId` names, of which at most one may be given; undefined when neither is. */
export const destinationOf = (
  payload: { readonly folder?: Path | undefined; readonly folderId?: FolderId | null | undefined }
): Effect.Effect<Destination | undefined, InvalidField> =>
  Effect.map(atMostOne(payload, "folder", "folderId"), () => {
    const { folder, folderId } = payload
    if (folder !== undefined) return { path: folder, field: "folder" }
    return folderId === undefined ? undefined : { id: folderId }
  })
