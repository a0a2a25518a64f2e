/**
 * A real S3 engine for tests, when the environment names one:
 *
 * ```sh
 * eval "$(MIN_PART=1 scripts/ceph/start.sh)"
 * export TEST_S3_ENDPOINT=$S3_ENDPOINT TEST_S3_MIN_PART_BYTES=1
 * ```
 *
 * It must be one that may be written to: each test file makes buckets of its own.
 */
import { describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import * as S3Store from "../src/storage/s3/S3Store.ts"

const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, TEST_S3_ENDPOINT, TEST_S3_MIN_PART_BYTES } = process.env

/** Smallest part, other than the last, that the engine takes. */
export const minPartBytes = Number(TEST_S3_MIN_PART_BYTES ?? 5 * 1024 ** 2)

/** Runs `tests` on the engine; without one, a skipped test says so. */
export const onS3Engine = (name: string, tests: (options: S3Store.S3Options) => void): void => {
  if (TEST_S3_ENDPOINT === undefined || AWS_ACCESS_KEY_ID === undefined || AWS_SECRET_ACCESS_KEY === undefined) {
    const notice = `${name}: NOT RUN without an engine; set TEST_S3_ENDPOINT, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY`
    // Reporters leave out what is skipped.
    process.stderr.write(`${notice}\n`)
    describe.skip(notice, () => it("needs a real engine, like the one scripts/ceph/start.sh starts", () => {}))
    return
  }
  const run = randomUUID().slice(0, 8)
  tests({
    endpoint: TEST_S3_ENDPOINT,
    region: "us-east-1",
    privateBucket: `test-${run}-private`,
    publicBucket: `test-${run}-public`,
    forcePathStyle: true,
    credentials: { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY }
  })
}

/** The store, with its buckets made first. */
export const preparedLayer = (options: S3Store.S3Options) =>
  S3Store.layer(options).pipe(Layer.provide(Layer.effectDiscard(Effect.orDie(S3Store.prepareBuckets(options)))))
