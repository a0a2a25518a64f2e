/** Real files with known facts, for where they are at hand: beside the checkout, or where `MEDIA_CORPUS` says. */
import { DriveError, type MediaTools } from "@filedrive/core"
import { Effect, Stream } from "effect"
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs"
import { join, resolve } from "node:path"

const directory = process.env["MEDIA_CORPUS"] ?? resolve(import.meta.dirname, "../../../../shared/corpus")

/** Why tests of real files are skipped, or undefined where the files are. */
export const missing: string | undefined = existsSync(join(directory, "MANIFEST.tsv"))
  ? undefined
  : `there is no corpus at ${directory}`

/** For the title of tests that are skipped: why. */
export const because = (...reasons: ReadonlyArray<string | undefined>): string => {
  const given = reasons.filter((reason) => reason !== undefined)
  return given.length === 0 ? "" : ` (${given.join(", ")})`
}

export const sample = (path: string): string => join(directory, path)

/** Rows of a table of the corpus: its cells by column. */
const table = (name: string): ReadonlyArray<ReadonlyArray<string>> =>
  missing === undefined
    ? readFileSync(join(directory, name), "utf8").trimEnd().split("\n").map((line) => line.split("\t"))
    : []

/** What is known of a sample, by the manifest's last column. */
export const facts = (path: string): Readonly<Record<string, unknown>> => {
  const row = table("MANIFEST.tsv").find(([name]) => name === path)
  return row === undefined ? {} : JSON.parse(row.at(-1)!) as Record<string, unknown>
}

/** Compressed fingerprints by `fpcalc`, by path. */
export const fingerprints = (): ReadonlyArray<readonly [path: string, fingerprint: string]> =>
  table("FPCALC.tsv").slice(1).map(([path, , fingerprint]) => [path!, fingerprint!])

/** A file that counts what is read of it. */
export interface CountedSource extends MediaTools.MediaSource {
  readonly bytesRead: () => number
}

/** A file on disk as the drive hands it to media tools. */
export const sourceOf = (path: string, mimeType: string): CountedSource => {
  let read = 0
  return {
    fileName: "a file",
    mimeType,
    sizeBytes: statSync(path).size,
    bytesRead: () => read,
    read: ({ end, start }) =>
      Stream.fromAsyncIterable<Uint8Array, DriveError.Unavailable>(
        createReadStream(path, { start, end }),
        (cause) => new DriveError.Unavailable({ code: "fetching_file_failed", cause })
      ).pipe(Stream.tap((chunk) => Effect.sync(() => (read += chunk.byteLength))))
  }
}
