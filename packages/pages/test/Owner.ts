/** An owner of requests and reviews, and the visitors of their links, as programs: what pages show is brought about by them. */
import { createClient, createPublicClient } from "@filedrive/client"
import { deflateSync } from "node:zlib"
import type { PagesHost } from "./PagesHost.ts"
import { hostileNames } from "./RequestStates.ts"

/** Clients of a host: the owner's, and one of somebody without an account. */
export const clientsOf = (host: PagesHost) => {
  const url = host.drive.urls.site
  return {
    owner: createClient({ url, session: async () => (await host.drive.sessions.open(host.userId)).token }),
    visitor: createPublicClient({ url })
  }
}

export interface Sent {
  readonly name?: string
  readonly note?: string
  /** Bytes by file name. */
  readonly files?: Readonly<Record<string, Uint8Array>>
  readonly isFinished?: boolean
}

const bytes = (length: number) => new Uint8Array(length).fill(7)

/** Somebody sends files to a request. */
export const deliver = async (
  host: PagesHost,
  requestId: string,
  { files = { "tram-28.jpg": bytes(2_000) }, isFinished = true, name = "Grace", note }: Sent = {}
) => {
  const { visitor } = clientsOf(host)
  const { dropId, dropToken } = await visitor.startDrop({
    requestId,
    senderName: name,
    ...note !== undefined && { note }
  })
  const delivery = visitor.delivery(dropToken)
  for (const [fileName, source] of Object.entries(files)) {
    await delivery.upload(source, {
      fileName,
      ...fileName.endsWith(".wav") && { type: "Audio", mimeType: "audio/wav" }
    })
  }
  if (isFinished) await delivery.finish()
  return dropId
}

/** A video of the owner's, or a track, as far as its name and its type tell. */
export const addFilm = async (host: PagesHost, fileName = "lisbon cut 2.mp4"): Promise<string> => {
  const kind = fileName.endsWith(".wav")
    ? { type: "Audio", mimeType: "audio/wav" } as const
    : { type: "Video", mimeType: "video/mp4" } as const
  return (await clientsOf(host).owner.upload(bytes(3_000), { fileName, ...kind })).id
}

export const newReview = async (host: PagesHost, options: object = {}, fileName?: string) =>
  clientsOf(host).owner.createFileReview({ fileId: await addFilm(host, fileName), ...options })

export const leaveNote = (host: PagesHost, reviewId: string, note: object = {}) =>
  clientsOf(host).visitor.leaveReviewNote({
    reviewId,
    reviewer: "Grace",
    seconds: 65.2,
    text: "The music begins too early.",
    ...note
  })

const crcTable = Uint32Array.from({ length: 256 }, (_, at) => {
  let value = at
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb8_8320 ^ (value >>> 1) : value >>> 1
  return value
})

const chunk = (type: string, data: Uint8Array): Buffer => {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const crc = Buffer.alloc(4)
  crc.writeUInt32BE(
    (body.reduce((sum, byte) => crcTable[(sum ^ byte) & 0xff]! ^ (sum >>> 8), 0xffff_ffff) ^ 0xffff_ffff) >>> 0
  )
  return Buffer.concat([length, body, crc])
}

/** A picture that a browser shows: a PNG of one colour that gets darker. */
export const picture = (width = 480, height = 270): Uint8Array => {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const row = 1 + width * 3
  const pixels = Buffer.alloc(row * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) pixels.set([40 + y / 3, 90 + x / 8, 150 + (x + y) / 9], y * row + 1 + x * 3)
  }
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(pixels)),
    chunk("IEND", Buffer.alloc(0))
  ])
}

/** What nobody should be called. */
export const hostileTitle = `<img src=x onerror=alert(1)> {name} "'& صورة من الحفل`

export const longTitle = "Averyveryverylongwordwithoutanyspaces".repeat(5)

export const hostileFiles = Object.fromEntries(
  hostileNames.map((name) => [name.replaceAll("\u202E", ""), bytes(20_000)])
)
