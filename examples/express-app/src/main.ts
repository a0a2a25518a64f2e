import { createDrive, listen } from "@filedrive/adapter-node"
import { makeApp } from "./app.ts"
import { driveAccounts } from "./driveAccounts.ts"
import { Users } from "./users.ts"

const users = new Users()
users.add("ada", "correct horse", "large")

const drive = createDrive({ url: "http://127.0.0.1:3000/drive", accounts: driveAccounts(users) })
// A server without a limit on the time of uploads; app.listen() would cut them after five minutes.
const server = await listen(makeApp(users, drive), { port: 3000 })
await drive.ready()
console.log(`The app is up at ${server.origin}, its drive at ${drive.urls.api}`)

process.once("SIGTERM", async () => {
  const stopped = server.stop()
  // Live feeds would keep the server waiting.
  await drive.endStreams()
  await stopped
  await drive.close()
})
