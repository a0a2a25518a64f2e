/** A site on this machine that describes an app, at the address that is the app's id (client id metadata document). */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

export const haveOpenssl = spawnSync("openssl", ["version"]).status === 0

export class AppDocument {
  readonly #directory = mkdtempSync(join(tmpdir(), "filedrive-app-"))
  readonly #server: Server
  /** A file with the certificate, which the drive's process has to trust. */
  readonly certificate = join(this.#directory, "certificate.pem")
  /** The app's redirects; set before a person connects it. */
  redirectUris: ReadonlyArray<string> = []
  asked = 0
  constructor(name: string) {
    const key = join(this.#directory, "key.pem")
    const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    const files = ["-keyout", key, "-out", this.certificate]
    const made = spawnSync("openssl", [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "2",
      ...names,
      ...files
    ])
    if (made.status !== 0) throw new Error(String(made.stderr))
    this.#server = createServer({ key: readFileSync(key), cert: readFileSync(this.certificate) }, (_, response) => {
      this.asked++
      response.setHeader("content-type", "application/json").end(JSON.stringify({
        client_id: this.url,
        client_name: name,
        redirect_uris: this.redirectUris,
        token_endpoint_auth_method: "none"
      }))
    })
  }
  listen(): Promise<void> {
    return new Promise((resolve) => void this.#server.listen(0, "localhost", resolve))
  }
  get host(): string {
    return `localhost:${(this.#server.address() as AddressInfo).port}`
  }
  get url(): string {
    return `https://${this.host}/app.json`
  }
  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
    rmSync(this.#directory, { recursive: true })
  }
}
