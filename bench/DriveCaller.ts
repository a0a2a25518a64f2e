/** A drive in a process of its own, and what a program does with it. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { DriveAccount, DriveServerOptions, Filled, FillingOptions } from "./DriveServerOptions.ts"
import { formEnd, formText, formType } from "./FormBody.ts"
import { type Sent, succeed } from "./RawHttp.ts"
import { type ServerProcess, startServer } from "./ServerProcess.ts"

interface Said {
  readonly origin: string
  readonly session: string
  /** One for each requested account, with the first. */
  readonly accounts: ReadonlyArray<DriveAccount>
}

export interface Form {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Sent
  readonly file: object
}

export class DriveCaller {
  readonly server: ServerProcess<Said>
  readonly userId: string
  readonly fileId: string | null

  constructor(server: ServerProcess<Said>, { fileId, userId }: Filled) {
    this.server = server
    this.userId = userId
    this.fileId = fileId
  }

  get headers() {
    return {
      authorization: `Bearer ${this.server.said.session}`,
      "x-service-app": "filedrive",
      "content-type": "application/json"
    }
  }

  url(route: string): string {
    return `${this.server.said.origin}/api${route}`
  }

  /** Calls a route; its answer must be 200. */
  // oxlint-disable-next-line no-explicit-any
  async call(route: string, body?: object): Promise<any> {
    const init = { method: "POST", headers: this.headers, body: body === undefined ? null : JSON.stringify(body) }
    const answer = await fetch(this.url(route), init)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${route} answered ${answer.status} ${text}`)
    return JSON.parse(text)
  }

  fileInput(name: string, fileSize: number) {
    return { type: "Other", fileName: name, fileSize, objectKey: `users/${this.userId}/${name}` }
  }

  /** The request that sends a file in one piece. */
  async form(name: string, fileBytes: number): Promise<Form> {
    const file = this.fileInput(name, fileBytes)
    const { uploadForm, uploadUrl } = await this.call("/generate-file-urls", file)
    return {
      url: uploadUrl,
      headers: { "content-type": formType },
      body: { before: formText(uploadForm), fileBytes, after: formEnd },
      file
    }
  }

  send({ body, headers, url }: Form) {
    return succeed({ method: "POST", url, headers }, body)
  }

  /** Records what was sent; answers the file's id. */
  async insert({ file }: Form): Promise<string> {
    const creator = { id: this.userId }
    return (await this.call("/insert-file", { ...file, isPublic: false, creator })).id
  }

  async upload(name: string, fileBytes: number): Promise<string> {
    const form = await this.form(name, fileBytes)
    await this.send(form)
    return this.insert(form)
  }
}

/** How a drive is set up; it has no files when nothing else is said. */
export type DriveOptions = Omit<FillingOptions & DriveServerOptions, "files" | "userId"> & { readonly files?: number }

const fill = async (options: FillingOptions): Promise<Filled> => {
  await using filling = await startServer<Filled>("fill", options)
  return filling.said
}

/** Hands a drive to `work`, then stops it. Its database has been made before by another process. */
export const withDrive = async <A>(options: DriveOptions, work: (drive: DriveCaller) => Promise<A>): Promise<A> => {
  const filled = await fill({ files: 0, ...options })
  await using server = await startServer<Said>("drive", { ...options, userId: filled.userId })
  return await work(new DriveCaller(server, filled))
}

/** Hands an empty directory to `work`, then removes it. On the disk of `TMPDIR`. */
export const withDirectory = async <A>(work: (directory: string) => Promise<A>): Promise<A> => {
  const directory = await mkdtemp(join(tmpdir(), "filedrive-bench-"))
  try {
    return await work(directory)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
