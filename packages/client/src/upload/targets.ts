/** The two targets. */
import { DriveError, hasCode } from "../DriveError.ts"
import type { DriveCalls, PublicCalls } from "../generated/DriveCalls.ts"
import type { Wire } from "../Wire.ts"
import { batches } from "./Batches.ts"
import type { Announced, Placement, Target } from "./Target.ts"

/** A file that there is not: what is asked for it is refused for what is wrong with it, or because there is no such file. */
const noFile = "00000000-0000-4000-8000-000000000000"

/** An upload repeats its calls itself: it waits for the network. */
const once = { retries: 0 } as const

type Ids = ReadonlyArray<string>
type Described = Omit<Announced, "key"> & { readonly objectKey: string }
type Refusal = ConstructorParameters<typeof DriveError>[0]

/** Files of one call: few enough for one transaction of the drive's. */
const mostFiles = 32
const mostIds = 500

/**
 * Calls once for a file alone, and once for many. A list is refused as a whole for one file that is malformed, and by an older drive: then each
 * is called for.
 */
const each = <Out extends object>(
  one: (file: Described, options: typeof once) => Promise<Out>,
  many: (
    files: ReadonlyArray<Described>
  ) => Promise<ReadonlyArray<NoInfer<Out> | { readonly failure: Refusal & { readonly status: number } }>>
) =>
async (_: null, files: ReadonlyArray<Described>): Promise<ReadonlyArray<Promise<Out>>> => {
  if (files.length > 1) {
    try {
      return (await many(files)).map(async (made) => {
        if ("failure" in made) throw new DriveError(made.failure, made.failure.status)
        return made
      })
    } catch (error) {
      if (!(error instanceof DriveError) || error.retryable) throw error
    }
  }
  return files.map((file) => one(file, once))
}

/** The drive of the client's user. */
export const driveTarget = (wire: Wire, calls: DriveCalls): Target => {
  let user: Promise<string> | undefined
  /** The session whose user it is: the next one may be another person's. */
  let asked = ""
  const userId = async (signal?: AbortSignal): Promise<string> => {
    const { token, userId } = await wire.session(signal)
    if (asked !== token) user = undefined
    asked = token
    return userId ?? (user ??= calls.getUser().then(({ userId }) => userId, (error: unknown) => {
      user = undefined
      throw error
    }))
  }
  const described = async ({ key, ...file }: Announced, signal?: AbortSignal) => ({
    ...file,
    objectKey: `users/${await userId(signal)}/${key}`
  })
  const move = batches(
    mostIds,
    (to: { folder: string } | { folderId: string }, fileIds: Ids) => calls.moveFiles({ ...to, fileIds }, once)
  )
  const tag = batches(mostIds, (tags: Ids, fileIds: Ids) => calls.tagFiles({ tags, fileIds }, once))
  const form = batches(
    mostFiles,
    each(calls.generateFileUrls, async (files) => (await calls.generateUploadForms({ files }, once)).forms)
  )
  const insert = batches(
    mostFiles,
    each(calls.insertFile, async (files) => (await calls.insertFiles({ files }, once)).files)
  )
  const placed = (id: string, { description, folder, folderId, tags = [] }: Placement) => [
    folderId !== undefined
      ? move({ folderId }, id)
      : folder && folder !== "/" && move({ folder }, id),
    tags.length > 0 && tag(tags, id),
    description && calls.updateFileDescription({ fileId: id, description }, once)
  ]
  /** What was asked for last, and would be done. */
  let known = ""
  return {
    name: async (signal) => `${wire.api} ${await userId(signal)}`,
    form: async (file, signal) => form(null, await described(file, signal)),
    cancelForm: async (file) => calls.cancelFileUrls({ objectKey: (await described(file)).objectKey }, once),
    open: async (file, signal) => calls.createMultipartUpload(await described(file, signal), { signal, ...once }),
    sign: (token, partNumbers, signal) => calls.signUploadParts({ token, partNumbers }, { signal, ...once }),
    complete: (token, signal) => calls.completeMultipartUpload({ token }, { signal, ...once }),
    abort: (token) => calls.abortMultipartUpload({ token }, once),
    insert: async (file) => insert(null, await described(file)),
    check: async (placement) => {
      const { description, folder, folderId, tags } = placement
      const asked = JSON.stringify([(await wire.session()).token, description, folder, folderId, tags])
      if (asked === known) return
      await Promise.all(
        placed(noFile, placement).map(async (part) => {
          try {
            await part
          } catch (error) {
            if (!hasCode(error, "not_found") || folderId && (error as DriveError).message.includes(folderId)) {
              throw error
            }
          }
        })
      )
      known = asked
    },
    place: async (id, placement) => void await Promise.all(placed(id, placement)),
    remove: (id) => calls.deleteFiles([{ id }], once)
  }
}

/** A delivery to a file request. */
export const deliveryTarget = (wire: Wire, calls: PublicCalls, dropToken: string): Target => {
  const described = ({ key, ...file }: Announced) => ({ ...file, dropToken, clientKey: key })
  return {
    name: async () => `${wire.api} ${dropToken}`,
    form: (file, signal) => calls.dropFileUrls(described(file), { signal, ...once }),
    // A delivery has no call for it: its form lapses, or ends with the delivery.
    cancelForm: async () => {},
    open: (file, signal) => calls.createDropUpload(described(file), { signal, ...once }),
    sign: (token, partNumbers, signal) => calls.signDropParts({ dropToken, token, partNumbers }, { signal, ...once }),
    complete: (token, signal) => calls.completeDropUpload({ dropToken, token }, { signal, ...once }),
    abort: (token) => calls.abortDropUpload({ dropToken, token }, once),
    insert: (file) => calls.insertDropFile(described(file), once),
    check: async () => {},
    place: async () => {},
    remove: (id) => calls.removeDropFile({ dropToken, fileId: id }, once)
  }
}

/** Whether a key is a file's already: then inserting again tells the file. */
export const isTaken = (error: unknown): boolean => hasCode(error, "object_key_taken")
