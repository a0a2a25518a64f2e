/**
 * Starts the example server as its reader would, sends a file through it and stops it.
 *
 *     node scripts/tryExamples.ts embedded   # what npm start gives
 *     node scripts/tryExamples.ts servers    # TEST_DATABASE_URL and S3_ENDPOINT, AWS_* from the environment
 */
import assert from "node:assert/strict"
import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { Client } from "pg"
import { root } from "./workspace.ts"

interface Ready {
  readonly baseUrl: string
  readonly authUrl: string
  readonly siteUrl: string
  readonly accounts: ReadonlyArray<{ readonly handle: string; readonly userId: string; readonly apiToken: string }>
}

/** A database and buckets of its own, as a new host has them. */
const servers = async (): Promise<Record<string, string>> => {
  const needed = ["TEST_DATABASE_URL", "S3_ENDPOINT", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]
  const missing = needed.filter((name) => !process.env[name])
  if (missing.length > 0) throw new Error(`Set ${missing.join(", ")} to try the examples on servers.`)
  const suffix = randomBytes(4).toString("hex")
  const server = process.env["TEST_DATABASE_URL"]!
  const client = new Client({ connectionString: server })
  await client.connect()
  await client.query(`CREATE DATABASE example_${suffix}`)
  await client.end()
  return {
    DATABASE_URL: Object.assign(new URL(server), { pathname: `/example_${suffix}` }).href,
    S3_PRIVATE_BUCKET: `example-${suffix}-private`,
    S3_PUBLIC_BUCKET: `example-${suffix}-public`,
    S3_CREATE_BUCKETS: "true"
  }
}

const own = /^(PORT|HOST|FILEDRIVE_|DATABASE_URL|S3_|AWS_)/

const environment = async (kind: string, data: string): Promise<NodeJS.ProcessEnv> => {
  const kept = Object.entries(process.env).filter(([name]) => kind === "servers" || !own.test(name))
  return {
    ...Object.fromEntries(kept),
    ...(kind === "servers" ? await servers() : {}),
    PORT: "0",
    FILEDRIVE_DATA: data
  }
}

/** Follows what the specification tells a client to do, with nothing but fetch. */
const sendFile = async ({ accounts, authUrl, baseUrl }: Ready): Promise<void> => {
  const { apiToken, userId } = accounts[0]!
  const post = async (url: string, token: string, body?: unknown) => {
    const answer = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "x-service-app": "filedrive" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    assert.equal(answer.status, 200, `${url}: ${await answer.clone().text()}`)
    return await answer.json()
  }
  const { gelToken } = await post(`${authUrl}/exchange-token`, apiToken)
  const call = (route: string, body?: unknown) => post(`${baseUrl}/${route}`, gelToken, body)

  const bytes = randomBytes(100_000)
  const file = {
    type: "Other",
    fileName: "Größe \"1\".bin",
    fileSize: bytes.length,
    objectKey: `users/${userId}/${randomBytes(8).toString("hex")}.bin`,
    mimeType: "application/octet-stream"
  }
  const { uploadForm, uploadUrl } = await call("generate-file-urls", file)
  const form = new FormData()
  for (const [name, value] of Object.entries(uploadForm as Record<string, string>)) form.set(name, value)
  form.set("file", new Blob([bytes]))
  const stored = await fetch(uploadUrl, { method: "POST", body: form })
  assert.ok(stored.ok, `The form was refused: ${await stored.text()}`)

  const { id } = await call("insert-file", { ...file, isPublic: false, creator: { id: userId } })
  const listed = await call("select-user-files")
  assert.deepEqual(listed.map((one: { readonly id: string }) => one.id), [id])
  const { downloadUrl } = await call("generate-download-url", { id })
  const range = await fetch(downloadUrl, { headers: { range: "bytes=10-19" } })
  assert.equal(range.status, 206)
  assert.deepEqual(Buffer.from(await range.arrayBuffer()), bytes.subarray(10, 20))

  await call("trash-files", [{ id }])
  await call("purge-trashed-files")
  assert.equal((await call("get-user-storage-usage")).usedBytes, 0)
}

const tryExample = async (main: string, kind: string): Promise<void> => {
  const data = mkdtempSync(join(tmpdir(), "filedrive-example-"))
  const example = spawn(process.execPath, ["--conditions=@filedrive/source", main], {
    cwd: root,
    env: await environment(kind, data),
    stdio: ["ignore", "pipe", "inherit"]
  })
  const ended = once(example, "exit")
  const timer = setTimeout(() => example.kill("SIGKILL"), 60_000)
  try {
    let ready: Ready | undefined
    for await (const line of createInterface(example.stdout)) {
      if (line.startsWith("filedrive ready ")) {
        ready = JSON.parse(line.slice("filedrive ready ".length)) as Ready
        break
      }
    }
    assert.ok(ready, `${main} ended before it was ready.`)
    example.stdout.resume()
    await sendFile(ready)
    example.kill("SIGTERM")
    assert.deepEqual(await ended, [0, null], "SIGTERM ends with status 0")
    console.log(`${main}, ${kind}: a file went in and came back`)
  } finally {
    clearTimeout(timer)
    example.kill("SIGKILL")
    await ended
    rmSync(data, { recursive: true, force: true })
  }
}

const kind = process.argv[2]
if (kind !== "embedded" && kind !== "servers") throw new Error("usage: tryExamples.ts embedded|servers")
await tryExample("scripts/start.mjs", kind)
