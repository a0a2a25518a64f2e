/** What a program does with a drive, told as one line of JSON. Runs as it is in Node, Deno and Bun, bundled into one file. */
import { createClient, DriveError } from "@filedrive/client"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import process from "node:process"

const [url, apiToken, directory] = process.argv.slice(2) as [string, string, string]
const client = createClient({ url, apiToken })

const bytes = new Uint8Array(66 * 1024 ** 2).map((_, at) => at % 251)
const path = join(directory, "large.bin")
await writeFile(path, bytes)
await mkdir(join(directory, "photos", "day"), { recursive: true })
const photos = Array.from({ length: 12 }, (_, at) => `${at}.txt`)
for (const name of photos) await writeFile(join(directory, "photos", "day", name), name)

const ending = new AbortController()
const feed = client.events({ kinds: ["file"], since: "2020-01-01T00:00:00.000Z", signal: ending.signal })

const small = await client.upload(new TextEncoder().encode("Hello"), {
  fileName: "small.txt",
  folder: "/In",
  tags: ["a"]
})
let sentBytes = 0
const large = await client.upload(path, { onProgress: (progress) => sentBytes = progress.sentBytes })
const stream = { stream: new Blob([bytes]).stream(), size: bytes.length, name: "stream.bin" }
const streamed = await client.upload(stream)
const queue = client.uploads.queue({ files: 3 })
queue.add([{ directory: join(directory, "photos") }])
const { doneFiles, failures } = await queue.done

await client.downloadTo(large.id, join(directory, "down.bin"))
const down = await readFile(join(directory, "down.bin"))

const seen: Array<string> = []
for await (const event of feed) {
  if (event.kind === "file") seen.push(event.file.fileName)
  if (seen.length === 3 + photos.length) break
}
ending.abort()

const refused = await client.renameFile({ fileId: small.id, fileName: "" }).catch((error: unknown) => error)
const names: Array<string> = []
for await (const { fileName } of client.all("searchFiles", { limit: 5 })) names.push(fileName)

console.log(JSON.stringify({
  small: await (await client.download(small.id)).text(),
  sentBytes,
  streamedBytes: streamed.fileSize,
  isSame: down.length === bytes.length && down.every((byte, at) => byte === bytes[at]),
  doneFiles,
  failures: failures.map(({ error }) => String(error)),
  seen: seen.toSorted(),
  names: names.toSorted(),
  refused: refused instanceof DriveError ? [refused.status, refused.code, refused.field] : String(refused)
}))
