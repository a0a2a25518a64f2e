/** A drive in memory with files on it, and a planner that works on it as the agent does: for tests of whole conversations. */
import { Api, type Operations } from "@filedrive/core"
import { type MemoryDrive, memoryDrive } from "@filedrive/testing"
import { DateTime } from "effect"
import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import * as Consent from "../../core/src/agent/Consent.ts"
import { consentKind } from "../../core/src/agent/DriveTools.ts"
import * as Operation from "../../core/src/http/Operation.ts"
import type { TaskRun } from "../../core/src/tasks/TaskRun.ts"
import type { Decision, MadeCall, Part, ToolFailure, Turn } from "../src/index.ts"
import { Planner } from "../src/index.ts"

/** A file on the drive at the beginning. With `text` it is uploaded, and can be read. */
export interface Seed {
  readonly name: string
  readonly folder?: string
  readonly tags?: ReadonlyArray<string>
  readonly size?: number
  /** When it came, ISO 8601. Default: 2026-03-10. */
  readonly time?: string
  readonly description?: string
  readonly media?: Readonly<Record<string, unknown>>
  readonly text?: string
  /** It is uploaded, so it has bytes that can be made public. */
  readonly isReal?: boolean
}

const heads: ReadonlyArray<readonly [extensions: RegExp, bytes: ReadonlyArray<number>]> = [
  [/\.png$/i, [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82]],
  [/\.jpe?g$/i, [255, 216, 255, 224, 0, 16, 74, 70, 73, 70, 0, 1]],
  [/\.pdf$/i, [37, 80, 68, 70, 45, 49, 46, 55, 10]]
]

/** Bytes that are taken for a file of this name. */
const bytesOf = ({ name, text }: Seed): Uint8Array<ArrayBuffer> =>
  text !== undefined
    ? new TextEncoder().encode(text)
    : new Uint8Array([
      ...heads.find(([extensions]) => extensions.test(name))?.[1] ?? [0],
      ...new TextEncoder().encode(name)
    ])

const kinds: ReadonlyArray<readonly [extensions: RegExp, type: string, mimeType: string]> = [
  [/\.(?:jpe?g|png|heic|dng|webp)$/i, "Image", "image/jpeg"],
  [/\.(?:mp4|mov|mkv)$/i, "Video", "video/mp4"],
  [/\.(?:wav|mp3|flac|m4a)$/i, "Audio", "audio/wav"],
  [/\.pdf$/i, "Document", "application/pdf"],
  [/\.(?:docx?|xlsx?|pptx?|dwg)$/i, "Document", "application/octet-stream"],
  [/\.(?:txt|md|csv|srt)$/i, "Text", "text/plain"],
  [/\.zip$/i, "Archive", "application/zip"],
  [/$/, "Other", "application/octet-stream"]
]

const operations = new Map(
  Object.values((Api as unknown as HttpApi.Top).groups as Record<string, HttpApiGroup.Top>)
    .flatMap((group) => Object.values(group.endpoints) as ReadonlyArray<HttpApiEndpoint.Top>)
    .flatMap((endpoint) => {
      const { needsConsent, permissions, tool } = Operation.of(endpoint)
      const name = endpoint.path.slice(1).replaceAll("-", "_")
      return tool === null
        ? []
        : [
          [
            name,
            { id: endpoint.identifier as Operations.OperationId, permission: permissions[0] ?? null, needsConsent }
          ] as const
        ]
    })
)

/** The tools of the drive and of the agent. */
export const allTools: ReadonlySet<string> = new Set([...operations.keys(), "wait_for", "save_part", "import_part"])

const listTools = new Set(["trash_files", "restore_files", "delete_files"])

/** Turns as the agent stores them. */
const runOf = (earlier: ReadonlyArray<Turn>, present: Turn): TaskRun => {
  const transcriptOf = ({ calls, userText }: Turn, phase: "completed" | "running") => ({
    task: { phase },
    entries: [{ no: 0, role: "user", content: [{ type: "text", text: userText }] }, {
      no: 1,
      role: "assistant",
      content: []
    }],
    calls: calls.map(({ args, failure, name, result }) => ({
      entryNo: 1,
      name,
      args,
      state: "done",
      isFailure: failure !== undefined,
      result
    }))
  })
  const run = {
    ...transcriptOf(present, "running"),
    earlier: earlier.map((turn) => transcriptOf(turn, "completed")),
    wait: null
  }
  return run as unknown as TaskRun
}

/** What a tool that the drive hasn't got does in a test. */
export type Fake = (args: Record<string, any>, bench: Bench) => unknown

export interface BenchOptions {
  readonly seeds?: ReadonlyArray<Seed>
  readonly tools?: ReadonlySet<string>
  readonly fakes?: Readonly<Record<string, Fake>>
  /** Handles of other users of the drive. */
  readonly people?: ReadonlyArray<string>
}

export interface Answered {
  readonly decision: Decision
  readonly text: string
  readonly calls: ReadonlyArray<MadeCall>
}

const now = "2026-03-18T12:00:00.000Z"

export class Bench {
  readonly drive: MemoryDrive
  readonly userId: string
  readonly people: ReadonlyMap<string, string>
  readonly turns: Array<Turn> = []
  readonly #options: BenchOptions
  readonly #archives: Array<string> = []
  readonly #imports: Array<string> = []
  constructor(drive: MemoryDrive, userId: string, people: ReadonlyMap<string, string>, options: BenchOptions) {
    this.drive = drive
    this.userId = userId
    this.people = people
    this.#options = options
  }

