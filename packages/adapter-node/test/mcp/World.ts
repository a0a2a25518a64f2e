/** A place of a drive with one of everything that a tool can name: its files, lists, links and work, all called by one word. */
import type { DriveUser, MemoryDrive } from "@filedrive/testing"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"

export interface Place {
  /** Part of every name and text there. */
  readonly word: string
  readonly path: string
  readonly folderId: string
  readonly subfolderId: string
  readonly text: string
  readonly image: string
  readonly track: string
  readonly video: string
  readonly trashed: string
  readonly tagId: string
  readonly playlistId: string
  readonly galleryId: string
  readonly requestId: string
  readonly dropId: string
  readonly reviewId: string
  readonly noteId: string
  readonly importId: string
  readonly generationId: string
  readonly archiveId: string
}

export interface World {
  readonly user: DriveUser
  readonly friend: DriveUser
  readonly friendHandle: string
  readonly filesUrl: string
  readonly inside: Place
  readonly outside: Place
  /** The same place, with files that another user has shared with the account. */
  readonly foreign: Place
}

let worlds = 0

/** How files of a kind begin: the drive looks at the bytes. */
const heads = {
  Text: "",
  Image: "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0",
  Audio: "ID3\x03\0\0\0\0\0\0",
  Video: "\0\0\0\x18ftypmp42\0\0\0\0mp42isom"
} as const

/** A server that gives a small file, whatever it is asked for: without one imports would wait for an answer. */
export class FileServer {
  readonly #server: Server = createServer((_, response) => response.setHeader("content-type", "text/plain").end("file"))
  listen(): Promise<void> {
    return new Promise((resolve) => void this.#server.listen(0, "127.0.0.1", resolve))
  }
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }
  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}

const extensions = { Text: "txt", Image: "png", Audio: "mp3", Video: "mp4" } as const

type Kind = keyof typeof heads

/** A file of each kind. */
const filesOf = async (
  user: DriveUser,
  word: string,
  kinds: ReadonlyArray<Kind> = ["Text", "Image", "Audio", "Video"]
): Promise<ReadonlyArray<string>> => {
  const ids: Array<string> = []
  for (const type of kinds) {
    const bytes = Uint8Array.from(Buffer.from(`${heads[type]}${word} content`, "latin1"))
    ids.push(await user.upload({ fileName: `${word}.${extensions[type]}`, type, bytes }))
  }
  return ids
}

/** Files of a user that another one may open. */
const shared = async (owner: DriveUser, reader: DriveUser, word: string) => {
  const fileIds = await filesOf(owner, word)
  await owner.ok("/share-files", { fileIds, userIds: [reader.userId] })
  return fileIds
}

/** A call through a public link. */
const byAnyone = async (user: DriveUser, route: string, body: object) => {
  const headers = { "content-type": "application/json" }
  return (await user.raw(route, { headers, body: JSON.stringify(body) })).body
}

/** Delivers one file to a request, as a sender does. */
const delivered = async (user: DriveUser, requestId: string, word: string): Promise<string> => {
  const { dropId, dropToken } = await byAnyone(user, "/start-drop", { requestId, senderName: `${word} sender` })
  const bytes = Uint8Array.from(Buffer.from(`${word} delivery`))
  const fileName = `${word} delivery.txt`
  const file = {
    dropToken,
    clientKey: fileName,
    type: "Text",
    fileName,
    fileSize: bytes.length,
    mimeType: "text/plain"
  }
  await user.sendForm(await byAnyone(user, "/drop-file-urls", file), bytes)
  await byAnyone(user, "/insert-drop-file", file)
  await byAnyone(user, "/finish-drop", { dropToken })
  return dropId
}

