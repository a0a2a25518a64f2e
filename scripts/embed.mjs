// What a host writes, run against the packed packages in a project of its own: every byte comes back, from the embedded drive.
import { createDrive, serve } from "@filedrive/adapter-node"
import assert from "node:assert/strict"

const drive = createDrive({ dataDirectory: process.argv[2] })
const server = await serve(drive, { port: 0 })
const { userId } = await drive.accounts.create({ handle: "ada" })
const ada = drive.api.as(userId)

const bytes = Buffer.from("Hello, drive.\n")
const file = { type: "Text", fileName: "hello.txt", fileSize: bytes.length, objectKey: `users/${userId}/hello.txt`, mimeType: "text/plain" }
const { uploadForm, uploadUrl } = await ada.uploads.createForm(file)
const form = new FormData()
for (const [name, value] of Object.entries(uploadForm)) form.set(name, value)
form.set("file", new Blob([bytes]))
const posted = await fetch(uploadUrl, { method: "POST", body: form })
assert.ok(posted.ok, await posted.text())
const id = await ada.uploads.insert({ ...file, isPublic: false, creator: { id: userId } })
const { downloadUrl } = await ada.files.link(id)
assert.equal(await (await fetch(downloadUrl)).text(), bytes.toString())

await server.stop()
await drive.close()
console.log("embedded: a file went in and came back")
