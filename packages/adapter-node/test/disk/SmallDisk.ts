/** Disks of a few MiB that a test may fill: mounted where that is allowed, as by root on Linux. */
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmdirSync, rmSync, statfsSync, truncateSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const run = (command: string, ...args: ReadonlyArray<string>): boolean => {
  try {
    return spawnSync(command, args, { stdio: "ignore" }).status === 0
  } catch {
    return false
  }
}

const mount = (
  kind: "tmpfs" | "ext4",
  sizeBytes: number
): { readonly path: string; readonly end: () => void } | null => {
  const path = mkdtempSync(join(tmpdir(), "filedrive-full-"))
  const image = `${path}.img`
  const end = () => {
    run("umount", "-l", path)
    rmdirSync(path)
    rmSync(image, { force: true })
  }
  const isMounted = () => {
    if (kind === "tmpfs") return run("mount", "-t", "tmpfs", "-o", `size=${sizeBytes}`, "filedrive", path)
    writeFileSync(image, "")
    truncateSync(image, sizeBytes)
    // Small blocks, so that a directory of some files needs another one soon.
    return run("mkfs.ext4", "-q", "-b", "1024", "-N", "4096", "-m", "0", "-O", "^has_journal", image) &&
      run("mount", "-o", "loop", image, path)
  }
  if (isMounted()) return { path, end }
  end()
  return null
}

/** Why such a disk can't be mounted here, for the names of skipped tests; undefined when it can. */
export const cannotMount = (kind: "tmpfs" | "ext4"): string | undefined => {
  const disk = mount(kind, 1024 * 1024 * 4)
  disk?.end()
  return disk === null ? `(skipped: a ${kind} can't be mounted here, which needs root on Linux)` : undefined
}

/** The path of an empty disk of its own. */
export const smallDisk = (kind: "tmpfs" | "ext4", sizeBytes: number) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() =>
        mount(kind, sizeBytes) ?? (() => {
          throw new Error(`no ${kind} can be mounted`)
        })()
      ),
      ({ end }) => Effect.sync(end)
    ),
    ({ path }) => path
  )

export const makeReadOnly = (path: string) => Effect.sync(() => run("mount", "-o", "remount,ro", path))

export const freeBytes = (path: string): number => {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize
}

/** Writes until nothing goes any longer; returns how to give the room back. */
export const fill = (path: string) => {
  const ballast = join(path, "ballast")
  for (const bytes of [1024 * 1024, 4096, 512, 1]) {
    try {
      for (;;) writeFileSync(ballast, Buffer.alloc(bytes, 1), { flag: "a" })
    } catch {
      // Smaller pieces may still go.
    }
  }
  return () => rmSync(ballast)
}