const place = async (filesUrl: string, user: DriveUser, friend: DriveUser, word: string): Promise<Place> => {
  const path = `/${word}`
  const { id: folderId } = await user.ok("/create-folder", { path })
  const { id: subfolderId } = await user.ok("/create-folder", { path: `${path}/${word} within` })
  const [text, image, track, video] = await filesOf(user, word)
  const [trashed] = await filesOf(user, `${word} trash`, ["Text"])
  const fileIds = [text!, image!, track!, video!, trashed!]
  await user.ok("/move-files", { fileIds, folderId })
  await user.ok("/update-file-description", { fileId: text!, description: `${word} description` })
  await user.ok("/tag-files", { fileIds, tags: [`${word} tag`] })
  const { tags } = await user.ok("/select-collections")
  await user.ok("/trash-files", [{ id: trashed! }])
  const { id: playlistId } = await user.ok("/create-playlist", { title: `${word} playlist`, fileIds: [track!] })
  const { id: galleryId } = await user.ok("/create-gallery", { title: `${word} gallery`, fileIds: [image!] })
  const { id: requestId } = await user.ok("/create-file-request", { title: `${word} request`, folderId })
  const dropId = await delivered(user, requestId, word)
  const { id: reviewId } = await user.ok("/create-file-review", { fileId: video!, message: `${word} review` })
  const note = await byAnyone(user, "/leave-review-note", {
    reviewId,
    reviewer: `${word} reviewer`,
    seconds: null,
    text: `${word} note`
  })
  const url = `${filesUrl}/${word}.bin`
  const { id: importId } = await user.ok("/import-from-url", { url, folderId })
  const { id: generationId } = await user.ok("/generate-image", { prompt: `a ${word}`, folderId })
  const { id: archiveId } = await user.ok("/create-archive-request", { fileIds: [text!], title: `${word} archive` })
  await user.ok("/share-files", { fileIds: [text!], userIds: [friend.userId] })
  await friend.ok("/generate-download-url", { id: text! })
  return {
    word,
    path,
    folderId,
    subfolderId,
    text: text!,
    image: image!,
    track: track!,
    video: video!,
    trashed: trashed!,
    tagId: tags.find((tag) => tag.text === `${word} tag`)!.id,
    playlistId,
    galleryId,
    requestId,
    dropId,
    reviewId,
    noteId: note.id,
    importId,
    generationId,
    archiveId
  }
}

/** A new user with two places. */
export const makeWorld = async (drive: MemoryDrive, filesUrl: string): Promise<World> => {
  const user = await drive.user({ plan: "pro" })
  const friendHandle = `friend${++worlds}`
  const friend = await drive.user({ handle: friendHandle })
  const inside = await place(filesUrl, user, friend, "badger")
  const outside = await place(filesUrl, user, friend, "zebra")
  const [text, image, track, video] = await shared(friend, user, "zebra foreign")
  const foreign = { ...outside, text: text!, image: image!, track: track!, video: video! }
  await drive.runJobs()
  return { user, friend, friendHandle, filesUrl, inside, outside, foreign }
}

/** Everything of the account that has an id, as its owner sees it. */
export const itemsOf = async ({ inside, outside, user }: World): Promise<ReadonlyMap<string, unknown>> => {
  const fileIds = [inside, outside].flatMap(({ image, text, track, video }) => [text, image, track, video])
  const state = await Promise.all([
    user.ok("/select-user-files"),
    user.ok("/select-trashed-files"),
    user.ok("/select-collections"),
    user.ok("/select-file-requests", {}),
    user.ok("/select-file-reviews", {}),
    user.ok("/select-imports", {}),
    user.ok("/select-archives", {}),
    user.ok("/select-generation-history", {}),
    user.ok("/select-shares", { fileIds }),
    ...[inside, outside].flatMap(({ galleryId, playlistId, reviewId }) => [
      user.call("/select-playlist", { playlistId }),
      user.call("/select-gallery", { galleryId }),
      user.call("/export-review-notes", { reviewId, format: "csv" })
    ]),
    ...fileIds.map(async (id) => ({ id: `shares ${id}`, shares: await user.call("/select-shares", { fileIds: [id] }) }))
  ])
  const items = new Map<string, unknown>()
  const walk = (value: unknown, at: string) => {
    if (Array.isArray(value)) return value.forEach((one) => walk(one, at))
    if (typeof value !== "object" || value === null) return
    if ("id" in value) items.set(`${at} ${String(value.id)}`, value)
    for (const [name, one] of Object.entries(value)) walk(one, `${at}.${name}`)
  }
  state.forEach((one, at) => walk(one, String(at)))
  return items
}
