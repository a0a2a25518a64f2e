/** Asks one route over and over on 32 connections: by `wrk` where it is installed, which costs least. */
import { execFile } from "node:child_process"
import { writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { join } from "node:path"
import { promisify } from "node:util"
import { withDirectory } from "./DriveCaller.ts"

export interface Asking {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly seconds: number
}

interface Answered {
  readonly requests: number
  readonly seconds: number
}

const connections = 32

const byWrk = (url: string, { body, headers, seconds }: Asking): Promise<Answered> =>
  withDirectory(async (directory) => {
    const script = join(directory, "request.lua")
    const lines = Object.entries(headers).map(([name, value]) =>
      `wrk.headers[${JSON.stringify(name)}] = ${JSON.stringify(value)}`
    )
    await writeFile(script, ["wrk.method = \"POST\"", `wrk.body = ${JSON.stringify(body)}`, ...lines].join("\n"))
    const { stdout } = await promisify(execFile)("wrk", ["-t1", `-c${connections}`, `-d${seconds}s`, "-s", script, url])
    if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${url} did not answer every request well:\n${stdout}`)
    const [, requests, took] = /(\d+) requests in ([\d.]+)s/.exec(stdout)!
    return { requests: Number(requests), seconds: Number(took) }
  })

/** Each connection sends its next request when the last one is answered. */
const bySockets = async (url: string, { body, headers, seconds }: Asking): Promise<Answered> => {
  const { host, hostname, pathname, port } = new URL(url)
  const lines = Object.entries({ host, ...headers, "content-length": String(Buffer.byteLength(body)) })
  const text = `POST ${pathname} HTTP/1.1\r\n${
    lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")
  }\r\n${body}`
  const start = performance.now()
  const end = start + seconds * 1_000
  let requests = 0
  const one = () =>
    new Promise<void>((resolve, reject) => {
      let answer = ""
      const socket = connect(Number(port), hostname, () => socket.write(text)).setEncoding("latin1").setNoDelay()
      socket.once("error", reject)
      socket.on("data", (data: string) => {
        answer += data
        const head = answer.indexOf("\r\n\r\n")
        const length = /\r\ncontent-length: (\d+)/i.exec(answer)?.[1]
        if (head < 0 || length === undefined || answer.length < head + 4 + Number(length)) return
        if (!answer.startsWith("HTTP/1.1 200")) return reject(new Error(`${url} answered ${answer.slice(0, head)}`))
        answer = ""
        requests++
        if (performance.now() < end) return socket.write(text)
        socket.destroy()
        resolve()
      })
    })
  await Promise.all(Array.from({ length: connections }, one))
  return { requests, seconds: (performance.now() - start) / 1_000 }
}

const hasWrk = promisify(execFile)("wrk", ["-v"]).then(
  () => true,
  (error: NodeJS.ErrnoException) => error.code !== "ENOENT"
)

/** Fails when one request is not answered with 2xx. */
export const load = async (url: string, asking: Asking): Promise<Answered> =>
  await hasWrk ? byWrk(url, asking) : bySockets(url, asking)
