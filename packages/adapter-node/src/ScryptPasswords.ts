/** Passwords of public links by scrypt (RFC 7914), in Node's threads. */
import { DriveError, PasswordHasher } from "@filedrive/core"
import { Effect, Layer, Semaphore } from "effect"
import { Buffer } from "node:buffer"
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"

/** Some 60 ms and 32 MiB each. What is stored names the cost, so a later one can be higher. */
const cost = { log2N: 15, r: 8, p: 1 } as const

const saltBytes = 16
const hashBytes = 32

/**
 * Passwords that are checked at once, and those that wait; others are refused. The core decides whose turn it is (`links/PasswordChecks.ts`) and
 * calls the hasher for at most `atOnce`; this bound also holds for any other caller. More at once would keep the threads
 * from the files.
 */
const checks = { atOnce: 2, waitingMax: 40 } as const

/** The same for owners who set a password: people who send passwords to links don't keep them from it. */
const settings = { atOnce: 1, waitingMax: 20 } as const

const retryAfterSeconds = 3

const busy = new DriveError.Unavailable({
  code: "unavailable",
  cause: "too many passwords wait to be hashed",
  retryAfterSeconds
})

interface Stored {
  readonly log2N: number
  readonly r: number
  readonly p: number
  readonly salt: Buffer
  readonly hash: Buffer
}

const pattern = /^scrypt:(\d+):(\d+):(\d+):([\w-]+):([\w-]+)$/

const parse = (stored: string): Stored => {
  const parts = pattern.exec(stored)
  if (parts === null) throw new Error("A stored password hash is not one of scrypt.")
  const [log2N, r, p] = parts.slice(1, 4).map(Number) as [number, number, number]
  return { log2N, r, p, salt: Buffer.from(parts[4]!, "base64url"), hash: Buffer.from(parts[5]!, "base64url") }
}

const format = ({ hash, log2N, p, r, salt }: Stored): string =>
  `scrypt:${log2N}:${r}:${p}:${salt.toString("base64url")}:${hash.toString("base64url")}`

/** Compared with where there is no password. No text has this hash. */
const nobody: Stored = { ...cost, salt: Buffer.alloc(saltBytes), hash: Buffer.alloc(hashBytes) }

const derive = (password: string, { log2N, p, r, salt }: Omit<Stored, "hash">): Effect.Effect<Buffer> =>
  Effect.callback((resume) => {
    const N = 2 ** log2N
    scrypt(password, salt, hashBytes, { N, r, p, maxmem: 256 * N * r }, (error, hash) => {
      resume(error === null ? Effect.succeed(hash) : Effect.die(error))
    })
  })

export const layer: Layer.Layer<PasswordHasher.PasswordHasher> = Layer.effect(
  PasswordHasher.PasswordHasher,
  Effect.gen(function*() {
    const makeTurns = Effect.fnUntraced(function*({ atOnce, waitingMax }: typeof checks | typeof settings) {
      const places = yield* Semaphore.make(atOnce)
      let under = 0
      return <A>(work: Effect.Effect<A>): Effect.Effect<A, DriveError.Unavailable> =>
        Effect.suspend(() => {
          if (under >= atOnce + waitingMax) return Effect.fail(busy)
          under++
          // Node can't stop a hash that it computes, so the place is taken until it is done.
          return Effect.ensuring(places.withPermits(1)(Effect.uninterruptible(work)), Effect.sync(() => under--))
        })
    })
    const checking = yield* makeTurns(checks)
    const setting = yield* makeTurns(settings)

    return PasswordHasher.PasswordHasher.of({
      hash: (password) =>
        setting(Effect.suspend(() => {
          const made = { ...cost, salt: randomBytes(saltBytes) }
          return Effect.map(derive(password, made), (hash) => format({ ...made, hash }))
        })),

      verify: (password, stored) =>
        checking(Effect.suspend(() => {
          const { hash, ...made } = stored === null ? nobody : parse(stored)
          return Effect.map(derive(password, made), (derived) => timingSafeEqual(derived, hash) && stored !== null)
        }))
    })
  })
)