  static async make(options: BenchOptions = {}): Promise<Bench> {
    const { people = ["bob", "grace", "anna"], seeds = [] } = options
    const isRead = seeds.some(({ text }) => text !== undefined)
    const drive = await memoryDrive({ startTime: new Date(now), ...(isRead ? {} : { media: false }) })
    const owner = await drive.user({ handle: "ada", displayName: "Ada", quotaBytes: 10 ** 12 })
    const others = new Map<string, string>()
    for (const handle of people) {
      others.set(
        handle,
        (await drive.user({ handle, displayName: `${handle[0]!.toUpperCase()}${handle.slice(1)}` })).userId
      )
    }
    const bench = new Bench(drive, owner.userId, others, options)
    const isUploaded = ({ isReal, text }: Seed): boolean => text !== undefined || isReal === true
    for (const seed of seeds.filter(isUploaded)) {
      const { folder, name, tags } = seed
      const id = await owner.upload({ fileName: name, bytes: bytesOf(seed) })
      if (tags !== undefined) await owner.ok("/tag-files", { fileIds: [id as never], tags: tags as never })
      if (folder !== undefined) await owner.ok("/move-files", { fileIds: [id as never], folder: folder as never })
    }
    const rows = seeds.filter((seed) => !isUploaded(seed)).map(
      ({ description, folder, media, name, size = 1000, tags, time = "2026-03-10T09:00:00Z" }, at) => {
        const [, type, mimeType] = kinds.find(([extensions]) => extensions.test(name))!
        return {
          objectKey: `users/${owner.userId}/${at}/${name}`,
          storedAs: `f${at}`,
          fileName: name,
          type: type as never,
          mimeType,
          fileSize: size,
          etag: "0",
          insertTime: new Date(time),
          ...(description === undefined ? {} : { description }),
          ...(folder === undefined ? {} : { folder }),
          ...(tags === undefined ? {} : { tags }),
          ...(media === undefined ? {} : { media: media as never })
        }
      }
    )
    if (rows.length > 0) await drive.as(owner.userId).files.importMany(rows as never, { verify: false })
    return bench
  }

  get as(): any {
    return this.drive.as(this.userId)
  }

  /** A user's message, to its answer or question. */
  async say(userText: string, parts: ReadonlyArray<Part> = []): Promise<Answered> {
    const calls: Array<MadeCall> = []
    for (let step = 0; step < 200; step++) {
      const present: Turn = { userText, parts, calls, reply: "" }
      const decision = Planner.decide({ earlier: this.turns, present }, {
        now: DateTime.makeUnsafe(this.drive.clock.now()),
        zone: DateTime.zoneMakeNamedUnsafe("UTC"),
        tools: this.#options.tools ?? new Set([...allTools, ...Object.keys(this.#options.fakes ?? {})]),
        permissionOf: (tool) => operations.get(tool)?.permission ?? null,
        siteUrl: "https://files.example.com"
      })
      if (decision._tag !== "Call") {
        this.turns.push({ ...present, reply: decision.text })
        return { decision, text: decision.text, calls }
      }
      for (const { args, name } of decision.calls) {
        calls.push({ name, args, ...(await this.#call(present, name, args)) })
      }
    }
    throw new Error(`"${userText}" takes more than 200 steps.`)
  }

  /** As the agent does: what the user's words don't ask for is not carried out. */
  async #call(
    present: Turn,
    name: string,
    args: Record<string, any>
  ): Promise<{ result: unknown } | { failure: ToolFailure }> {
    const refused = Consent.refusalOf(
      runOf(this.turns, present),
      { args, entryNo: 1 },
      operations.get(name)?.needsConsent,
      (tool) => consentKind(tool)
    )
    if (refused !== null) return { failure: { ...Consent.resultOf(refused), error: `NOT ASKED FOR: ${name}` } }
    try {
      return { result: await this.#run(name, args) }
    } catch (error) {
      const { code, message } = error as { code?: string; message: string }
      return { failure: { error: message, code } }
    }
  }

  async #run(name: string, args: Record<string, any>): Promise<unknown> {
    const fake = this.#options.fakes?.[name]
    if (fake !== undefined) return fake(args, this)
    if (name === "wait_for") {
      await this.drive.runJobs()
      return { woken: true, reason: "done", event: null }
    }
    const operation = operations.get(name)
    if (operation === undefined) throw new Error(`There is no tool ${name}.`)
    if (name === "select_archives" && args["ids"] === undefined) {
      return this.#archives.length === 0
        ? []
        : this.as.selectArchives({ ids: this.#archives.toReversed() })
    }
    if (name === "select_imports" && args["ids"] === undefined) {
      return this.#imports.length === 0
        ? []
        : this.as.selectImports({ ids: this.#imports.toReversed() })
    }
    const given = name === "share_files" && args["handles"] !== undefined ? this.#withUserIds(args) : args
    const body = listTools.has(name) ? (given["fileIds"] as ReadonlyArray<string>).map((id) => ({ id })) : given
    const isEmpty = Object.keys(given).length === 0
    const result = await (isEmpty ? this.as[operation.id]() : this.as[operation.id](body))
    if (name === "create_archive_request") this.#archives.push(result.id)
    if (name === "import_from_url") this.#imports.push(result.id)
    // As a transcript keeps it: JSON.
    return JSON.parse(JSON.stringify(result ?? {}))
  }

  #withUserIds({ handles, ...args }: Record<string, any>): Record<string, any> {
    const userIds = (handles as ReadonlyArray<string>).map((handle) => {
      const id = this.people.get(handle)
      if (id === undefined) throw new Error(`There is no user with the handle ${handle}.`)
      return id
    })
    return { ...args, userIds }
  }

  close(): Promise<void> {
    return this.drive.close()
  }
}
