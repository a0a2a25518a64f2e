/** ZIP archives: how fast one is written into memory, and what the server's memory does while it builds a large one. */
import { ZipArchive } from "archiver"
import { Effect, Stream } from "effect"
import { Readable } from "node:stream"
import { crc32 } from "node:zlib"
import * as FoldedCrc32 from "../../packages/core/src/archives/FoldedCrc32.ts"
import type * as Zip from "../../packages/core/src/archives/Zip.ts"
import * as ZipPlan from "../../packages/core/src/archives/ZipPlan.ts"
import * as ZipStream from "../../packages/core/src/archives/ZipStream.ts"
import { withDirectory, withDrive } from "../DriveCaller.ts"
import { withPostgres } from "../Postgres.ts"
import { interleave, median, ratio, seconds } from "../Rounds.ts"
import { fileBytes, MiB, transferRounds, zipBytes, zipFiles } from "../Settings.ts"
import { atLeast, type Outcome } from "../Table.ts"

interface Shape {
  readonly what: string
  readonly files: number
  readonly sizeBytes: number
  /** Smallest factor to a plain copy that counts its CRC; none where nothing comparable is copied. */
  readonly toCopy?: number
}

/** What storage hands over at a time, as the disk store does. */
const chunk = Buffer.alloc(256 * 1024, "what a file holds, ")

function* chunks(sizeBytes: number): Generator<Uint8Array> {
  for (let left = sizeBytes; left > 0; left -= chunk.length) yield chunk.subarray(0, Math.min(left, chunk.length))
}

/** Memory that bytes are copied into, over and over. */
const makeSink = () => {
  const memory = Buffer.alloc(64 * MiB)
  let [at, total] = [0, 0]
  return {
    write: (bytes: Uint8Array) => {
      if (at + bytes.length > memory.length) at = 0
      memory.set(bytes, at)
      at += bytes.length
      total += bytes.length
    },
    total: () => total
  }
}

const nameOf = (at: number) => `folder ${at % 100}/file ${at}.bin`
const encoder = new TextEncoder()
/** As the adapter for Node gives it. */
const foldedCrc32 = FoldedCrc32.make(crc32)

const own = async ({ files, sizeBytes }: Shape) => {
  const sink = makeSink()
  const entries = Array.from({ length: files }, (_, at) => ({
    name: encoder.encode(nameOf(at)),
    sizeBytes,
    modifiedSeconds: 1_790_000_000
  }))
  const plan = ZipPlan.make(entries.map(({ name }) => ({ nameBytes: name.length, sizeBytes })))
  const source: ZipStream.ZipSource<Zip.Entry, never> = {
    entries: (from, to) => Effect.succeed(entries.slice(from, to)),
    bytes: (_, from, to) => Stream.fromIterable({ [Symbol.iterator]: () => chunks(to - from) }, { chunkSize: 1 })
  }
  await Effect.runPromise(
    ZipStream.stretch({ plan, source, crcs: new Uint32Array(files), crc32: foldedCrc32, from: 0, to: plan.totalBytes })
      .pipe(
        Stream.runForEachArray((all) => Effect.sync(() => all.forEach(sink.write)))
      )
  )
  if (sink.total() !== plan.totalBytes) throw new Error("The archive is not as long as it was planned.")
}

const byArchiver = ({ files, sizeBytes }: Shape) =>
  new Promise<void>((resolve, reject) => {
    const sink = makeSink()
    const archive = new ZipArchive({ store: true })
    archive.on("data", sink.write)
    archive.on("error", reject)
    archive.on(
      "end",
      () => sink.total() > files * sizeBytes ? resolve() : reject(new Error("The archive is too short."))
    )
    for (let at = 0; at < files; at++) archive.append(Readable.from(chunks(sizeBytes)), { name: nameOf(at) })
    void archive.finalize()
  })

const copy = ({ files, sizeBytes }: Shape) => {
  const sink = makeSink()
  for (let at = 0; at < files; at++) {
    let crc = 0
    for (const bytes of chunks(sizeBytes)) {
      crc = crc32(bytes, crc)
      sink.write(bytes)
    }
  }
}

const compare = async (shape: Shape): Promise<ReadonlyArray<Outcome>> => {
  const { archiver, copied, ours } = await interleave(transferRounds, {
    ours: () => seconds(() => own(shape)),
    copied: () => seconds(() => copy(shape)),
    archiver: () => seconds(() => byArchiver(shape))
  })
  const speed = (values: ReadonlyArray<number>) =>
    `${Math.round(shape.files * shape.sizeBytes / 1e6 / median(values))} MB/s`
  const row = { what: `ZIP of ${shape.what}, stored, into memory`, own: speed(ours) }
  return [
    ...shape.toCopy === undefined ? [] : [
      atLeast(shape.toCopy, { ...row, against: `copy with CRC-32: ${speed(copied)}`, factor: ratio(copied, ours) })
    ],
    atLeast(3, { ...row, against: `archiver 8: ${speed(archiver)}`, factor: ratio(archiver, ours) })
  ]
}

/** Has a drive build an archive of files that are larger than its memory may become. */
const build = (databaseUrl: string): Promise<Outcome> =>
  withDirectory((dataDirectory) =>
    withDrive({ databaseUrl, dataDirectory }, async (drive) => {
      const fileIds = []
      for (let at = 0; at < 4; at++) fileIds.push(await drive.upload(`file-${at}`, fileBytes))
      const idleBytes = drive.server.residentBytes()
      const start = performance.now()
      const { bytes, id } = await drive.call("/create-archive-request", { fileIds })
      const samples: Array<number> = []
      for (;;) {
        const [item] = await drive.call("/select-archives", { ids: [id] })
        samples.push(drive.server.residentBytes())
        if (item.status === "failed") throw new Error(item.error)
        if (item.status === "done") break
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
      const mebibytes = (value: number) => `${Math.round(value / MiB)} MiB`
      const third = Math.floor(samples.length / 3)
      const [middle, last] = [median(samples.slice(third, 2 * third + 1)), median(samples.slice(2 * third))]
      const rate = bytes / 1e6 / ((performance.now() - start) / 1_000)
      return {
        what: `memory of the server while it builds an archive of ${(bytes / 1e9).toFixed(1)} GB on disk`,
        own: `idle ${mebibytes(idleBytes)}, second third ${mebibytes(middle)}, last third ${mebibytes(last)}`,
        against: `${Math.round(rate)} MB/s`,
        result: `peak ${mebibytes(Math.max(...samples))}`,
        target: "flat, under 400 MiB",
        met: Math.max(...samples) < 400 * MiB && last <= middle * 1.1
      }
    })
  )

export const zip = async (): Promise<ReadonlyArray<Outcome>> => [
  ...await compare({ what: `4 x ${zipBytes / MiB} MiB`, files: 4, sizeBytes: zipBytes, toCopy: 0.5 }),
  ...await compare({ what: `${zipFiles} x 10 KiB`, files: zipFiles, sizeBytes: 10 * 1024 }),
  await withPostgres(build)
]
