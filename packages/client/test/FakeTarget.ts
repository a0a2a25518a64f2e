/** A target and a source for tests of uploads without a drive. */
import type { Platform, Send } from "../src/Platform.ts"
import { Records } from "../src/upload/Record.ts"
import type { Target } from "../src/upload/Target.ts"
import { atOnce } from "../src/upload/Turns.ts"
import type { Uploading } from "../src/upload/Uploading.ts"
import { platform } from "../src/web/platform.ts"

/** Takes everything, unless told otherwise. */
export const uploading = (send: Send, target: Partial<Target> = {}, more: Partial<Uploading> = {}): Uploading => ({
  send,
  platform: platform satisfies Platform,
  records: new Records(undefined),
  retries: 5,
  hasOwnKeys: false,
  inTurn: atOnce,
  holding: new Set(),
  target: {
    name: async () => "test",
    form: async () => ({
      uploadUrl: "http://storage.test/form",
      uploadForm: { key: "a" },
      downloadUrl: null,
      fileName: "a.bin"
    }),
    cancelForm: async () => {},
    open: () => Promise.reject(new Error("not in parts")),
    sign: () => Promise.reject(new Error("not in parts")),
    complete: async () => {},
    abort: async () => ({ aborted: true }),
    insert: async ({ fileName }) => ({ id: fileName }),
    check: async () => {},
    place: async () => {},
    remove: async () => {},
    ...target
  },
  ...more
})

export const taken = { status: 204, text: "", retryAfter: null }
export const file = (size = 1_000, name = "a.bin") => new File([new Uint8Array(size)], name)
export const failureOf = (promise: PromiseLike<unknown>) =>
  Promise.resolve(promise).then(() => undefined, (error: unknown) => error)
