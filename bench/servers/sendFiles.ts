/**
 * A client that sends small files as fast as the server takes them, on connections that stay open, and prints how fast that was.
 * It is the same for every measured server, except for the requests that one file takes.
 */
import { connect, type Socket } from "node:net"
import { formEnd, formText, formType } from "../FormBody.ts"
import { median } from "../Rounds.ts"
import type { Sending, SentFiles } from "../SmallFiles.ts"
import { options, ready } from "./parent.ts"

const { accounts, atOnce, fileBytes, origin, requestId, seconds, to, warmupSeconds } = options<Sending>()
const { host, hostname, port } = new URL(origin)
const file = Buffer.alloc(fileBytes, "filedrive ".repeat(97))
const headEnd = Buffer.from("\r\n\r\n")

/** One connection: its next request is sent when the last one is answered. */
class Connection {
  readonly #socket: Socket
  #received: Array<Buffer> = []
  #head = ""
  #needed = Infinity
  #resolve: (body: string) => void = () => {}
  #reject: (error: Error) => void = () => {}

  constructor() {
    this.#socket = connect(Number(port), hostname).setNoDelay()
    this.#socket.on("data", (bytes: Buffer) => this.#take(bytes))
    this.#socket.on("error", (error) => this.#reject(error))
    this.#socket.on("close", () => this.#reject(new Error("The connection was closed.")))
  }

  /** Succeeds with the answer's body; an answer that is not 2xx fails. */
  post(path: string, headers: string, body: ReadonlyArray<string | Buffer>): Promise<string> {
    const length = body.reduce((sum, piece) => sum + Buffer.byteLength(piece), 0)
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
      this.#socket.cork()
      this.#socket.write(`POST ${path} HTTP/1.1\r\nhost: ${host}\r\n${headers}content-length: ${length}\r\n\r\n`)
      for (const piece of body) this.#socket.write(piece)
      this.#socket.uncork()
    })
  }

  end(): void {
    this.#reject = () => {}
    this.#socket.destroy()
  }

  #take(bytes: Buffer): void {
    this.#received.push(bytes)
    const all = this.#received.length === 1 ? bytes : Buffer.concat(this.#received)
    this.#received = [all]
    if (this.#head === "") {
      const end = all.indexOf(headEnd)
      if (end < 0) return
      this.#head = all.toString("latin1", 0, end)
      const length = /\r\ncontent-length: *(\d+)/i.exec(this.#head)?.[1]
      if (length === undefined && !this.#head.startsWith("HTTP/1.1 204")) {
        return this.#reject(new Error(`The answer states no length: ${this.#head}`))
      }
      this.#needed = end + headEnd.length + Number(length ?? 0)
    }
    if (all.length < this.#needed) return
    const head = this.#head
    const body = all.toString("utf8", head.length + headEnd.length, this.#needed)
    this.#received = []
    this.#head = ""
    if (head.startsWith("HTTP/1.1 2")) this.#resolve(body)
    else this.#reject(new Error(`${head}\n${body}`))
  }
}

/** Milliseconds of each request of one file. */
type Took = ReadonlyArray<number>

const timed = async <A>(took: Array<number>, work: () => Promise<A>): Promise<A> => {
  const start = performance.now()
  const done = await work()
  took.push(performance.now() - start)
  return done
}

const toDrive = async (connection: Connection, number: number): Promise<Took> => {
  const { session, userId } = accounts[number % accounts.length]!
  const took: Array<number> = []
  const json = `authorization: Bearer ${session}\r\nx-service-app: filedrive\r\ncontent-type: application/json\r\n`
  const name = `small-${process.pid}-${number}`
  const input = { type: "Other", fileName: name, fileSize: fileBytes, objectKey: `users/${userId}/${name}` }
  const { uploadForm, uploadUrl } = JSON.parse(
    await timed(took, () => connection.post("/api/generate-file-urls", json, [JSON.stringify(input)]))
  )
  const { pathname, search } = new URL(uploadUrl)
  const body = [formText(uploadForm), file, formEnd]
  await timed(took, () => connection.post(pathname + search, `content-type: ${formType}\r\n`, body))
  const record = JSON.stringify({ ...input, isPublic: false, creator: { id: userId } })
  await timed(took, () => connection.post("/api/insert-file", json, [record]))
  return took
}

/** Files that are sent in one drop, before the next is started. */
const filesInDrop = 500

let dropToken = Promise.resolve("")

const toDrop = async (connection: Connection, number: number): Promise<Took> => {
  const took: Array<number> = []
  const json = "content-type: application/json\r\n"
  const post = async (route: string, body: object) =>
    JSON.parse(await connection.post(route, json, [JSON.stringify(body)]))
  if (number % filesInDrop === 0) {
    const started = Promise.withResolvers<string>()
    dropToken = started.promise
    started.resolve((await post("/api/start-drop", { requestId, senderName: "bench" })).dropToken)
  }
  const name = `small-${process.pid}-${number}`
  const input = { dropToken: await dropToken, clientKey: name, type: "Other", fileName: name, fileSize: fileBytes }
  const { uploadForm, uploadUrl } = await timed(took, () => post("/api/drop-file-urls", input))
  const { pathname, search } = new URL(uploadUrl)
  const body = [formText(uploadForm), file, formEnd]
  await timed(took, () => connection.post(pathname + search, `content-type: ${formType}\r\n`, body))
  await timed(took, () => post("/api/insert-drop-file", input))
  return took
}

const byHand = async (connection: Connection, number: number): Promise<Took> => {
  const { userId } = accounts[number % accounts.length]!
  const took: Array<number> = []
  const path = `/files?account=${userId}&name=small-${process.pid}-${number}`
  await timed(took, () => connection.post(path, "content-type: application/octet-stream\r\n", [file]))
  return took
}

const send = { drive: toDrive, drop: toDrop, hand: byHand }[to]

const begin = performance.now()
const from = begin + warmupSeconds * 1_000
const until = from + seconds * 1_000
const measured: Array<Took> = []
let sent = 0
const lane = async () => {
  const connection = new Connection()
  while (performance.now() < until) {
    const took = await send(connection, sent++)
    const now = performance.now()
    if (now >= from && now < until) measured.push(took)
  }
  connection.end()
}
await Promise.all(Array.from({ length: atOnce }, lane))
const requests = measured[0]?.map((_, at) => median(measured.map((took) => took[at]!))) ?? []
ready({ files: sent, perSecond: measured.length / seconds, requestMillis: requests } satisfies SentFiles)
