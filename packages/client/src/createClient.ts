/** The client with uploads, downloads and events. */
import { platform } from "#platform"
import type {
  Client,
  Delivery,
  DownloadOptions,
  EventsOptions,
  FollowedEvent,
  FollowedNote,
  PublicClient,
  Uploader
} from "./Client.ts"
import { make } from "./createCalls.ts"
import { DriveError, failure, storageRefused, strange } from "./DriveError.ts"
import { type Feed, follow } from "./events.ts"
import { callNames, knownOnly } from "./knownOnly.ts"
import type { ClientOptions, PublicClientOptions } from "./Options.ts"
import { queueNames, uploadNames } from "./upload/names.ts"
import { QueueRun } from "./upload/QueueRun.ts"
import { Records } from "./upload/Record.ts"
import type { Target } from "./upload/Target.ts"
import { deliveryTarget, driveTarget } from "./upload/targets.ts"
import { timely } from "./upload/timely.ts"
import { atOnce } from "./upload/Turns.ts"
import type { Upload } from "./upload/Upload.ts"
import { UploadRun } from "./upload/UploadRun.ts"
import type { Wire } from "./Wire.ts"

/** Of the host's own code it is not known why it fails: mostly since its server can't be reached, which uploads wait for. */
const handed = (session: () => Promise<string>) => async (): Promise<string> => {
  try {
    return await session()
  } catch (cause) {
    throw cause instanceof DriveError ? cause : failure("network", "The host gave no session.", true, cause)
  }
}

const uploader = (wire: Wire, options: PublicClientOptions, target: Target, hasOwnKeys: boolean): Uploader => {
  const { store } = options
  const uploading = {
    target,
    platform,
    hasOwnKeys,
    inTurn: atOnce,
    holding: new Set<Upload>(),
    retries: wire.retries,
    send: platform.sendBy(options.fetch),
    // A store that fails (because it is full, for example) costs uploads their records only.
    records: new Records(store && timely(store, () => undefined))
  }
  return {
    upload: (source, options = {}) =>
      new UploadRun({ ...uploading, room: async () => knownOnly(options, uploadNames) }, source, options),
    uploads: {
      queue: (queueOptions = {}) => {
        knownOnly(queueOptions, queueNames)
        return new QueueRun(uploading, store, queueOptions)
      }
    }
  }
}

/** What a feed's messages are, with where to go on after each. What kind of one it is a message says by its event. */
const followed = async function*<A>(wire: Wire, feed: Feed): AsyncGenerator<A> {
  for await (const { data, event, id } of follow(wire, feed)) yield { kind: event, ...data, cursor: id } as A
}

/** A drive for one of its users. */
export const createClient = (options: ClientOptions): Client => {
  const { calls, wire } = make({
    ...options,
    ...options.session && { session: handed(options.session) }
  }, options.fetch ?? platform.ask)

  const link = async (id: string, signal?: AbortSignal) => {
    const record = await calls.generateDownloadUrl({ id }, { signal })
    if (record.downloadUrl === null) throw strange("no link")
    return { ...record, url: record.downloadUrl }
  }

  const download = async (id: string, options: DownloadOptions = {}): Promise<Response> => {
    knownOnly(options, { ...callNames, range: 1 })
    const { range, signal } = options
    const { url } = await link(id, signal)
    const response = await wire.respond(url, {
      signal: signal ?? null,
      ...range && { headers: { range: `bytes=${range.start}-${range.end}` } }
    })
    if (response.ok) return response
    await response.body?.cancel()
    throw storageRefused(response.status, response.status >= 500)
  }

  return {
    ...calls,
    ...uploader(wire, options, driveTarget(wire, calls), false),
    download,
    downloadTo: async (id, path, options = {}) => {
      knownOnly(options, { ...callNames, parallel: 1, onProgress: 1 })
      const { retries, signal } = options
      return platform.downloadTo({
        path,
        options,
        fetch: wire.fetch,
        size: (await calls.generateDownloadUrl({ id }, { signal, ...retries !== undefined && { retries } })).fileSize,
        link: async () => (await link(id, signal)).url
      })
    },
    events: ({ signal, ...query }: EventsOptions = {}) =>
      followed<FollowedEvent>(wire, { path: "/drive-events", query, cursor: "since", signal })
  }
}

/** A drive for people without an account. */
export const createPublicClient = (options: PublicClientOptions): PublicClient => {
  const { calls: { public: calls }, wire } = make(options, options.fetch ?? platform.ask)
  return {
    ...calls,
    delivery: (dropToken): Delivery => ({
      dropToken,
      ...uploader(wire, options, deliveryTarget(wire, calls, dropToken), true),
      select: (options) => calls.selectDrop({ dropToken }, options),
      remove: (fileId, options) => calls.removeDropFile({ dropToken, fileId }, options),
      finish: (options) => calls.finishDrop({ dropToken }, options)
    }),
    followFileReview: (query, options = {}) => {
      knownOnly(options, callNames)
      const { access, signal } = options
      return followed<FollowedNote>(wire, {
        path: "/follow-file-review",
        query,
        access,
        cursor: "after",
        isPublic: true,
        signal
      })
    }
  }
}
