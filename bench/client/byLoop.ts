/** Files sent by hand: as few requests as there can be, and nothing that goes on after a failure. */
import { createReadStream } from "node:fs"
import { request } from "node:http"
import { pipeline } from "node:stream/promises"
import type { ClientSending } from "../ClientSending.ts"
import { DriveApi, inLanes } from "../DriveApi.ts"

const put = async (url: string, path: string, start: number, size: number): Promise<void> => {
  const sent = request(url, { method: "PUT", headers: { "content-length": size } })
  const answered = new Promise<number>((resolve, reject) => {
    sent.on("response", (response) => resolve(response.resume().statusCode!)).on("error", reject)
  })
  await pipeline(createReadStream(path, { start, end: start + size - 1, highWaterMark: 512 * 1024 }), sent)
  const status = await answered
  if (status !== 200) throw new Error(`A part was answered with ${status}.`)
}

const postForm = async (api: DriveApi, name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
  const { uploadForm, uploadUrl } = await api.call("/generate-file-urls", api.file(name, bytes.length))
  const form = new FormData()
  for (const [field, value] of Object.entries(uploadForm)) form.append(field, value as string)
  form.append("file", new Blob([bytes]))
  const answer = await fetch(uploadUrl, { method: "POST", body: form })
  await answer.arrayBuffer()
  if (!answer.ok) throw new Error(`A form was answered with ${answer.status}.`)
  return api.insert(name, bytes.length)
}

export const byLoop = async (
  { account, atOnce, name, origin, what }: ClientSending
): Promise<ReadonlyArray<string>> => {
  const api = new DriveApi(origin, account)
  if ("path" in what) {
    const { partCount, partSize, signedParts, token } = await api.call(
      "/create-multipart-upload",
      api.file(name, what.bytes)
    )
    await inLanes(
      partCount,
      atOnce,
      (at) => put(signedParts[at].url, what.path, at * partSize, Math.min(partSize, what.bytes - at * partSize))
    )
    await api.call("/complete-multipart-upload", { token })
    return [await api.insert(name, what.bytes)]
  }
  if ("stream" in what) throw new Error("Only the client sends streams here.")
  const bytes = new Uint8Array(what.bytes).fill(102)
  const ids: Array<string> = []
  await inLanes(what.files, atOnce, async (at) => void ids.push(await postForm(api, `${name}-${at}`, bytes)))
  return ids
}
