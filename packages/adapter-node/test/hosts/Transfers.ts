/** What a client does with a drive behind a host's middleware: what it sends and receives must be what it is without. */
import type { DriveClient } from "@filedrive/testing"
import { readdirSync, readlinkSync } from "node:fs"
import { get } from "node:http"
import { assert } from "vitest"

const content = (length: number): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, at) => (at * 7 + (at >> 8)) % 251)

/** Descriptors of files below `directory` that this process has open. */
const openFiles = (directory: string): ReadonlyArray<string> =>
  readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`)
      return path.startsWith(directory) ? [path] : []
    } catch {
      return []
    }
  })

const turn = () => new Promise((resolve) => setImmediate(resolve))

const sizes = { packed: 5_000, large: 3_000_000 }

/** Sends a file in two parts by signed URLs. */
const uploadParts = async (client: DriveClient, bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
  const input = { ...await client.describe({ fileName: "parts.bin", bytes }), partSize: 5 * 1024 * 1024 }
  const { signedParts, token } = await client.ok("/create-multipart-upload", input)
  let at = 0
  for (const { size, url } of signedParts) {
    const answer = await fetch(url, { method: "PUT", body: bytes.subarray(at, at += size) })
    assert.strictEqual(answer.status, 200)
    await answer.arrayBuffer()
  }
  await client.ok("/complete-multipart-upload", { token })
  return client.insert(input)
}

const checkFile = async (client: DriveClient, id: string, bytes: Uint8Array) => {
  const { downloadUrl } = await client.ok("/generate-download-url", { id })
  const ask = async (headers: Readonly<Record<string, string>> = {}, method = "GET") => {
    const answer = await fetch(downloadUrl!, { method, headers: { "accept-encoding": "gzip, br", ...headers } })
    return { answer, got: new Uint8Array(await answer.arrayBuffer()) }
  }
  const { answer, got } = await ask()
  assert.strictEqual(answer.status, 200)
  assert.deepStrictEqual(
    ["content-encoding", "content-length", "cross-origin-resource-policy", "content-security-policy"]
      .map((name) => answer.headers.get(name)),
    [null, String(bytes.length), "cross-origin", "sandbox; default-src 'none'"]
  )
  assert.strictEqual(answer.headers.get("access-control-allow-origin"), "*")
  assert.match(answer.headers.get("cache-control") ?? "", /no-transform/)
  assert.isTrue(Buffer.from(got).equals(bytes))
  const part = await ask({ range: "bytes=100-1999" })
  assert.deepStrictEqual(
    [part.answer.status, part.answer.headers.get("content-range"), part.answer.headers.get("content-length")],
    [206, `bytes 100-1999/${bytes.length}`, "1900"]
  )
  assert.isTrue(Buffer.from(part.got).equals(bytes.subarray(100, 2_000)))
  const head = await ask({}, "HEAD")
  assert.deepStrictEqual([head.answer.status, head.answer.headers.get("content-length")], [200, String(bytes.length)])
  const known = await ask({ "if-none-match": answer.headers.get("etag") ?? "" })
  assert.deepStrictEqual([known.answer.status, known.got.length], [304, 0])
}

/** Waits until no file below `directory` is open; where the machine can't tell, it doesn't wait. */
export const allClosed = async (directory: string) => {
  if (process.platform !== "linux") return
  for (let turns = 0; openFiles(directory).length > 0; turns++) {
    assert.isBelow(turns, 100_000, "a file is still open")
    await turn()
  }
}

/** Reads the beginning of a file and goes away. */
const abandon = async (client: DriveClient, id: string, directory: string) => {
  const { downloadUrl } = await client.ok("/generate-download-url", { id })
  await new Promise<void>((resolve, reject) => {
    get(downloadUrl!, { headers: { "accept-encoding": "gzip" } }, (response) => {
      response.once("data", () => {
        response.destroy()
        resolve()
      })
    }).on("error", reject)
  })
  await allClosed(directory)
}

/** The feed says at once what has happened, and then what happens. */
const follow = async (client: DriveClient) => {
  const { gelToken } = await client.session()
  const ending = new AbortController()
  const response = await fetch(`${client.url}/api/drive-events?kinds=file`, {
    signal: ending.signal,
    headers: { authorization: `Bearer ${gelToken}`, "x-service-app": client.appId, "accept-encoding": "gzip" }
  })
  assert.include(response.headers.get("content-type") ?? "", "text/event-stream")
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ""
  const until = async (fileName: string) => {
    while (!text.includes(fileName)) {
      const { done, value = "" } = await reader.read()
      assert.isFalse(done)
      text += value
    }
  }
  await until("packed.bin")
  await client.upload({ fileName: "later.bin", bytes: content(10) })
  await until("later.bin")
  ending.abort()
}

/** `directory` is the drive's. */
export const checkTransfers = async (client: DriveClient, directory: string) => {
  const ids: Array<string> = []
  for (const [name, length] of Object.entries(sizes)) {
    ids.push(await client.upload({ fileName: `${name}.bin`, bytes: content(length), mimeType: "text/plain" }))
  }
  ids.push(await uploadParts(client, content(sizes.large)))
  for (const [at, id] of ids.entries()) await checkFile(client, id, content(at === 0 ? sizes.packed : sizes.large))
  const listed = await client.call("/select-user-files", {})
  assert.strictEqual(listed.headers.get("content-type"), "application/json")
  assert.strictEqual(listed.headers.get("cache-control"), "no-store")
  assert.strictEqual(listed.body.length, ids.length)
  const page = await fetch(`${client.url}/api/docs`)
  assert.include(page.headers.get("content-type") ?? "", "text/html")
  assert.notInclude(page.headers.get("content-security-policy") ?? "", "upgrade-insecure-requests")
  assert.include(await page.text(), "</html>")
  await abandon(client, ids[1]!, directory)
  await follow(client)
}
