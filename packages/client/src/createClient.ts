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
import { type Calls, make } from "./createCalls.ts"
import { DriveError, failure } from "./DriveError.ts"
import { follow } from "./events.ts"
import type { DriveCalls, PublicCalls } from "./generated/DriveCalls.ts"
import type { ClientOptions, PublicClientOptions, Store } from "./Options.ts"
import { QueueRun } from "./upload/QueueRun.ts"
import { Records } from "./upload/Record.ts"
import type { Target } from "./upload/Target.ts"
import { deliveryTarget, driveTarget } from "./upload/targets.ts"
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

/** A store that fails (because it is full, for example) costs uploads their records only. */
const lenient = (store: Store): Store => {
  const tried = async <A>(run: () => A): Promise<Awaited<A> | undefined> => {
    try {
      return await run()
    } catch {
      return undefined
    }
  }
  return {
    get: (key) => tried(() => store.get(key)),
    set: (key, value) => tried(() => store.set(key, value)),
    delete: (key) => tried(() => store.delete(key))
  }
}

const uploader = (wire: Wire, options: PublicClientOptions, target: Target, hasOwnKeys: boolean): Uploader => {
  const store = options.store && lenient(options.store)
  const uploading = {
    target,
    platform,
    hasOwnKeys,
    retries: wire.retries,
    send: platform.sendBy(options.fetch),
    records: new Records(store)
  }
  return {
    upload: (source, options = {}) => new UploadRun(uploading, source, options),
    uploads: { queue: (queueOptions = {}) => new QueueRun(uploading, store, queueOptions) }
  }
}

/** A drive for one of its users. */
export const createClient = (options: ClientOptions): Client => {
  const { all, drive, public: open, wire } = make({
    ...options,
    ...options.session && { session: handed(options.session) }
  })
  const calls = drive as unknown as DriveCalls

  const link = async (id: string, signal?: AbortSignal) => {
    const record = await calls.generateDownloadUrl({ id }, { signal })
    if (record.downloadUrl === null) throw failure("unexpected_answer", "The drive gave no link.")
    return { ...record, url: record.downloadUrl }
  }

  const download = async (id: string, { range, signal }: DownloadOptions = {}): Promise<Response> => {
    const { url } = await link(id, signal)
    const response = await wire.respond(url, {
      ...signal && { signal },
      ...range && { headers: { range: `bytes=${range.start}-${range.end}` } }
    })
    if (response.ok) return response
    await response.body?.cancel()
    throw new DriveError(
      { code: "storage_refused", error: `Storage answered ${response.status}.`, retryable: response.status >= 500 },
      response.status
    )
  }

  return {
    ...calls,
    public: open as unknown as PublicCalls,
    all: all as Calls["all"],
    session: async ({ signal } = {}) => (await wire.session(signal)).token,
    ...uploader(wire, options, driveTarget(wire, calls), false),
    download,
    downloadTo: async (id, path, options = {}) =>
      platform.downloadTo({
        path,
        options,
        size: (await calls.generateDownloadUrl({ id }, options)).fileSize,
        link: async () => (await link(id, options.signal)).url
      }),
    events: async function*({ signal, ...query }: EventsOptions = {}) {
      for await (
        const { data, id } of follow(wire, { path: "/drive-events", query: { ...query }, cursor: "since", signal })
      ) {
        yield { ...JSON.parse(data), cursor: id } as FollowedEvent
      }
    }
  }
}

/** A drive for people without an account. */
export const createPublicClient = (options: PublicClientOptions): PublicClient => {
  const { public: open, wire } = make(options)
  const calls = open as unknown as PublicCalls
  return {
    ...calls,
    delivery: (dropToken): Delivery => ({
      dropToken,
      ...uploader(wire, options, deliveryTarget(wire, calls, dropToken), true),
      select: (options) => calls.selectDrop({ dropToken }, options),
      remove: (fileId, options) => calls.removeDropFile({ dropToken, fileId }, options),
      finish: (options) => calls.finishDrop({ dropToken }, options)
    }),
    followFileReview: async function*({ after, reviewId }, { access, signal } = {}) {
      const feed = {
        path: "/follow-file-review",
        query: { reviewId, after, access },
        cursor: "after",
        isPublic: true,
        signal
      } as const
      for await (const { data, id } of follow(wire, feed)) yield { ...JSON.parse(data), cursor: id } as FollowedNote
    }
  }
}
