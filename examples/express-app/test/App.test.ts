/** The app's own tests: plain vitest, and a drive in memory whose clock they move. */
import { listen } from "@filedrive/adapter-node"
import { type MemoryDrive, memoryDrive } from "@filedrive/testing"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { makeApp } from "../src/app.ts"
import { driveAccounts } from "../src/driveAccounts.ts"
import { Users } from "../src/users.ts"

let users: Users
let drive: MemoryDrive
let origin: string
let stop: () => Promise<void>

beforeEach(async () => {
  users = new Users()
  drive = await memoryDrive({ accounts: driveAccounts(users) })
  const server = await listen(makeApp(users, drive), { port: 0 })
  origin = server.origin
  stop = async () => {
    await server.stop()
    await drive.close()
  }
})
afterEach(() => stop())

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(origin + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body)
  })

const signIn = async (name: string) => {
  const answer = await post("/sign-in", { name, password: "secret" })
  return { cookie: answer.headers.get("set-cookie")?.split(";")[0] ?? "" }
}

/** Calls the drive through the app, as its pages would. */
const callDrive = async (cookies: { readonly cookie: string }, route: string, body: unknown = {}) => {
  const opened = await post("/drive-session", {}, cookies)
  if (opened.status !== 200) return opened
  const { token } = await opened.json()
  return post(`/drive/api${route}`, body, { authorization: `Bearer ${token}`, "x-service-app": "filedrive" })
}

const bytes = new TextEncoder().encode("The first draft.")

describe("an app with a drive", () => {
  it("HOST-10 HOST-3 a user who signs in to the app finds their files", async () => {
    const ada = users.add("ada", "secret", "large")
    await (await drive.clientOf(ada.id)).upload({ fileName: "draft.txt", bytes })
    users.add("bob", "secret", "large")
    const listed = await (await callDrive(await signIn("ada"), "/select-user-files")).json()
    expect(listed).toMatchObject([{ fileName: "draft.txt", type: "Text", fileSize: bytes.length }])
    expect(await (await callDrive(await signIn("bob"), "/select-user-files")).json()).toEqual([])
    expect((await callDrive({ cookie: "sid=guessed" }, "/select-user-files")).status).toBe(401)
  })

  it("HOST-10 what a user may store is what the app has sold them", async () => {
    const ada = users.add("ada", "secret", "none")
    const client = await drive.clientOf(ada.id)
    await expect(client.upload({ fileName: "draft.txt", bytes })).rejects.toThrow("no_plan")
    users.change(ada.id, { subscription: "small" })
    await client.upload({ fileName: "draft.txt", bytes })
    const usage = await (await callDrive(await signIn("ada"), "/get-user-storage-usage")).json()
    expect(usage).toMatchObject({ usedBytes: bytes.length, quotaBytes: 10_000_000_000 })
  })

  it("HOST-10 the app's own code uses the drive without HTTP", async () => {
    const ada = users.add("ada", "secret", "large")
    const id = await (await drive.clientOf(ada.id)).upload({ fileName: "draft.txt", bytes })
    const { files, renameFile } = drive.as(ada.id)
    await renameFile({ fileId: id, fileName: "final.txt" })
    const names: Array<string> = []
    for await (const file of files.list()) names.push(file.fileName)
    expect(names).toEqual(["final.txt"])
  })

  it("HOST-10 a day later the drive's session has ended, and the app opens another", async () => {
    users.add("ada", "secret", "large")
    const cookies = await signIn("ada")
    const { token } = await (await post("/drive-session", {}, cookies)).json()
    await drive.clock.advance("25 hours")
    const headers = { authorization: `Bearer ${token}`, "x-service-app": "filedrive" }
    const ended = await post("/drive/api/select-user-files", {}, headers)
    expect(await ended.json()).toMatchObject({ code: "session_expired" })
    expect((await callDrive(cookies, "/select-user-files")).status).toBe(200)
  })
})
