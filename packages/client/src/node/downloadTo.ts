/** Writes a file of the drive to a path: in parallel ranges, going on where an earlier attempt ended. */
import { mkdir, open, rename, rm, stat } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { backoffMillis, sleep, watched } from "../Backoff.ts"
import { DriveError, failure, invalid, refusalOf, strange, unreachable } from "../DriveError.ts"
import type { Download } from "../Platform.ts"
import { onNetwork } from "../upload/network.ts"
import { Speed } from "../upload/Speed.ts"
import { countOf, tell } from "../upload/Turns.ts"
import { openPart } from "./partFile.ts"
import { pathOf } from "./paths.ts"

const rangeBytes = 16 * 1024 ** 2
const stallMillis = 60_000
const retries = 8

/** Storage that asks to come back in an hour may be there in a minute. */
const askedMaxSeconds = 60

const changed = () => failure("source_changed", "The file was changed while it was downloaded.", true)

/** What errors of the file system say of a path that is below a file. */
const belowFile = (cause: NodeJS.ErrnoException): unknown =>
  cause.code === "ENOTDIR" || cause.code === "EEXIST" ? invalid("path", "must not be below a file") : cause

/** Fails where no file can be put. */
const checkPath = async (path: string): Promise<void> => {
  const found = await stat(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return undefined
    throw belowFile(cause)
  })
  if (found === undefined || found.isFile()) return
  throw invalid("path", `must not be ${found.isDirectory() ? "a directory" : "a pipe or a device"}`)
}

/** Paths of downloads under way: two to one path would write to the same unfinished file. */
const underWay = new Set<string>()

export const downloadTo = async (download: Download): Promise<void> => {
  const path = resolve(pathOf("path", download.path))
  if (underWay.has(path)) throw invalid("path", "must not be that of a download under way")
  underWay.add(path)
  try {
    await downloadFile(path, download)
  } finally {
    underWay.delete(path)
  }
}

const downloadFile = async (path: string, { fetch, link, options, size }: Download): Promise<void> => {
  const { onProgress, signal } = options
  if (!Number.isSafeInteger(size) || size < 0) throw strange("a file without a size")
  const parallel = countOf("parallel", options.parallel)
  const speed = new Speed()
  await checkPath(path)
  // Before anything is open: it may be refused.
  let url = await link()
  await mkdir(dirname(path), { recursive: true }).catch((cause: NodeJS.ErrnoException) => {
    throw belowFile(cause)
  })
  const part = await openPart(`${path}.part`, size)
  let { etag } = part.begun
  const rangeSize = (range: number) => Math.min(rangeBytes, size - range * rangeBytes)
  const done = new Set(part.begun.ranges)
  const rangeCount = Math.ceil(size / rangeBytes)
  // One is asked for again when all are there: what is there may be of another file.
  if (done.size === rangeCount) done.delete(0)
  const missing = rangeCount - done.size
  let looked = 0
  /** The next one that is not there; none is listed before it is asked for, since there may be as many as the drive likes. */
  const next = (): number | undefined => {
    while (done.has(looked)) looked++
    return looked < rangeCount ? looked++ : undefined
  }
  let written = [...done].reduce((sum, range) => sum + rangeSize(range), 0)
  const add = (bytes: number, isForced = false) => {
    written += bytes
    if (speed.add(written, isForced)) tell(onProgress, speed.of(written, size))
  }
  const note = () => part.note(() => ({ etag, ranges: [...done] }))

  const fetchRange = (range: number, ending: AbortSignal) =>
    watched(
      stallMillis,
      ending,
      async (signal, alive) => {
        const used = url
        const start = range * rangeBytes
        const response = await fetch(used, {
          signal,
          headers: { range: `bytes=${start}-${start + rangeSize(range) - 1}`, ...etag !== "" && { "if-range": etag } }
        }).catch((cause) => {
          throw unreachable(used, cause)
        })
        if (response.status !== 206) {
          await response.body?.cancel()
          // A link that has lapsed; the next is fresh.
          if (response.status === 403 && url === used) url = await link()
          if (response.status === 403) throw failure("storage_refused", "The link has lapsed.", true)
          if (response.status === 200 || response.status === 412 || response.status === 416) throw changed()
          throw refusalOf(response.status, "", response.headers.get("retry-after"))
        }
        if (response.headers.get("content-range")?.startsWith(`bytes ${start}-`) !== true) {
          await response.body?.cancel()
          throw unreachable(used, new Error("The answer is of another range."))
        }
        const found = response.headers.get("etag") ?? ""
        if (etag === "") etag = found
        if (found !== etag) {
          await response.body?.cancel()
          throw changed()
        }
        let at = start
        try {
          for await (const chunk of response.body!) {
            alive()
            // What is too long would be written over ranges that are done.
            if (at - start + chunk.byteLength > rangeSize(range)) throw unreachable(used)
            await part.write(chunk, at)
            at += chunk.byteLength
            add(chunk.byteLength)
          }
          if (at - start !== rangeSize(range)) throw unreachable(used)
        } catch (cause) {
          add(start - at)
          throw signal.aborted || (cause as NodeJS.ErrnoException).syscall !== undefined
            ? cause
            : unreachable(used, cause)
        }
        done.add(range)
      }
    )

  const persist = async (range: number, ending: AbortSignal): Promise<void> => {
    for (let attempt = 0;; attempt++) {
      try {
        return await fetchRange(range, ending)
      } catch (error) {
        const mayPass = error instanceof DriveError && error.retryable && error.code !== "source_changed"
        if (ending.aborted || !mayPass || attempt >= retries) throw error
        await sleep(backoffMillis(attempt, Math.min(error.retryAfterSeconds!, askedMaxSeconds)), ending, onNetwork)
      }
    }
  }

  const ending = new AbortController()
  const end = () => ending.abort(signal!.reason)
  signal?.addEventListener("abort", end)
  if (signal?.aborted) end()
  try {
    add(0, true)
    const lane = async () => {
      for (let range = next(); range !== undefined; range = next()) {
        await persist(range, ending.signal)
        await note()
      }
    }
    // The first range tells the ETag that all others must have.
    const first = etag === "" ? next() : undefined
    if (first !== undefined) {
      await persist(first, ending.signal)
      await note()
    }
    const lanes = Array.from({ length: Math.min(parallel, missing) }, lane)
    await Promise.all(lanes).catch(async (error: unknown) => {
      ending.abort(error)
      await Promise.allSettled(lanes)
      throw error
    })
    await part.finish()
  } catch (error) {
    // What is there is of another file than what comes.
    if (error instanceof DriveError && error.code === "source_changed") await part.forget()
    throw error
  } finally {
    signal?.removeEventListener("abort", end)
    await part.close()
  }
  await rename(`${path}.part`, path)
  await rm(`${path}.part.json`, { force: true })
  const directory = await open(dirname(path))
  await directory.sync().catch(() => {}).finally(() => directory.close())
  add(0, true)
}
