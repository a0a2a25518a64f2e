/** The two targets. */
import { DriveError } from "../DriveError.ts"
import type { DriveCalls, PublicCalls } from "../generated/DriveCalls.ts"
import type { Wire } from "../Wire.ts"
import { batches } from "./Batches.ts"
import type { Announced, Target } from "./Target.ts"

/** An upload repeats its calls itself: it waits for the network. */
const once = { retries: 0 } as const

/** The drive of the client's user. */
export const driveTarget = (wire: Wire, calls: DriveCalls): Target => {
  let user: Promise<string> | undefined
  const userId = async (signal?: AbortSignal): Promise<string> =>
    (await wire.session(signal)).userId ?? (user ??= calls.getUser().then(({ userId }) => userId, (error: unknown) => {
      user = undefined
      throw error
    }))
  const described = async ({ key, ...file }: Announced, signal?: AbortSignal) => ({
    ...file,
    objectKey: `users/${await userId(signal)}/${key}`
  })
  const move = batches((to: { folder: string } | { folderId: string }, fileIds) =>
    calls.moveFiles({ ...to, fileIds }, once)
  )
  const tag = batches((tags: ReadonlyArray<string>, fileIds) => calls.tagFiles({ tags, fileIds }, once))
  return {
    name: async (signal) => `${wire.api} ${await userId(signal)}`,
    form: async (file, signal) => calls.generateFileUrls(await described(file, signal), { signal, ...once }),
    cancelForm: async (file) => calls.cancelFileUrls({ objectKey: (await described(file)).objectKey }),
    open: async (file, signal) => calls.createMultipartUpload(await described(file, signal), { signal, ...once }),
    sign: (token, partNumbers, signal) => calls.signUploadParts({ token, partNumbers }, { signal, ...once }),
    complete: (token, signal) => calls.completeMultipartUpload({ token }, { signal, ...once }),
    abort: (token) => calls.abortMultipartUpload({ token }),
    insert: async (file) =>
      calls.insertFile({ ...await described(file), isPublic: false, creator: { id: await userId() } }, once),
    place: async (id, { description, folder, folderId, tags = [] }) =>
      void await Promise.all([
        folderId !== undefined
          ? move({ folderId }, id)
          : folder !== undefined && folder !== "/" && move({ folder }, id),
        tags.length > 0 && tag(tags, id),
        description && calls.updateFileDescription({ fileId: id, description }, once)
      ]),
    remove: (id) => calls.deleteFiles([{ id }])
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
    abort: (token) => calls.abortDropUpload({ dropToken, token }),
    insert: (file) => calls.insertDropFile(described(file), once),
    place: async () => {},
    remove: (id) => calls.removeDropFile({ dropToken, fileId: id })
  }
}

/** Whether a key is a file's already: then inserting again tells the file. */
export const isTaken = (error: unknown): boolean => error instanceof DriveError && error.code === "object_key_taken"
