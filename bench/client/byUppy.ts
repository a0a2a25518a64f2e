/** Files sent by `@uppy/aws-s3`, without a page: the drive signs what it sends, and its answers are put as S3 would. */
import { openAsBlob } from "node:fs"
import type { ClientSending } from "../ClientSending.ts"
import { DriveApi } from "../DriveApi.ts"
import { NodeXhr } from "./NodeXhr.ts"

Object.assign(globalThis, { XMLHttpRequest: NodeXhr })

const answer = (root: string, fields: Readonly<Record<string, string>>) => {
  const inside = Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`).join("")
  return { url: `data:text/xml,${encodeURIComponent(`<${root}>${inside}</${root}>`)}` }
}

export const byUppy = async (
  { account, atOnce, name, origin, what }: ClientSending
): Promise<ReadonlyArray<string>> => {
  if ("stream" in what) throw new Error("Only the client sends streams here.")
  const [{ default: Uppy }, { default: AwsS3 }] = await Promise.all([import("@uppy/core"), import("@uppy/aws-s3")])
  const api = new DriveApi(origin, account)
  const inParts = "path" in what
  const parts = new Map<number, string>()
  const uppy = new Uppy()
  uppy.use(AwsS3, {
    limit: atOnce,
    shouldUseMultipart: inParts,
    // As the drive has planned it.
    getChunkSize: () => 64 * 1024 ** 2,
    generateObjectKey: (file) => file.name!,
    signRequest: async (request) => {
      const { key } = request
      if ("partNumber" in request) return { url: parts.get(request.partNumber)! }
      if (request.method === "POST" && !("uploadId" in request)) {
        const { signedParts, token } = await api.call("/create-multipart-upload", api.file(key, what.bytes))
        for (const signed of signedParts) parts.set(signed.partNumber, signed.url)
        return answer("InitiateMultipartUploadResult", { UploadId: token })
      }
      if ("uploadId" in request) {
        await api.call("/complete-multipart-upload", { token: request.uploadId })
        return answer("CompleteMultipartUploadResult", { Location: origin, Key: key })
      }
      const { uploadForm, uploadUrl } = await api.call("/generate-file-urls", api.file(key, what.bytes))
      return { url: uploadUrl, fields: uploadForm }
    }
  })
  const inserted: Array<Promise<string>> = []
  uppy.on("upload-success", (file) => inserted.push(api.insert(file!.name!, what.bytes)))
  const bytes = inParts ? await openAsBlob(what.path) : new Blob([new Uint8Array(what.bytes).fill(102)])
  const names = inParts ? [name] : Array.from({ length: what.files }, (_, at) => `${name}-${at}`)
  uppy.addFiles(names.map((name) => ({ name, type: "application/octet-stream", data: bytes })))
  const result = await uppy.upload()
  if (result?.successful?.length !== names.length) {
    throw new Error(`Uppy did not send all files: ${result?.failed?.[0]?.error}`)
  }
  return Promise.all(inserted)
}
