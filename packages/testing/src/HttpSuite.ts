/**
 * What a drive must do over HTTP, whatever serves it. Run it on each host:
 *
 * ```ts
 * httpSuite("Express 5 under /some/path", async () => {
 *   // The suite has files imported from servers of its own, on this machine.
 *   const drive = createDrive({ url: "http://127.0.0.1:4510/some/path", allowPrivateAddresses: true })
 *   …
 *   return { url: "http://127.0.0.1:4510/some/path", user, close }
 * })
 * ```
 */
import { afterAll, beforeAll, describe } from "@effect/vitest"
import { archiveCases } from "./http/ArchiveCases.ts"
import { errorCases } from "./http/ErrorCases.ts"
import { feedCases } from "./http/FeedCases.ts"
import { fileCases } from "./http/FileCases.ts"
import type { CurrentHost, HttpHost } from "./http/HttpHost.ts"
import { importCases } from "./http/ImportCases.ts"
import { mediaCases } from "./http/MediaCases.ts"
import { organizeCases } from "./http/OrganizeCases.ts"
import { readCases } from "./http/ReadCases.ts"
import { reviewCases } from "./http/ReviewCases.ts"
import { searchCases } from "./http/SearchCases.ts"
import { serviceCases } from "./http/ServiceCases.ts"
import { shareCases } from "./http/ShareCases.ts"
import { tokenCases } from "./http/TokenCases.ts"
import { uploadCases } from "./http/UploadCases.ts"

export { type HttpHost } from "./http/HttpHost.ts"

export const httpSuite = (name: string, start: () => Promise<HttpHost>): void => {
  describe(`HTTP (${name})`, () => {
    let host: HttpHost | undefined
    beforeAll(async () => {
      host = await start()
    })
    afterAll(() => host?.close())
    const current: CurrentHost = () => {
      if (host === undefined) throw new Error("The host under test did not start.")
      return host
    }
    uploadCases(current)
    fileCases(current)
    feedCases(current)
    mediaCases(current)
    readCases(current)
    archiveCases(current)
    importCases(current)
    organizeCases(current)
    tokenCases(current)
    errorCases(current)
    reviewCases(current)
    searchCases(current)
    serviceCases(current)
    shareCases(current)
  })
}
