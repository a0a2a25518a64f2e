import { assert, describe, it } from "@effect/vitest"
import { Layer } from "effect"
import { checkListenOptions, checkOptions, checkServeOptions, WrongOption } from "./checkOptions.ts"

class Users {
  find(): null {
    return null
  }
}

const s3 = { region: "eu", privateBucket: "a", publicBucket: "b" }

const refusal = (check: () => void): string => {
  try {
    check()
  } catch (error) {
    assert.instanceOf(error, WrongOption)
    assert.strictEqual(error.name, "WrongOption")
    return error.message
  }
  return "was taken"
}

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

  const user = () => null
  const loginUrl = (returnTo: string) => `/login?to=${returnTo}`
  const secret = "introspection-secret-of-32-chars"

  it.each([
    { signIn: { user, loginUrl } },
    { signIn: { user, loginUrl }, oauth: { introspectionSecrets: [secret, `${secret}2`] } },
    { oauth: {} },
    { oauth: { redirectSchemes: [] } },
    { signIn: { user, loginUrl }, oauth: { redirectSchemes: ["notes", "com.example.notes"] } },
    { mcp: false }
  ])("OAUTH-40 $options are taken", (options) => {
    checkOptions(options as never)
  })

  it.each([
    { options: { signIn: {} }, says: "signIn.user is missing" },
    { options: { signIn: { user: "ada", loginUrl } }, says: "signIn.user must be a function" },
    { options: { signIn: { user, loginUrl: "/login" } }, says: "signIn.loginUrl must be a function" },
    { options: { oauth: { introspectionSecrets: ["short"] } }, says: "oauth.introspectionSecrets must be a list" },
    { options: { oauth: { redirectSchemes: "cursor" } }, says: "oauth.redirectSchemes must be a list" },
    { options: { oauth: { redirectSchemes: ["javascript"] } }, says: "oauth.redirectSchemes must be a list" },
    { options: { oauth: { redirectSchemes: ["Cursor"] } }, says: "oauth.redirectSchemes must be a list" },
    { options: { oauth: { redirectSchemes: ["notes:"] } }, says: "oauth.redirectSchemes must be a list" },
    { options: { oauth: { introspectionSecrets: secret } }, says: "oauth.introspectionSecrets must be a list" },
    { options: { oauth: { introspectionSecrets: [`${secret} `] } }, says: "oauth.introspectionSecrets must be a list" },
    {
      options: { oauth: { introspectionSecrets: [secret] } },
      says: "oauth.introspectionSecrets must have the option signIn"
    },
    { options: { mcp: true }, says: "mcp must be false, or left out" }
  ])("OAUTH-40 $says", ({ options, says }) => {
    const told = refusal(() => checkOptions(options as never))
    assert.isTrue(told.startsWith(`createDrive: ${says}`), told)
    assert.notInclude(told, secret)
  })

  const generate = () => undefined

  it.each([
    { images: {} },
    { images: { samples: false } },
    {
      images: { openai: { apiKey: "a" }, fal: { apiKey: "b", baseUrl: "http://127.0.0.1:8080/fal" }, google: undefined }
    },
    { images: { generator: { generate } } },
    { images: { generator: { generate, models: ["gptImage2", "nanoBanana"] } } },
    { images: Layer.empty }
  ])("IMG-11 $images are taken", (options) => {
    checkOptions(options as never)
  })

  it.each([
    { images: true, says: "images must be an object" },
    { images: { openai: {} }, says: "images.openai.apiKey is missing" },
    { images: { fal: { apiKey: "se cret" } }, says: "images.fal.apiKey must be printable ASCII without spaces" },
    { images: { google: { apiKey: "a", baseUrl: "x" } }, says: "images.google.baseUrl must be an address" },
    { images: { generator: {} }, says: "images.generator must have a function generate" },
    {
      images: { generator: { generate }, fal: { apiKey: "a" } },
      says: "images.generator must not stand beside providers"
    },
    ...["gptImage2", [], ["dalle"]].map((models) => ({
      images: { generator: { generate, models } },
      says: "images.generator.models must be a list of models, of gptImage2, "
    })),
    { images: { samples: true, fal: { apiKey: "a" } }, says: "images.samples must not be true beside providers" },
    { images: { samples: "no" }, says: "images.samples must be true or false" }
  ])("IMG-11 $says", ({ images, says }) => {
    const told = refusal(() => checkOptions({ images } as never))
    assert.isTrue(told.startsWith(`createDrive: ${says}`), told)
    assert.notInclude(told, "se cret")
  })

  it.each([
    { options: null, says: "its argument must be an object" },
    { options: { databse: {} }, says: "databse is not known; there are url, paths, " },
    { options: { databse: undefined }, says: "databse is not known; there are url, paths, " },
    { options: { url: "app.example.com" }, says: "url must be an address" },
    { options: { paths: { api: "api/" } }, says: "paths.api must be a path" },
    { options: { paths: { api: "/x", auth: "/x" } }, says: "paths must be five different ones" },
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
    assert.isTrue(refusal(() => checkOptions(options as never)).startsWith(`createDrive: ${says}`))
  })

  const timer = 2 ** 31 - 1
  const most = Number.MAX_SAFE_INTEGER

  it.each([
    { options: { closeGraceMillis: timer } },
    { options: { closeGraceMillis: 0, diskReserveBytes: 0, quotaBytes: most, searchMemoryBytes: most } },
    { options: { media: { processes: 1_024, processMemoryMaxBytes: most }, trustedProxies: 100 } },
    { options: { rateLimits: { account: { calls: 1e9, perSeconds: 31_536_000 } } } },
    { options: { paths: { api: "/x", auth: "/x/auth", storage: "/x/.hidden/store" } } },
    { options: { paths: { api: "/storage-api" } } }
  ])("HOST-96 $options are taken", ({ options }) => {
    checkOptions(options as never)
  })

  it.each([
    { options: { closeGraceMillis: 2 ** 40 }, says: `closeGraceMillis must be whole milliseconds from 0 to ${timer}` },
    { options: { closeGraceMillis: Infinity }, says: "closeGraceMillis must be whole milliseconds" },
    { options: { closeGraceMillis: -1 }, says: "closeGraceMillis must be whole milliseconds" },
    { options: { diskReserveBytes: 2 ** 53 }, says: "diskReserveBytes must be a whole number of bytes from 0 to" },
    { options: { searchMemoryBytes: -1 }, says: "searchMemoryBytes must be a whole number of bytes" },
    { options: { quotaBytes: NaN }, says: "quotaBytes must be a whole number of bytes from 0 to" },
    { options: { database: { url: "postgres://h/d", maxConnections: 1e6 } }, says: "database.maxConnections must be" },
    { options: { media: { processes: 1_025 } }, says: "media.processes must be a whole number from 1 to 1024" },
    { options: { media: { processMemoryMaxBytes: 0 } }, says: "media.processMemoryMaxBytes must be" },
    { options: { media: { ffmpegPath: "a\0b" } }, says: "media.ffmpegPath must be text without NUL" },
    { options: { trustedProxies: 101 }, says: "trustedProxies must be how many proxies there are" },
    { options: { trustedProxies: { count: 1e9, header: "forwarded" } }, says: "trustedProxies.count must be how many" },
    {
      options: { rateLimits: { address: { calls: 1, perSeconds: 1e12 } } },
      says: "rateLimits.address.perSeconds must be a whole number from 1 to 31536000"
    },
    { options: { rateLimits: { address: { calls: 1e10, perSeconds: 1 } } }, says: "rateLimits.address.calls must be" },
    {
      options: { storage: { s3: { ...s3, singleUploadMaxBytes: 0 } } },
      says: "storage.s3.singleUploadMaxBytes must be"
    },
    { options: { dataDirectory: "a\0b" }, says: "dataDirectory must be text without NUL characters" },
    { options: { dataDirectory: " " }, says: "dataDirectory must be text" },
    { options: { paths: { api: "api" } }, says: "paths.api must be a path" },
    { options: { paths: { api: "" } }, says: "paths.api must be a path" },
    { options: { paths: { auth: "/a/../b" } }, says: "paths.auth must be a path" },
    { options: { paths: { storage: "/.." } }, says: "paths.storage must be a path" },
    { options: { paths: { storage: "/./a" } }, says: "paths.storage must be a path" },
    { options: { paths: { api: "/a?b" } }, says: "paths.api must be a path" },
    { options: { paths: { api: "/a//b" } }, says: "paths.api must be a path" },
    { options: { paths: { api: "/a%2f" } }, says: "paths.api must be a path" },
    { options: { paths: { api: "/storage" } }, says: "paths must be five different ones" },
    { options: { paths: { api: "/x/api", storage: "/x" } }, says: "paths.storage must not be above /x/api" },
    { options: { paths: { auth: "/storage/auth" } }, says: "paths.storage must not be above /storage/auth" },
    { options: { paths: { mcp: "/a2a" } }, says: "paths must be five different ones" },
    { options: { paths: { mcp: "/oauth/mcp" } }, says: "paths.mcp must not be at or below /oauth or /.well-known" },
    { options: { paths: { storage: "/oauth" } }, says: "paths.storage must not be at or below /oauth" },
    { options: { paths: { api: "/.well-known" } }, says: "paths.api must not be at or below /oauth or /.well-known" }
  ])("HOST-96 $says", ({ options, says }) => {
    assert.include(refusal(() => checkOptions(options as never)), `createDrive: ${says}`)
  })

  it.each([
    { options: { graceMillis: 2 ** 31 }, says: "graceMillis must be whole milliseconds from 0 to" },
    { options: { restMillis: Infinity }, says: "restMillis must be whole milliseconds" },
    { options: { stallMillis: 0.5 }, says: "stallMillis must be whole milliseconds" },
    { options: { headersMillis: 0 }, says: "headersMillis must be whole milliseconds from 1 to" },
    { options: { port: 65_536 }, says: "port must be a whole number from 0 to 65535" },
    { options: { maxConnections: 1e9 }, says: "maxConnections must be a whole number from 1 to 10000000" },
    { options: { maxConnectionsPerAddress: 0 }, says: "maxConnectionsPerAddress must be" },
    { options: { host: "a\0" }, says: "host must be text without NUL" }
  ])("HOST-96 serve and listen: $says", ({ options, says }) => {
    assert.include(refusal(() => checkServeOptions(options)), `serve: ${says}`)
    assert.include(refusal(() => checkListenOptions(options)), `listen: ${says}`)
  })
})
