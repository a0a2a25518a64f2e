/**
 * A client that costs little and the same whoever serves it: requests are
 * written to a socket as they are, bodies are counted and dropped.
 */
import { connect, type Socket } from "node:net"
import { MiB } from "./Settings.ts"

export interface Target {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
}

/** A body of a length: some text, `fileBytes` bytes of a file, some text. */
export interface Sent {
  readonly before: string
  readonly fileBytes: number
  readonly after: string
}

export interface Received {
  readonly status: number
  readonly headers: string
  readonly bodyBytes: number
  readonly seconds: number
}

const file = Buffer.alloc(MiB, "filedrive ".repeat(97))
const headEnd = Buffer.from("\r\n\r\n")

const headOf = ({ headers, method, url }: Target, bodyBytes: number): string => {
  const { host, pathname, search } = new URL(url)
  const lines = Object.entries({ host, connection: "close", "content-length": String(bodyBytes), ...headers })
  return `${method} ${pathname}${search} HTTP/1.1\r\n${
    lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")
  }\r\n`
}

/** Writes the body at the pace the server takes it. */
const write = (socket: Socket, { after, before, fileBytes }: Sent) => {
  let left = fileBytes
  if (before !== "") socket.write(before)
  const more = () => {
    while (left > 0) {
      const bytes = Math.min(left, file.length)
      left -= bytes
      if (!socket.write(bytes === file.length ? file : file.subarray(0, bytes))) return socket.once("drain", more)
    }
    if (after !== "") socket.write(after)
  }
  more()
}

const nothing: Sent = { before: "", fileBytes: 0, after: "" }

/** Fails when the connection ends before an answer of its stated length. `onBytes` is told of each piece. */
export const request = (
  target: Target,
  sent: Sent = nothing,
  onBytes: (bytes: number) => void = () => {}
): Promise<Received> =>
  new Promise((resolve, reject) => {
    const start = performance.now()
    const { hostname, port } = new URL(target.url)
    let head: Buffer | undefined = Buffer.alloc(0)
    let headers = ""
    let bodyBytes = 0
    let expected = Infinity
    const done = () => {
      const status = Number(headers.split(" ", 2)[1])
      socket.destroy()
      resolve({ status, headers, bodyBytes, seconds: (performance.now() - start) / 1_000 })
    }
    const take = (bytes: number, buffer: Uint8Array): boolean => {
      onBytes(bytes)
      if (head === undefined) bodyBytes += bytes
      else {
        head = Buffer.concat([head, buffer.subarray(0, bytes)])
        const end = head.indexOf(headEnd)
        if (end < 0) return true
        headers = head.toString("latin1", 0, end)
        bodyBytes = head.length - end - headEnd.length
        head = undefined
        expected = /^HTTP\/1.1 204/.test(headers)
          ? 0
          : Number(/\r\ncontent-length: *(\d+)/i.exec(headers)?.[1] ?? Infinity)
      }
      if (bodyBytes >= expected) done()
      return true
    }
    const socket = connect({
      host: hostname,
      port: Number(port),
      onread: { buffer: Buffer.alloc(MiB), callback: take }
    })
    socket.once("error", reject)
    socket.once("close", () => {
      if (head === undefined && expected === Infinity) done()
      else reject(new Error(`The answer was cut off: ${headers || "nothing came"}`))
    })
    socket.write(headOf(target, sent.before.length + sent.fileBytes + sent.after.length))
    write(socket, sent)
  })

/** {@link request}, which must be answered with 2xx. */
export const succeed = async (...args: Parameters<typeof request>): Promise<Received> => {
  const answer = await request(...args)
  if (answer.status < 200 || answer.status > 299) throw new Error(`${args[0].url} answered ${answer.headers}`)
  return answer
}
