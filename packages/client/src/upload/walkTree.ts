/** The files of a browser's directories. Loaded with the first one, so it shares no code with what loads it. */
import type { Walked } from "../Platform.ts"

/** A file or a directory: by its handle, or as it was dropped. */
export type Tree = FileSystemHandle | FileSystemEntry

/** A file, or why something can't be read. */
export interface WalkedTree extends Walked {
  readonly cause?: unknown
}

/** A handle's file is opened when its turn comes. */
const fileOf = (tree: Tree): Promise<File> =>
  "isSameEntry" in tree
    ? (tree as FileSystemFileHandle).getFile()
    : new Promise((...settle) => (tree as FileSystemFileEntry).file(...settle))

const inside = async function*(tree: Tree): AsyncGenerator<Tree> {
  if ("isSameEntry" in tree) return yield* (tree as FileSystemDirectoryHandle).values()
  const reader = (tree as FileSystemDirectoryEntry).createReader()
  // It answers a hundred at a time.
  for (;;) {
    const some = await new Promise<ReadonlyArray<FileSystemEntry>>((...settle) => reader.readEntries(...settle))
    if (some.length === 0) return
    yield* some
  }
}

/** The files of a tree; what can't be read in it stops no other. */
export const walkTree = async function*(tree: Tree, above = ""): AsyncGenerator<WalkedTree> {
  const path = `${above}${tree.name}`
  try {
    if ("isFile" in tree ? tree.isFile : tree.kind === "file") yield { source: await fileOf(tree), path }
    else for await (const inner of inside(tree)) yield* walkTree(inner, `${path}/`)
  } catch (cause) {
    yield { source: "", path, cause }
  }
}
