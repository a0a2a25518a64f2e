import { listen } from "@filedrive/adapter-node"
import { httpSuite } from "@filedrive/testing/suites"
import { temporaryDrive, userOf } from "./hosts.ts"

httpSuite("node:http at '/some/path'", async () => {
  const server = await listen((request, response) => drive.nodeHandler(request, response), { port: 0 })
  const url = `${server.origin}/some/path`
  const { close, drive } = await temporaryDrive({ url, allowPrivateAddresses: true })
  return {
    url,
    user: userOf(drive),
    close: async () => {
      await server.stop()
      await close()
    }
  }
})
