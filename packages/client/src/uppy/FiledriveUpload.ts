/** An uploader for Uppy. It sends by the client's own uploads, so that files go by form or parts, and go on, as they do without Uppy. */
import { BasePlugin, type Body, type Meta, type Uppy, type UppyFile } from "@uppy/core"
import type { Uploader } from "../Client.ts"
import { failure } from "../DriveError.ts"
import { knownOnly } from "../knownOnly.ts"
import { randomText } from "../upload/Record.ts"
import type { Progress, Upload, UploadOptions } from "../upload/Upload.ts"

/** What may differ from file to file. */
type FileOptions = Pick<UploadOptions, "type" | "folder" | "folderId" | "tags" | "description">

export interface FiledriveUploadOptions<M extends Meta, B extends Body> extends FileOptions {
  readonly id?: string
  /** A client, or a delivery to a file request. */
  readonly client: Uploader
  /** Files that are sent at once. Default 4. */
  readonly files?: number
  /** Parts of a file that are sent at once. Default 4. */
  readonly parallel?: number
  /** Options of one file, by its metadata say. */
  readonly optionsOf?: (file: UppyFile<M, B>) => FileOptions
}

/** Kept in Uppy's state of a file, which plugins restore after a reload: by the same key an upload goes on. */
interface Keyed {
  readonly filedriveKey?: string
}

/** The folder of a file that came with a directory. */
const folderOf = (base: string | undefined, path: unknown): string | undefined => {
  const directory = typeof path === "string" ? path.split("/").slice(0, -1).filter((name) => name !== "").join("/") : ""
  return directory === "" ? base : `${(base ?? "").replace(/\/$/, "")}/${directory}`
}

export class FiledriveUpload<M extends Meta = Meta, B extends Body = Body>
  extends BasePlugin<FiledriveUploadOptions<M, B>, M, B>
{
  /** Those under way, and those that have failed: removed, these give their bytes back too. */
  readonly #running = new Map<string, Upload>()
  /** Of files that wait for others. */
  readonly #waiting: Array<() => void> = []
  #lanes = 0

  constructor(uppy: Uppy<M, B>, options: FiledriveUploadOptions<M, B>) {
    super(uppy, options)
    knownOnly(options, {
      id: 1,
      client: 1,
      type: 1,
      folder: 1,
      folderId: 1,
      tags: 1,
      description: 1,
      files: 1,
      parallel: 1,
      optionsOf: 1
    })
    if (!((options.files ?? 4) >= 1)) throw failure("invalid_option", "files must be a number from 1.")
    this.id = options.id ?? "FiledriveUpload"
    this.type = "uploader"
  }

  override install(): void {
    const { uppy } = this
    uppy.setState({ capabilities: { ...uppy.getState().capabilities, resumableUploads: true } })
    uppy.addUploader(this.#upload)
    uppy.on("file-removed", this.#cancel)
    uppy.on("upload-pause", this.#hold)
    uppy.on("pause-all", this.#holdAll)
    uppy.on("resume-all", this.#holdAll)
  }

  override uninstall(): void {
    const { uppy } = this
    uppy.setState({ capabilities: { ...uppy.getState().capabilities, resumableUploads: false } })
    uppy.removeUploader(this.#upload)
    uppy.off("file-removed", this.#cancel)
    uppy.off("upload-pause", this.#hold)
    uppy.off("pause-all", this.#holdAll)
    uppy.off("resume-all", this.#holdAll)
    // What has failed may be restored.
    for (const upload of this.#running.values()) if (upload.state !== "failed") void upload.cancel()
  }

  readonly #cancel = ({ id }: { readonly id: string }): void => {
    void this.#running.get(id)?.cancel()
    this.#running.delete(id)
  }

  readonly #hold = (file: UppyFile<M, B> | undefined, isPaused: boolean): void => {
    const upload = file && this.#running.get(file.id)
    if (isPaused) upload?.pause()
    else upload?.resume()
  }

  readonly #holdAll = (): void => {
    for (const id of this.#running.keys()) {
      const file = this.uppy.getFile(id) as UppyFile<M, B> | undefined
      this.#hold(file, file?.isPaused === true)
    }
  }

  readonly #upload = async (ids: Array<string>): Promise<void> => {
    const files = this.uppy.getFilesByIds(ids).filter(({ error, progress }) => !error && !progress.uploadComplete)
    // One that a plugin has restored was announced before the reload.
    this.uppy.emit("upload-start", files.filter(({ isRestored, progress }) => !progress.uploadStarted || !isRestored))
    await Promise.all(files.map(({ id }) => this.#inLane(() => this.#one(id))))
  }

  async #inLane(run: () => Promise<void>): Promise<void> {
    if (this.#lanes >= (this.opts.files ?? 4)) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    else this.#lanes++
    try {
      await run()
    } finally {
      // The next one takes the lane over.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#lanes--
    }
  }

  /** Uploads a file; what becomes of it Uppy is told. */
  async #one(id: string): Promise<void> {
    const { uppy } = this
    const file = uppy.getFile(id) as UppyFile<M, B> | undefined
    // Removed while it waited.
    if (file === undefined) return
    // Shown from the beginning: a dashboard has no buttons for a file without progress.
    if (file.progress.percentage === undefined) this.#tell(file, 0, file.size ?? 0)
    let upload: Upload | undefined
    try {
      upload = this.#begin(file)
      this.#running.set(id, upload)
      if (file.isPaused === true) upload.pause()
      const { fileSize, id: fileId } = await upload
      this.#tell(file, fileSize, fileSize)
      uppy.emit("upload-success", uppy.getFile(id), { status: 200, body: { id: fileId } as unknown as B })
    } catch (error) {
      if (upload?.state === "cancelled") return
      uppy.emit("upload-error", uppy.getFile(id) ?? file, error as Error)
    } finally {
      // Removed and chosen again, it is another upload by now.
      if (this.#running.get(id) === upload && upload?.state !== "failed") this.#running.delete(id)
    }
  }

  #begin(file: UppyFile<M, B>): Upload {
    const { client, description, folder, folderId, optionsOf, parallel, tags, type } = this.opts
    if (file.isRemote || !(file.data instanceof Blob)) {
      throw failure("source_unreadable", `${file.name} is not on this device.`)
    }
    const key = (file as Keyed).filedriveKey ?? `uploads/${randomText()}`
    this.uppy.setFileState(file.id, { filedriveKey: key } as object)
    const shared = { description, folder: folderOf(folder, file.meta.relativePath), folderId, tags, type }
    return client.upload(file.data, {
      // An option that is undefined is one that is not given.
      ...{ ...shared, ...optionsOf?.(file), parallel } as UploadOptions,
      key,
      fileName: file.meta.name,
      ...file.type && { mimeType: file.type },
      onProgress: ({ sentBytes, totalBytes }: Progress) => this.#tell(file, sentBytes, totalBytes)
    })
  }

  #tell({ id }: UppyFile<M, B>, bytesUploaded: number, bytesTotal: number): void {
    const file = this.uppy.getFile(id) as UppyFile<M, B> | undefined
    if (file === undefined) return
    const uploadStarted = file.progress.uploadStarted ?? Date.now()
    this.uppy.emit("upload-progress", file, { uploadStarted, bytesUploaded, bytesTotal })
  }
}
