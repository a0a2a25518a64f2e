// What a host writes, run against the packed packages in a project of its own: every byte comes back, from the embedded drive, and a link has its page.
import { createDrive, serve } from "@filedrive/adapter-node"
import assert from "node:assert/strict"

const drive = createDrive({ dataDirectory: process.argv[2] })
const server = await serve(drive, { port: 0 })
const { userId } = await drive.accounts.create({ handle: "ada" })
const ada = drive.as(userId)

const bytes = Buffer.from("Hello, drive.\n")
const { id } = await ada.files.put(bytes, { fileName: "hello.txt" })
const { downloadUrl } = await ada.generateDownloadUrl({ id })
assert.equal(await (await fetch(downloadUrl)).text(), bytes.toString())
assert.equal(await new Response((await ada.files.get(id)).stream).text(), bytes.toString())

// The page of a link comes with the packages, built.
const request = await ada.createFileRequest({ title: "Photos" })
const page = await (await fetch(`${drive.urls.site}/requests/${request.id}`)).text()
const [, script] = /<script type="module" src="([^"]+)"/.exec(page)
assert.equal((await fetch(new URL(script, drive.urls.site))).status, 200)

await server.stop()
await drive.close()
console.log("embedded: a file went in and came back, and a link has its page")
