/** A file fetched from the disk store by its signed link, against `createReadStream` piped, and nginx. */
import { existsSync } from "node:fs"
import { mkdir, truncate, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { delimiter, join } from "node:path"
import { withDirectory, withDrive } from "../DriveCaller.ts"
import { request, succeed } from "../RawHttp.ts"
import { interleave } from "../Rounds.ts"
import { startProgram, startServer } from "../ServerProcess.ts"
import { fileBytes, MiB, transferRounds } from "../Settings.ts"
import { atLeast, atMost, type Outcome } from "../Table.ts"
import { cpuRatio, describe, speedRatio, transfer } from "./transfers.ts"

const freePort = () =>
  new Promise<number>((resolve, reject) => {
    const server = createServer().once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { readonly port: number }
      server.close(() => resolve(port))
    })
  })

const findProgram = (name: string) =>
  [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"].map((path) => join(path, name)).find(existsSync)

/** One server as nginx comes, and one with sendfile, which no program on Node can do. */
const nginxConfiguration = (directory: string, port: number, sendfilePort: number) => `
  daemon off; master_process off; pid ${directory}/nginx.pid; error_log stderr crit;
  ${process.getuid?.() === 0 ? "user root;" : ""}
  events {}
  http {
    access_log off; root ${directory};
    client_body_temp_path ${directory}/temporary; proxy_temp_path ${directory}/temporary;
    fastcgi_temp_path ${directory}/temporary; uwsgi_temp_path ${directory}/temporary;
    scgi_temp_path ${directory}/temporary;
    server { listen 127.0.0.1:${port}; }
    server { listen 127.0.0.1:${sendfilePort}; sendfile on; tcp_nopush on; }
  }
`

/** One process of nginx that serves `directory`, or undefined where nginx isn't installed. */
const startNginx = async (directory: string) => {
  const nginx = findProgram("nginx")
  if (nginx === undefined) return undefined
  const [port, sendfilePort] = [await freePort(), await freePort()]
  await mkdir(join(directory, "temporary"), { recursive: true })
  const configuration = join(directory, "nginx.conf")
  await writeFile(configuration, nginxConfiguration(directory, port, sendfilePort))
  const server = await startProgram(nginx, ["-e", "stderr", "-c", configuration, "-p", directory], port)
  const url = (port: number) => `http://127.0.0.1:${port}/file`
  return { server, url: url(port), sendfileUrl: url(sendfilePort), [Symbol.asyncDispose]: () => server.stop() }
}

const whole = async (url: string, headers: Readonly<Record<string, string>> = {}) => {
  const answer = await succeed({ method: "GET", url, headers })
  if (answer.bodyBytes !== fileBytes) throw new Error(`${url} sent ${answer.bodyBytes} bytes.`)
  return answer
}

export const download = (): Promise<ReadonlyArray<Outcome>> =>
  withDirectory(async (directory) => {
    await writeFile(join(directory, "file"), "")
    await truncate(join(directory, "file"), fileBytes)
    const size = { "x-size": String(fileBytes) }
    await using piped = await startServer<{ readonly origin: string }>("bare", { directory })
    await using nginx = await startNginx(directory)
    return await withDrive({ dataDirectory: join(directory, "drive") }, async (drive) => {
      const id = await drive.upload("file", fileBytes)
      const { downloadUrl } = await drive.call("/generate-download-url", { id })
      const refused = await request({ method: "GET", url: downloadUrl.replace(/.$/, ""), headers: {} })
      if (refused.status !== 403) throw new Error("A link with a wrong signature was answered.")
      const fromNginx = (url: string | undefined) =>
        nginx === undefined || url === undefined
          ? { cpuPerGB: Number.NaN, megabytesPerSecond: Number.NaN }
          : transfer(nginx.server, fileBytes, () => whole(url))
      const measured = await interleave(transferRounds, {
        drive: () => transfer(drive.server, fileBytes, () => whole(downloadUrl)),
        piped: () => transfer(piped, fileBytes, () => whole(`${piped.said.origin}/file`, size)),
        nginx: () => fromNginx(nginx?.url),
        sendfile: () => fromNginx(nginx?.sendfileUrl)
      })
      const what = `download of ${fileBytes / MiB} MiB`
      const own = describe(measured.drive)
      const against = `createReadStream piped: ${describe(measured.piped)}`
      return [
        atLeast(2, { what: `${what}, speed`, own, against, factor: speedRatio(measured.drive, measured.piped) }),
        atLeast(2, { what: `${what}, CPU`, own, against, factor: cpuRatio(measured.piped, measured.drive) }),
        ...nginx === undefined
          ? [{ what: `${what}, speed of nginx`, because: "nginx is not installed" }]
          : [
            atMost(1.2, {
              what: `${what}, nginx faster by`,
              own,
              against: `nginx as it comes: ${describe(measured.nginx)}`,
              factor: speedRatio(measured.nginx, measured.drive)
            }),
            atMost(1.2, {
              what: `${what}, nginx faster by`,
              own,
              against: `nginx with sendfile: ${describe(measured.sendfile)}`,
              factor: speedRatio(measured.sendfile, measured.drive)
            })
          ]
      ]
    })
  })
