/** Links to the bytes of files: each works for hours, and tells the drive that its delivery was looked at. */
import { act } from "../owner/act.ts"
import type { DroppedFile, Requests } from "./requests.ts"

/** Null where the file has gone meanwhile, which is said. */
export const linkOf = async ({ changed, client, reload }: Requests, { id }: DroppedFile): Promise<string | null> => {
  let link: string | null = null
  await act(async () => {
    link = (await client.generateDownloadUrl({ id })).downloadUrl
  }, () => {
    changed()
    void reload()
  })
  return link
}

/** Has the browser save a file. Storage sends each as an attachment, so the page stays. */
export const saveFile = async (requests: Requests, file: DroppedFile): Promise<void> => {
  const link = await linkOf(requests, file)
  if (link === null) return
  const anchor = document.createElement("a")
  anchor.href = link
  anchor.download = file.fileName
  anchor.rel = "noopener noreferrer"
  anchor.click()
}
