/**
 * Notes on a review, and opening it, in the service: note 10,000 beside note 10, and the slowest of a hundred openings of a review
 * with 10,000 notes.
 */
import { createDrive } from "@filedrive/adapter-node"
import { randomUUID } from "node:crypto"
import { withDirectory } from "../DriveCaller.ts"
import { withPostgres } from "../Postgres.ts"
import { interleave, median, percentile, seconds } from "../Rounds.ts"
import { quick } from "../Settings.ts"
import { atMost, type Outcome } from "../Table.ts"

const manyNotes = quick ? 500 : 10_000
const rounds = quick ? 20 : 300
const openings = quick ? 50 : 1_000
/** How often a viewer opens it a day. */
const openingsOfViewer = 10
const atOnce = 32
const targetMillis = 10

/** What the head of an MP4 is recognized by. */
const head = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from("ftypisom\0\0\x02\0isomiso2")])

const run = (
  where: string,
  database: { readonly database?: { readonly url: string } }
): Promise<ReadonlyArray<Outcome>> =>
  withDirectory(async (dataDirectory) => {
    const drive = createDrive({
      dataDirectory,
      url: "http://drive.bench",
      rateLimits: false,
      media: false,
      ...database
    })
    try {
      const userId = randomUUID()
      await drive.accounts.create({ userId, plan: "pro" })
      const user = drive.as(userId)
      const newReview = async () => {
        const { id: fileId } = await user.files.put(head, { fileName: "cut.mp4" })
        return (await user.createFileReview({ fileId })).id
      }
      const leave = (reviewId: string, at: number) =>
        drive.public.leaveReviewNote({
          reviewId,
          reviewer: "Grace",
          seconds: at % 3_600,
          text: `Note ${at}: the music begins too early here.`
        })
      const [full, fresh] = [await newReview(), await newReview()]
      for (let at = 0; at < manyNotes; at += atOnce) {
        const some = Array.from({ length: Math.min(atOnce, manyNotes - at) }, (_, n) => leave(full, at + n))
        await Promise.all(some)
      }
      const leaving = (reviewId: string) => (round: number) => seconds(() => leave(reviewId, round))
      const times = await interleave(rounds, { full: leaving(full), fresh: leaving(fresh) })
      const opened: Array<number> = []
      for (let n = 0; n < openings; n++) {
        const address = `198.51.100.${Math.floor(n / openingsOfViewer) % 250}`
        opened.push(await seconds(() => drive.public.openFileReview({ reviewId: full }, { address })) * 1e3)
      }
      const [own, first] = [median(times.full) * 1e3, median(times.fresh) * 1e3]
      const p99 = percentile(opened, 0.99)
      const count = manyNotes.toLocaleString("en")
      return [
        atMost(1.5, {
          what: `note ${count} on a review, ${where}`,
          own: `${own.toFixed(2)} ms`,
          against: `one of the first ${rounds}: ${first.toFixed(2)} ms`,
          factor: own / first
        }),
        {
          what: `open a review of ${count} notes, ${where}`,
          own: `p99 ${p99.toFixed(1)} ms`,
          against: `median ${median(opened).toFixed(1)} ms`,
          result: `p99 ${p99.toFixed(1)} ms`,
          target: `p99 under ${targetMillis} ms`,
          met: p99 < targetMillis
        }
      ]
    } finally {
      await drive.close()
    }
  })

export const reviews = async (): Promise<ReadonlyArray<Outcome>> => [
  ...await withPostgres((url) => run("on PostgreSQL", { database: { url } })),
  ...await run("database embedded", {})
]
