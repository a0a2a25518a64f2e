import { httpSuite } from "@filedrive/testing/suites"
import { fetchOf, temporaryDrive, userOf } from "./hosts.ts"

// Without a mount the suite runs in memory (`packages/testing/src/MemoryDrive.test.ts`) and through the client.
httpSuite("fetch at '/some/path'", async () => {
  const url = "http://drive.test/some/path"
  const { close, drive } = await temporaryDrive({ url, allowPrivateAddresses: true })
  return { url, fetch: fetchOf(drive), user: userOf(drive), close }
})
