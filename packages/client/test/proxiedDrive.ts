/** A drive behind a proxy that breaks what passes through it, for the tests of a file. */
import { afterAll, beforeAll, beforeEach } from "vitest"
import { FaultProxy } from "./FaultProxy.ts"
import { type ServedDrive, servedDrive } from "./servedDrive.ts"

export const proxiedDrive = () => {
  const proxy = new FaultProxy()
  let url: string
  let served: ServedDrive
  beforeAll(async () => {
    url = await proxy.listen()
    served = await servedDrive({ urlOf: () => url, rateLimits: false })
    proxy.to(served.url)
  })
  afterAll(async () => {
    await proxy.close()
    await served.close()
  })
  beforeEach(() => {
    proxy.fault = () => undefined
    proxy.passed.length = 0
  })
  return {
    proxy,
    /** The proxy's address, which is the drive's to whoever calls. */
    get url() {
      return url
    },
    get served() {
      return served
    }
  }
}
