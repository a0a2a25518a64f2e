/**
 * A client that sends small files as fast as the server takes them, on connections that stay open, and prints how fast that was.
 * It is the same for every measured server, except for the requests that one file takes.
 */
import { Connection } from "../Connection.ts"
import { formEnd, formText, formType } from "../FormBody.ts"
import { median } from "../Rounds.ts"
import { filesInList, type Sending, type SentFiles } from "../SmallFiles.ts"
import { options, ready } from "./parent.ts"

const { accounts, atOnce, fileBytes, origin, requestId, seconds, to, warmupSeconds } = options<Sending>()
const file = Buffer.alloc(fileBytes, "filedrive ".repeat(97))

/** Milliseconds of each request of one file. */
type Took = ReadonlyArray<number>

const timed = async <A>(took: Array<number>, work: () => Promise<A>): Promise<A> => {
  const start = performance.now()
  const done = await work()
  took.push(performance.now() - start)
  return done
}

const jsonOf = (session: string) =>
  `authorization: Bearer ${session}\r\nx-service-app: filedrive\r\ncontent-type: application/json\r\n`

const postForm = async (connection: Connection, { uploadForm, uploadUrl }: any): Promise<void> => {
  const { pathname, search } = new URL(uploadUrl)
  const body = [formText(uploadForm), file, formEnd]
  await connection.post(pathname + search, `content-type: ${formType}\r\n`, body)
}

const toDrive = async (connection: Connection, number: number): Promise<Took> => {
  const { session, userId } = accounts[number % accounts.length]!
  const took: Array<number> = []
  const json = jsonOf(session)
  const name = `small-${process.pid}-${number}`
  const input = { type: "Other", fileName: name, fileSize: fileBytes, objectKey: `users/${userId}/${name}` }
  const form = JSON.parse(
    await timed(took, () => connection.post("/api/generate-file-urls", json, [JSON.stringify(input)]))
  )
  await timed(took, () => postForm(connection, form))
  const record = JSON.stringify({ ...input, isPublic: false, creator: { id: userId } })
  await timed(took, () => connection.post("/api/insert-file", json, [record]))
  return took
}

const toDriveInLists = async (connection: Connection, number: number): Promise<Took> => {
  const { session, userId } = accounts[number % accounts.length]!
  const took: Array<number> = []
  const json = jsonOf(session)
  const files = Array.from({ length: filesInList }, (_, at) => {
    const name = `small-${process.pid}-${number}-${at}`
    return { type: "Other", fileName: name, fileSize: fileBytes, objectKey: `users/${userId}/${name}` }
  })
  const body = JSON.stringify({ files })
  const { forms } = JSON.parse(await timed(took, () => connection.post("/api/generate-upload-forms", json, [body])))
  await timed(took, async () => {
    for (const form of forms) await postForm(connection, form)
  })
  const inserted = JSON.parse(await timed(took, () => connection.post("/api/insert-files", json, [body])))
  for (const { failure } of inserted.files) if (failure !== undefined) throw new Error(failure.error)
  return took
}

const inThree = async (connection: Connection, number: number): Promise<Took> => {
  const { session } = accounts[number % accounts.length]!
  const took: Array<number> = []
  const json = `authorization: Bearer ${session}\r\ncontent-type: application/json\r\n`
  const input = { fileName: `small-${process.pid}-${number}`, fileSize: fileBytes }
  const { id, uploadUrl } = JSON.parse(
    await timed(took, () => connection.post("/forms", json, [JSON.stringify(input)]))
  )
  await timed(took, () => connection.post(uploadUrl, "content-type: application/octet-stream\r\n", [file]))
  await timed(took, () => connection.post("/records", json, [JSON.stringify({ ...input, id })]))
  return took
}

const openSessions = async () => {
  const connection = new Connection(origin)
  for (const { session, userId } of accounts) {
    const body = JSON.stringify({ token: session, account: userId })
    await connection.post("/sessions", "content-type: application/json\r\n", [body])
  }
  connection.end()
}

/** Files that are sent in one drop, before the next is started. */
const filesInDrop = 500

let dropToken = Promise.resolve("")

const toDrop = async (connection: Connection, number: number): Promise<Took> => {
  const took: Array<number> = []
  const json = "content-type: application/json\r\n"
  const post = async (route: string, body: object) =>
    JSON.parse(await connection.post(route, json, [JSON.stringify(body)]))
  if (number % filesInDrop === 0) {
    const started = Promise.withResolvers<string>()
    dropToken = started.promise
    started.resolve((await post("/api/start-drop", { requestId, senderName: "bench" })).dropToken)
  }
  const name = `small-${process.pid}-${number}`
  const input = { dropToken: await dropToken, clientKey: name, type: "Other", fileName: name, fileSize: fileBytes }
  const form = await timed(took, () => post("/api/drop-file-urls", input))
  await timed(took, () => postForm(connection, form))
  await timed(took, () => post("/api/insert-drop-file", input))
  return took
}

const inOne = async (connection: Connection, number: number): Promise<Took> => {
  const { userId } = accounts[number % accounts.length]!
  const took: Array<number> = []
  const path = `/files?account=${userId}&name=small-${process.pid}-${number}`
  await timed(took, () => connection.post(path, "content-type: application/octet-stream\r\n", [file]))
  return took
}

const send =
  { drive: toDrive, "drive in lists": toDriveInLists, drop: toDrop, "hand in three": inThree, "hand in one": inOne }[to]
if (to === "hand in three") await openSessions()

const begin = performance.now()
const from = begin + warmupSeconds * 1_000
const until = from + seconds * 1_000
const measured: Array<Took> = []
let sent = 0
const lane = async () => {
  const connection = new Connection(origin)
  while (performance.now() < until) {
    const took = await send(connection, sent++)
    const now = performance.now()
    if (now >= from && now < until) measured.push(took)
  }
  connection.end()
}
await Promise.all(Array.from({ length: atOnce }, lane))
const requests = measured[0]?.map((_, at) => median(measured.map((took) => took[at]!))) ?? []
const each = to === "drive in lists" ? filesInList : 1
ready({ files: sent * each, perSecond: measured.length * each / seconds, requestMillis: requests } satisfies SentFiles)
