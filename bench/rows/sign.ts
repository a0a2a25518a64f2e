/** Signing the URLs of 1,000 parts: our own Signature Version 4 against the AWS SDK's. */
import { S3Client, UploadPartCommand } from "@aws-sdk/client-s3"
import { getSignedUrl } from "@aws-sdk/s3-request-presigner"
import { DateTime } from "effect"
import { presignParts } from "../../packages/adapter-node/src/storage/Signature.ts"
import { interleave, median, ratio, seconds } from "../Rounds.ts"
import { signRounds } from "../Settings.ts"
import { atLeast, type Outcome } from "../Table.ts"

const sizeBytes = 64 * 1024 ** 2
const parts = Array.from({ length: 1_000 }, (_, i) => ({ partNumber: i + 1, sizeBytes }))
const credentials = { accessKeyId: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "secret" }
const upload = {
  bucket: "private",
  key: "files/019845e1/019845e2",
  uploadId: "2~VXBsb2FkIElEIGZvciA2aWWpbmcncyBteS1tb3Zp"
}
const address = { endpoint: "https://s3.example.org", region: "eu-central-1", forcePathStyle: true }

export const sign = async (): Promise<ReadonlyArray<Outcome>> => {
  const client = new S3Client({ ...address, credentials, requestChecksumCalculation: "WHEN_REQUIRED" })
  const bySdk = () =>
    Promise.all(parts.map(({ partNumber }) => {
      const part = { Bucket: upload.bucket, Key: upload.key, UploadId: upload.uploadId, PartNumber: partNumber }
      const command = new UploadPartCommand({ ...part, ContentLength: sizeBytes })
      return getSignedUrl(client, command, { expiresIn: 86_400 })
    }))
  const own = () => {
    const urls = presignParts({ ...address, credentials }, {
      ...upload,
      now: DateTime.nowUnsafe(),
      lifetimeSeconds: 86_400,
      parts
    })
    if (urls.length !== parts.length) throw new Error("Some parts were not signed.")
  }
  const { ours, theirs } = await interleave(signRounds, { ours: () => seconds(own), theirs: () => seconds(bySdk) })
  const millis = (values: ReadonlyArray<number>) => `${(median(values) * 1_000).toFixed(1)} ms`
  return [atLeast(50, {
    what: "sign 1,000 part URLs",
    own: millis(ours),
    against: `getSignedUrl: ${millis(theirs)}`,
    factor: ratio(theirs, ours)
  })]
}
