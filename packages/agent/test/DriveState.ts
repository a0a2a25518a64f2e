/** The state of a drive as plain values, and what has changed between two of them. */
import type { Bench } from "./Bench.ts"

export interface FileState {
  readonly folder: string
  readonly tags: string
  readonly public: boolean
  readonly trashed: boolean
  readonly description: string
  /** Handles. */
  readonly shared: string
}

export interface DriveState {
  /** By their names; a second file of a name is `name (2)`. */
  readonly files: Readonly<Record<string, FileState>>
  readonly folders: Readonly<Record<string, string>>
  readonly playlists: Readonly<Record<string, string>>
  readonly galleries: Readonly<Record<string, string>>
  readonly tags: Readonly<Record<string, string>>
  readonly requests: Readonly<Record<string, string>>
  readonly reviews: Readonly<Record<string, string>>
}

const byName = (names: ReadonlyArray<string>): string => [...names].sort((a, b) => a.localeCompare(b)).join(", ")

export const stateOf = async ({ as, people }: Bench): Promise<DriveState> => {
  const live = await as.selectUserFiles()
  const trashed = await as.selectTrashedFiles()
  const shares = live.length === 0
    ? []
    : (await as.selectShares({ fileIds: live.slice(0, 100).map((file: any) => file.id) })).files
  const handles = new Map([...people].map(([handle, id]) => [id, handle]))
  const files: Record<string, FileState> = {}
  for (
    const file of [...live, ...trashed].sort((a: any, b: any) =>
      (a.folder?.path ?? "/").localeCompare(b.folder?.path ?? "/")
    )
  ) {
    const users = shares.find((one: any) => one.id === file.id)?.users ?? []
    files[files[file.fileName] === undefined ? file.fileName : `${file.fileName} (2)`] = {
      folder: file.folder?.path ?? "/",
      tags: byName(file.tags.map((tag: any) => tag.text)),
      public: file.isPublic,
      trashed: file.trashTime !== null,
      description: file.description ?? "",
      shared: byName(users.map((user: any) => handles.get(user.userId) ?? "?"))
    }
  }
  const known = await as.selectCollections()
  const lists = async (kind: "playlists" | "galleries") => {
    const found: Record<string, string> = {}
    for (const { id, isPublic, title } of known[kind]) {
      const page = kind === "playlists"
        ? await as.selectPlaylist({ playlistId: id, limit: 200 })
        : await as.selectGallery({ galleryId: id, limit: 200 })
      found[title] = `${isPublic ? "public: " : ""}${page.files.map((file: any) => file.fileName).join(", ")}`
    }
    return found
  }
  const { requests } = await as.selectFileRequests()
  const { reviews } = await as.selectFileReviews()
  return {
    files,
    folders: Object.fromEntries(known.folders.map(({ path }: any) => [path, "there"])),
    playlists: await lists("playlists"),
    galleries: await lists("galleries"),
    tags: Object.fromEntries(known.tags.map(({ text }: any) => [text, "there"])),
    requests: Object.fromEntries(
      requests.map((
        one: any
      ) => [
        one.title,
        [
          one.open ? "open" : "closed",
          one.folder.path,
          one.expireTime?.slice(0, 10) ?? "",
          one.maxBytes ?? "",
          one.message ?? ""
        ].join("|")
      ])
    ),
    reviews: Object.fromEntries(
      reviews.map((
        one: any
      ) => [
        one.file.fileName,
        [one.open ? "open" : "closed", one.expireTime?.slice(0, 10) ?? "", one.message ?? ""].join("|")
      ])
    )
  }
}

/** What differs, as `beach.jpg.folder: /Done`, `+playlist Workout: a.wav, b.wav`, `-folder /Old`. */
export const changes = (before: DriveState, after: DriveState): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const [name, file] of Object.entries(after.files)) {
    const was = before.files[name]
    if (was === undefined) {
      found.push(`+file ${name}: ${file.folder}`)
      continue
    }
    for (const key of Object.keys(file) as ReadonlyArray<keyof FileState>) {
      if (file[key] !== was[key]) found.push(`${name}.${key}: ${file[key]}`)
    }
  }
  for (const name of Object.keys(before.files)) if (after.files[name] === undefined) found.push(`-file ${name}`)
  const nouns = {
    folders: "folder",
    playlists: "playlist",
    galleries: "gallery",
    tags: "tag",
    requests: "request",
    reviews: "review"
  } as const
  for (const [key, noun] of Object.entries(nouns) as ReadonlyArray<[keyof typeof nouns, string]>) {
    for (const [name, value] of Object.entries(after[key])) {
      if (before[key][name] === undefined) {
        found.push(value === "there" ? `+${noun} ${name}` : `+${noun} ${name}: ${value}`)
      } else if (before[key][name] !== value) found.push(`${noun} ${name}: ${value}`)
    }
    for (const name of Object.keys(before[key])) if (after[key][name] === undefined) found.push(`-${noun} ${name}`)
  }
  return found.sort()
}
