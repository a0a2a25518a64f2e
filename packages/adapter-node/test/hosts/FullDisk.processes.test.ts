/** A drive on a disk that others have filled to the last byte, by its routes and in code: what adds is refused, what frees works. */
import { assert, describe, it } from "@effect/vitest"
import { createDrive, type Drive } from "@filedrive/adapter-node"
import { Effect } from "effect"
import { join } from "node:path"
import { cannotMount, fill, smallDisk } from "../disk/SmallDisk.ts"
import { userOf } from "./hosts.ts"

const MiB = 1_024 * 1_024
const withoutTmpfs = cannotMount("tmpfs")
const url = "http://drive.test"

/** Answers differ by route. */
type Body = any

const open = (disk: string) =>
  createDrive({ dataDirectory: join(disk, "data"), url, media: false, log: "off", diskReserveBytes: 0 })

const callerOf = (drive: Drive, token: string) => async (route: string, body?: unknown) => {
  const answer = await drive.fetch(
    new Request(`${url}/api/${route}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        "x-service-app": "filedrive",
        ...(body === undefined ? {} : { "content-type": "application/json" })
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  )
  return { status: answer.status, retryAfter: answer.headers.get("retry-after"), body: await answer.json() as Body }
}

type Call = ReturnType<typeof callerOf>

const ok = async (call: Call, route: string, body?: unknown): Promise<Body> => {
  const answer = await call(route, body)
  if (answer.status !== 200) throw new Error(`${route}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

const exchange = async (drive: Drive, apiToken: string) => {
  const request = new Request(`${url}/auth/exchange-token`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiToken}`, "x-service-app": "filedrive" }
  })
  const answer = await drive.fetch(request)
  assert.strictEqual(answer.status, 200)
  return callerOf(drive, (await answer.json() as Body).gelToken)
}

const readiness = async (drive: Drive) => {
  const answer = await drive.fetch(new Request(`${url}/readyz`))
  return { status: answer.status, retryAfter: answer.headers.get("retry-after"), body: await answer.json() as Body }
}

const content = "what is in the file"

const fileOf = (userId: string, name: string) => ({
  type: "Image",
  fileName: `${name}.png`,
  fileSize: content.length,
  objectKey: `users/${userId}/${name}.png`,
  mimeType: "image/png"
})

const upload = async (drive: Drive, call: Call, userId: string, name: string): Promise<string> => {
  const { uploadForm, uploadUrl } = await ok(call, "generate-file-urls", fileOf(userId, name))
  const form = new FormData()
  for (const [field, value] of Object.entries(uploadForm)) form.append(field, value as string)
  form.append("file", new Blob([content]))
  assert.strictEqual((await drive.fetch(new Request(uploadUrl, { method: "POST", body: form }))).status, 204)
  return (await ok(call, "insert-file", { ...fileOf(userId, name), creator: { id: userId } })).id
}

const until = async (holds: () => Promise<boolean>) => {
  for (let tries = 0; tries < 2_000; tries++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  throw new Error("It never came to be.")
}

describe.skipIf(withoutTmpfs !== undefined)(`a start on a full disk ${withoutTmpfs ?? ""}`, () => {
  const starting = (sizeBytes: number) =>
    Effect.scoped(Effect.gen(function*() {
      const disk = yield* smallDisk("tmpfs", sizeBytes)
      const logged: Array<string> = []
      const log = ({ message }: { readonly message: string }) => void logged.push(message)
      const drive = createDrive({ dataDirectory: join(disk, "data"), url, media: false, log })
      const failure = yield* Effect.promise(() =>
        drive.ready().then(() => undefined, (error: unknown) => String(error))
      )
      yield* Effect.promise(() => drive.close())
      return { failure, warnings: logged.filter((message) => /full/.test(message)) }
    }))

  it.live(
    "STO-131 a first start for which the disk has no room says that and nothing else",
    () =>
      Effect.gen(function*() {
        const { failure, warnings } = yield* starting(MiB)
        assert.match(failure ?? "", /The database in .* could not be opened: The disk of .* is full\.$/)
        assert.deepStrictEqual(warnings, [])
      }),
    60_000
  )

  it.live("STO-131 a drive that starts although its storage is full warns of it", () =>
    Effect.gen(function*() {
      const { failure, warnings } = yield* starting(150 * MiB)
      assert.isUndefined(failure)
      assert.match(warnings.join(), /^The disk of .*storage is full: uploads are refused until there is room\.$/)
    }), 60_000)
})

describe.skipIf(withoutTmpfs !== undefined)(`a drive on a full disk ${withoutTmpfs ?? ""}`, () => {
  it.live(
    "UP-85 refuses what adds by no_space, and deletes, ends and closes whatever there is; then it starts, and all works again",
    () =>
      Effect.gen(function*() {
        const disk = yield* smallDisk("tmpfs", 420 * MiB)
        yield* Effect.promise(() => tryAll(disk))
      }).pipe(Effect.scoped),
    300_000
  )
})

const tryAll = async (disk: string) => {
  let drive = open(disk)
  await drive.ready()
  const { apiToken, userId } = await userOf(drive)()
  const other = await userOf(drive)()
  let call = await exchange(drive, apiToken)
  const others = await exchange(drive, other.apiToken)
  const ids: Array<string> = []
  for (let n = 0; n < 24; n++) ids.push(await upload(drive, call, userId, `file${n}`))
  const [a, b, c, d] = ids as [string, string, string, string]
  await ok(call, "tag-files", { fileIds: [a, b, c], tags: ["one", "two"] })
  await ok(call, "move-files", { fileIds: [c, d, ids[4]], folder: "/F/G" })
  await ok(call, "create-folder", { path: "/H" })
  const collections = await ok(call, "select-collections")
  const tagOf = (text: string) => collections.tags.find((tag: Body) => tag.text === text).id
  const folderOf = (path: string) => collections.folders.find((folder: Body) => folder.path === path).id
  const gallery = (await ok(call, "create-gallery", { title: "g", fileIds: [a, b], isPublic: true })).id
  const gallery2 = (await ok(call, "create-gallery", { title: "h" })).id
  await ok(call, "share-files", { fileIds: [a, b], userIds: [other.userId] })
  const spare = await ok(call, "create-api-token", { name: "spare" })
  const [open1, open2] = [ids[5]!, ids[6]!]
  const links = new Map<string, string>()
  for (const id of [open1, open2]) links.set(id, (await ok(call, "toggle-file-access", { id: id })).downloadUrl ?? "")
  await ok(call, "generate-file-urls", fileOf(userId, "form"))
  const parts = await ok(call, "create-multipart-upload", { ...fileOf(userId, "parts"), fileSize: 20_000_000 })
  const archive = (await ok(call, "create-archive-request", { fileIds: [a, b] })).id
  await until(async () => (await ok(call, "select-archives", { ids: [archive] }))[0].status === "done")
  await ok(call, "trash-files", [{ id: ids[7] }, { id: ids[8] }])
  assert.strictEqual((await readiness(drive)).status, 200)

  const rest = fill(disk)
  const notReady = await readiness(drive)
  assert.deepStrictEqual(notReady, {
    status: 503,
    retryAfter: "60",
    body: {
      error: "Not ready: the disk of the database is full. Additions are refused; reading and deleting work.",
      code: "no_space",
      retryable: true,
      away: []
    }
  })
  const adds: ReadonlyArray<readonly [string, unknown]> = [
    ["generate-file-urls", fileOf(userId, "more")],
    ["create-multipart-upload", fileOf(userId, "more")],
    ["import-from-url", { url: "https://files.example.com/a.bin" }],
    ["tag-files", { fileIds: [a], tags: ["three"] }],
    ["update-file-tags", { fileIds: [d], tagId: tagOf("one"), action: "add" }],
    ["rename-tag", { tagId: tagOf("one"), text: "another" }],
    ["move-files", { fileIds: [a], folder: "/N" }],
    ["create-folder", { path: "/N" }],
    ["rename-folder", { folderId: folderOf("/H"), name: "I" }],
    ["move-folder", { folderId: folderOf("/H"), parentId: folderOf("/F") }],
    ["create-playlist", { title: "p" }],
    ["create-gallery", { title: "i" }],
    ["add-to-gallery", { galleryId: gallery, fileIds: [ids[9]] }],
    ["rename-gallery", { galleryId: gallery, title: "j" }],
    ["set-gallery-public", { galleryId: gallery2, isPublic: true }],
    ["share-files", { fileIds: [ids[9]], userIds: [other.userId] }],
    ["rename-file", { fileId: a, fileName: "b.png" }],
    ["update-file-description", { fileId: a, description: "d" }],
    ["restore-files", [{ id: ids[7] }]],
    ["create-api-token", { name: "more" }],
    ["create-archive-request", { fileIds: [c] }],
    ["toggle-file-access", { id: ids[9] }]
  ]
  const refuse = async () => {
    const answers = await Promise.all(
      adds.map(async ([route, body]) => {
        const { body: { code }, retryAfter, status } = await call(route, body)
        return [route, status, code, retryAfter]
      })
    )
    assert.deepStrictEqual(answers, adds.map(([route]) => [route, 503, "no_space", "60"]))
  }
  await refuse()
  const inCode = await drive.as(userId).createFolder({ path: "/N" }).catch((error: unknown) => error)
  assert.strictEqual((inCode as { readonly code?: string }).code, "no_space")

  // Reading, signing in.
  assert.lengthOf(await ok(call, "select-user-files"), 22)
  assert.lengthOf((await ok(call, "search-files", { text: "file", limit: 3 })).files, 3)
  assert.isString((await ok(others, "generate-download-url", { id: a })).downloadUrl)
  call = await exchange(drive, apiToken)

  // What frees, and what takes access away.
  const frees: ReadonlyArray<readonly [string, unknown]> = [
    ["tag-files", { fileIds: [a], tags: ["one"], action: "remove" }],
    ["update-file-tags", { fileIds: [b], tagId: tagOf("one"), action: "remove" }],
    ["delete-tag", { tagId: tagOf("two") }],
    ["remove-from-gallery", { galleryId: gallery, fileIds: [b] }],
    ["set-gallery-public", { galleryId: gallery, isPublic: false }],
    ["delete-gallery", { galleryId: gallery }],
    ["unshare-files", { fileIds: [a], userIds: [other.userId] }],
    ["cancel-file-urls", { objectKey: fileOf(userId, "form").objectKey }],
    ["abort-multipart-upload", { token: parts.token }],
    ["delete-archive", { id: archive }],
    ["revoke-api-token", { id: spare.id }],
    ["toggle-file-access", { id: open1 }],
    ["trash-files", [{ id: open2 }, { id: ids[10] }]],
    ["delete-files", [{ id: ids[11] }, { id: ids[12] }]],
    ["delete-folder", { folderId: folderOf("/F"), files: "trash" }],
    ["delete-folder", { folderId: folderOf("/H"), files: "parent" }],
    ["purge-trashed-files", undefined]
  ]
  for (const [route, body] of frees) {
    // What was freed is taken by others at once.
    fill(disk)
    await ok(call, route, body)
  }
  for (const id of [open1, open2]) {
    const link = await drive.fetch(new Request(links.get(id)!))
    assert.strictEqual(link.status, 404)
  }
  for (const id of ids.slice(13, 20)) {
    fill(disk)
    await ok(call, "delete-files", [{ id }])
  }

  // It starts on such a disk, and signs in.
  await drive.close()
  fill(disk)
  drive = open(disk)
  await drive.ready()
  await drive.tokens.configure([{ userId, text: "a".repeat(40), name: "of the environment" }])
  call = await exchange(drive, apiToken)
  assert.strictEqual((await call("create-folder", { path: "/N" })).body.code, "no_space")
  await ok(call, "delete-files", [{ id: ids[20] }])

  rest()
  await ok(call, "create-folder", { path: "/N" })
  await ok(call, "tag-files", { fileIds: [b], tags: ["three"] })
  assert.strictEqual((await readiness(drive)).status, 200)
  await upload(drive, call, userId, "again")
  await drive.close()
}
