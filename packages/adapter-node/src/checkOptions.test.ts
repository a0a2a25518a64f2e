import { assert, describe, it } from "@effect/vitest"
import { Layer } from "effect"
import { checkOptions, WrongOption } from "./checkOptions.ts"

class Users {
  find(): null {
    return null
  }
}

const s3 = { region: "eu", privateBucket: "a", publicBucket: "b" }

describe("the options of createDrive", () => {
  it.each([
    { options: {} },
    { options: { url: "https://x.example/drive", paths: { api: "/v1/api" }, quotaBytes: null, log: () => undefined } },
    { options: { storage: { s3 }, database: { url: "postgres://u:p@h/d" }, accounts: { find: (): null => null } } },
    { options: { storage: Layer.empty, database: Layer.empty, accounts: Layer.empty, appId: undefined } },
    { options: { rateLimits: false, trustedProxies: 1, media: false } },
    { options: { media: { processes: 1, processMemoryMaxBytes: 1e9 } } },
    { options: { rateLimits: { account: { calls: 1, perSeconds: 1 }, store: Layer.empty } } },
    { options: { trustedProxies: { count: 1, header: "forwarded" } } },
    { options: { accounts: new Users(), database: { url: "postgres://h/d", schema: undefined } } }
  ])("HOST-11 $options are taken", ({ options }) => {
    checkOptions(options as never)
  })

  it.each([
    { options: null, says: "its argument must be an object" },
    { options: { databse: {} }, says: "databse is not known; there are url, paths, " },
    { options: { databse: undefined }, says: "databse is not known; there are url, paths, " },
    { options: { url: "app.example.com" }, says: "url must be an address" },
    { options: { paths: { api: "api/" } }, says: "paths.api must be a path" },
    { options: { paths: { api: "/x", auth: "/x" } }, says: "paths must be three different ones" },
    { options: { dataDirectory: "" }, says: "dataDirectory must be text" },
    { options: { database: { url: "mysql://x" } }, says: "database.url must be an address" },
    { options: { database: {} }, says: "database.url is missing" },
    { options: { database: { url: "postgres://h/d", schema: "a;b" } }, says: "database.schema must be a name" },
    { options: { storage: "s3" }, says: "storage must be \"disk\", { s3: … } or a layer" },
    { options: { storage: { s3: { region: "eu" } } }, says: "storage.s3.privateBucket is missing" },
    { options: { storage: { s3: { ...s3, credentials: {} } } }, says: "storage.s3.credentials must have" },
    { options: { accounts: { find: "x" } }, says: "accounts.find must be a function" },
    { options: { media: true }, says: "media must be an object" },
    { options: { media: { processes: 0 } }, says: "media.processes must be a whole number" },
    { options: { quotaBytes: 1.5 }, says: "quotaBytes must be a whole number" },
    { options: { trustedProxies: -1 }, says: "trustedProxies must be how many" },
    { options: { trustedProxies: { count: 1, header: "x-real-ip" } }, says: "trustedProxies.header must be" },
    { options: { rateLimits: true }, says: "rateLimits must be an object" },
    { options: { rateLimits: { account: { calls: 0, perSeconds: 1 } } }, says: "rateLimits.account.calls must be" },
    { options: { log: "xml" }, says: "log must be" },
    { options: { clock: 7 }, says: "clock must be a function" },
    { options: { tracing: {} }, says: "tracing.url is missing" }
  ])("HOST-11 $says", ({ options, says }) => {
    assert.throws(() => checkOptions(options as never), WrongOption)
    try {
      checkOptions(options as never)
    } catch (error) {
      assert.isTrue((error as Error).message.startsWith(`createDrive: ${says}`), String(error))
    }
  })
})
