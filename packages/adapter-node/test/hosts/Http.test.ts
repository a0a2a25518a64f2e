import { listen } from "@filedrive/adapter-node"
import { httpSuite } from "@filedrive/testing/suites"
import { fetchOf, temporaryDrive, userOf } from "./hosts.ts"

for (const mount of ["", "/some/path"]) {
  httpSuite(`fetch at '${mount}'`, async () => {
    const url = `http://drive.test${mount}`
    const { close, drive } = await temporaryDrive({ url, allowPrivateAddresses: true })
    return { url, fetch: fetchOf(drive), user: userOf(drive), close }
  })

  httpSuite(`node:http at '${mount}'`, async () => {
    const server = await listen((request, response) => drive.nodeHandler(request, response), { port: 0 })
    const { close, drive } = await temporaryDrive({ url: server.origin + mount, allowPrivateAddresses: true })
    return {
      url: server.origin + mount,
      user: userOf(drive),
      close: async () => {
        await server.stop()
        await close()
      }
    }
  })
}
