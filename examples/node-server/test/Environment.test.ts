import { assert, describe, it } from "@effect/vitest"
import { settingsOf } from "../src/Environment.ts"
import { drawnBy } from "../src/EnvironmentImages.ts"
import { WrongVariable } from "../src/Variables.ts"
import { whyNot } from "../src/whyNot.ts"

const s3 = {
  S3_ENDPOINT: "http://127.0.0.1:9000/",
  S3_PRIVATE_BUCKET: "private",
  S3_PUBLIC_BUCKET: "public",
  AWS_ACCESS_KEY_ID: "id",
  AWS_SECRET_ACCESS_KEY: "hush"
}
const accounts = (...accounts: ReadonlyArray<unknown>) => ({ FILEDRIVE_ACCOUNTS: JSON.stringify(accounts) })
const ada = { handle: "ada", apiToken: "fdt_0123456789000000000000000000" }

describe("the environment", () => {
  it("HOST-5 nothing set gives the embedded drive on port 4500", () => {
    assert.deepStrictEqual(settingsOf({ PORT: "", HOME: "/root", AWS_REGION: "eu-west-1" }), {
      port: 4500,
      host: "127.0.0.1",
      dataDirectory: "./.filedrive",
      origin: null,
      databaseUrl: null,
      schema: null,
      s3: null,
      diskReserveBytes: null,
      appId: "filedrive",
      allowedOrigins: [],
      introspectionSecrets: [],
      trustedProxies: 0,
      maxConnections: 10_000,
      maxConnectionsPerAddress: 1_000,
      allowPrivateAddresses: false,
      images: { samples: true },
      callsPerMinute: null,
      agent: { model: null, secretKeys: [] },
      accounts: null,
      log: "quiet",
      tracesUrl: null,
      metrics: false
    })
  })

  it("HOST-5 lists are separated by commas", () => {
    const secrets = ["0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"]
    const { allowedOrigins, introspectionSecrets } = settingsOf({
      FILEDRIVE_ALLOWED_ORIGINS: "https://A.test/, http://localhost:6274 ,*",
      FILEDRIVE_INTROSPECTION_SECRETS: secrets.join()
    })
    assert.deepStrictEqual(allowedOrigins, ["https://a.test", "http://localhost:6274", "*"])
    assert.deepStrictEqual(introspectionSecrets, secrets)
  })

  it.each([
    {
      variables: { OPENAI_API_KEY: "k" },
      model: { provider: "openai", model: "gpt-5-mini", apiKey: "k" }
    },
    {
      variables: { ANTHROPIC_API_KEY: "a" },
      model: { provider: "anthropic", model: "claude-sonnet-4-5", apiKey: "a" }
    },
    {
      variables: { FILEDRIVE_MODEL: "llama", OPENAI_BASE_URL: "http://127.0.0.1:11434/v1/" },
      model: { provider: "openai", model: "llama", baseUrl: "http://127.0.0.1:11434/v1" }
    },
    {
      variables: { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "a", FILEDRIVE_MODEL: "claude-x" },
      model: { provider: "anthropic", model: "claude-x", apiKey: "a" }
    },
    {
      variables: { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "a", FILEDRIVE_MODEL: "gpt-x" },
      model: { provider: "openai", model: "gpt-x", apiKey: "k" }
    },
    { variables: { OPENAI_API_KEY: "", OPENAI_BASE_URL: "http://127.0.0.1/v1" }, model: null }
  ])("HOST-5 the agent's language model by $variables", ({ model, variables }) => {
    assert.deepStrictEqual(settingsOf(variables).agent.model as unknown, model)
  })

  it("HOST-5 a model's name without a key or an address is refused, because it is nobody's", () => {
    assert.throws(
      () => settingsOf({ FILEDRIVE_MODEL: "llama" }),
      /FILEDRIVE_MODEL needs OPENAI_API_KEY or ANTHROPIC_API_KEY/
    )
  })

  it("HOST-5 keys of secrets, newest first", () => {
    const [one, two] = [Buffer.alloc(32, 1).toString("base64"), Buffer.alloc(32, 2).toString("base64url")]
    assert.deepStrictEqual(settingsOf({ FILEDRIVE_SECRET_KEY: `${one}, ${two}` }).agent.secretKeys, [one, two])
  })

  it("HOST-5 a start that fails because the disk of the database is full says so", () => {
    const full = Object.assign(new Error("could not extend file"), { code: "53100" })
    const failure = Object.assign(new Error("Migration failed", { cause: full }), { _tag: "MigrationError" })
    assert.strictEqual(whyNot(failure), "FILEDRIVE_DATA: The disk of the database is full.")
  })

  it.each([
    { code: "ENOTFOUND", syscall: "getaddrinfo", says: "HOST leads to no address (getaddrinfo ENOTFOUND nowhere)." },
    { code: "EINVAL", syscall: "listen", says: "HOST can't be used (listen EINVAL nowhere)." },
    { code: "EADDRNOTAVAIL", syscall: "listen", says: "HOST is no address of this machine." },
    { code: "EAFNOSUPPORT", syscall: "listen", says: "HOST is an address of a kind that this machine doesn't have." },
    { code: "EACCES", syscall: "listen", says: "PORT can't be used (listen EACCES nowhere)." },
    { code: "EACCES", syscall: "mkdir", says: "FILEDRIVE_DATA can't be used (mkdir EACCES nowhere)." }
  ])("HOST-5 a start that fails by $syscall $code names its variable", ({ code, says, syscall }) => {
    assert.strictEqual(whyNot(Object.assign(new Error(`${syscall} ${code} nowhere`), { code, syscall })), says)
  })

  it("IMG-11 a provider's key, and its address where that is another", () => {
    assert.deepStrictEqual(
      settingsOf({
        OPENAI_API_KEY: "secret-1",
        GOOGLE_GENERATIVE_AI_API_KEY: "secret-2",
        GOOGLE_GENERATIVE_AI_BASE_URL: "http://127.0.0.1:8080/v1beta/",
        BFL_API_KEY: "",
        BFL_BASE_URL: "https://api.eu.bfl.ai/v1",
        FAL_API_KEY: "secret-3",
        FAL_BASE_URL: "",
        FILEDRIVE_SAMPLE_IMAGES: "0"
      }).images,
      {
        openai: { apiKey: "secret-1" },
        google: { apiKey: "secret-2", baseUrl: "http://127.0.0.1:8080/v1beta" },
        fal: { apiKey: "secret-3" },
        samples: false
      }
    )
  })

  it.each([
    [{}, "samples, for want of a provider's key"],
    [{ FILEDRIVE_SAMPLE_IMAGES: "0" }, "not available"],
    [{ FAL_API_KEY: "a", OPENAI_API_KEY: "b" }, "by OpenAI, fal"]
  ])("IMG-11 with %j images are drawn: %s", (variables, words) => {
    assert.strictEqual(drawnBy(settingsOf(variables).images), words)
  })

  it("HOST-5 what stays free of the disk in bytes", () => {
    assert.strictEqual(settingsOf({ FILEDRIVE_DISK_RESERVE: "1000000" }).diskReserveBytes, 1_000_000)
    assert.throws(() => settingsOf({ FILEDRIVE_DISK_RESERVE: "1 GB" }), WrongVariable, "FILEDRIVE_DISK_RESERVE")
  })

  it("HOST-5 proxies and calls a minute by number", () => {
    const settings = settingsOf({ FILEDRIVE_TRUSTED_PROXIES: "2", FILEDRIVE_CALLS_PER_MINUTE: "0" })
    assert.deepInclude(settings, { trustedProxies: 2, callsPerMinute: 0 })
    assert.throws(() => settingsOf({ FILEDRIVE_CALLS_PER_MINUTE: "many" }), WrongVariable, "FILEDRIVE_CALLS_PER_MINUTE")
  })

  it("HOST-5 HOST-21 connections by number; behind proxies all may come from one address", () => {
    const settings = settingsOf({ FILEDRIVE_MAX_CONNECTIONS: "50", FILEDRIVE_MAX_CONNECTIONS_PER_ADDRESS: "5" })
    assert.deepInclude(settings, { maxConnections: 50, maxConnectionsPerAddress: 5 })
    assert.deepInclude(settingsOf({ FILEDRIVE_TRUSTED_PROXIES: "1" }), { maxConnectionsPerAddress: 10_000 })
    assert.throws(() => settingsOf({ FILEDRIVE_MAX_CONNECTIONS: "0" }), WrongVariable, "FILEDRIVE_MAX_CONNECTIONS")
  })

  it("HOST-5 storage on S3 by its variables alone", () => {
    assert.deepStrictEqual(settingsOf({ ...s3, S3_POST_POLICY: "0" }).s3, {
      endpoint: "http://127.0.0.1:9000",
      publicEndpoint: null,
      region: "us-east-1",
      privateBucket: "private",
      publicBucket: "public",
      forcePathStyle: true,
      credentials: { accessKeyId: "id", secretAccessKey: "hush" },
      postPolicy: false,
      createBuckets: false
    })
  })

  it("HOST-5 accounts by JSON, what is left out filled in", () => {
    assert.deepStrictEqual(settingsOf(accounts(ada)).accounts, [
      { ...ada, displayName: null, plan: "pro", quotaBytes: null, imagesPerMonth: "plan", userId: null }
    ])
    const full = {
      ...ada,
      displayName: "Ada",
      plan: null,
      quotaBytes: 5,
      imagesPerMonth: null,
      userId: "019845e1-682f-4b02-a706-3b2422d13aec"
    }
    assert.deepStrictEqual(settingsOf(accounts(full)).accounts, [full] as never)
  })

  it.each([
    { variables: { PORT: "80a" }, says: "PORT must be a whole number from 0 to 65535, but is \"80a\"." },
    { variables: { PORT: "65536" }, says: "PORT must be" },
    { variables: { FILEDRIVE_ORIGIN: "drive.example.com" }, says: "FILEDRIVE_ORIGIN must be an address" },
    {
      variables: { FILEDRIVE_ORIGIN: "https://x.example/drive" },
      says: "FILEDRIVE_ORIGIN must be an origin without a path"
    },
    { variables: { DATABASE_URL: "mysql://root:secret@db/x" }, says: "DATABASE_URL must be" },
    { variables: { FILEDRIVE_SCHEMA: "mine" }, says: "FILEDRIVE_SCHEMA is set, but DATABASE_URL is not" },
    { variables: { FILEDRIVE_APP_ID: "two words" }, says: "FILEDRIVE_APP_ID must be" },
    {
      variables: { FILEDRIVE_ALLOWED_ORIGINS: "https://a.test,https://b.test/path" },
      says: "FILEDRIVE_ALLOWED_ORIGINS must be origins like https://app.example.com with commas, or *"
    },
    {
      variables: { FILEDRIVE_INTROSPECTION_SECRETS: "hush" },
      says: "FILEDRIVE_INTROSPECTION_SECRETS must be texts of at least 32"
    },
    {
      variables: { FILEDRIVE_LOG: "xml" },
      says: "FILEDRIVE_LOG must be one of json, pretty, off, quiet, but is \"xml\"."
    },
    {
      variables: { FILEDRIVE_ALLOW_PRIVATE_ADDRESSES: "some" },
      says: "FILEDRIVE_ALLOW_PRIVATE_ADDRESSES must be 1 or 0"
    },
    { variables: { OPENAI_API_KEY: "two secrets" }, says: "OPENAI_API_KEY must be a key" },
    { variables: { FAL_API_KEY: "secret\n" }, says: "FAL_API_KEY must be a key" },
    { variables: { BFL_BASE_URL: "secret" }, says: "BFL_BASE_URL must be the address of an API" },
    { variables: { OPENAI_BASE_URL: "https://me:secret@x.example/v1" }, says: "OPENAI_BASE_URL must be an address" },
    { variables: { FILEDRIVE_SAMPLE_IMAGES: "no" }, says: "FILEDRIVE_SAMPLE_IMAGES must be 1 or 0" },
    { variables: { FILEDRIVE_SECRET_KEY: "short" }, says: "FILEDRIVE_SECRET_KEY must be 32 bytes in base64" },
    {
      variables: { ANTHROPIC_API_KEY: "k", ANTHROPIC_BASE_URL: "api" },
      says: "ANTHROPIC_BASE_URL must be the address of an API"
    },
    { variables: { ANTHROPIC_API_KEY: "two secrets" }, says: "ANTHROPIC_API_KEY must be a key" },
    { variables: { FILEDRIVE_METRICS: "on" }, says: "FILEDRIVE_METRICS must be 1 or 0" },
    { variables: { FILEDRIVE_METRICS: "yes" }, says: "FILEDRIVE_METRICS must be 1 or 0 (or true or false), but is" },
    { variables: { FILEDRIVE_METRICS: "TRUE" }, says: "FILEDRIVE_METRICS must be 1 or 0" },
    { variables: { ...s3, S3_POST_POLICY: "no" }, says: "S3_POST_POLICY must be 1 or 0" },
    { variables: { OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, says: "OTEL_EXPORTER_OTLP_ENDPOINT must be" },
    { variables: { S3_REGION: "eu" }, says: "S3_PRIVATE_BUCKET is not set, but S3_REGION is" },
    { variables: { ...s3, AWS_SECRET_ACCESS_KEY: "" }, says: "AWS_SECRET_ACCESS_KEY is not set, but S3_ENDPOINT is" },
    { variables: { ...s3, S3_PUBLIC_BUCKET: "private" }, says: "S3_PUBLIC_BUCKET must name another bucket" },
    { variables: { ...s3, S3_ENDPOINT: "ftp://x" }, says: "S3_ENDPOINT must be" },
    { variables: { ...s3, S3_FORCE_PATH_STYLE: "maybe" }, says: "S3_FORCE_PATH_STYLE must be 1 or 0" },
    { variables: { FILEDRIVE_ACCOUNTS: "{secret}" }, says: "FILEDRIVE_ACCOUNTS must be a JSON array" },
    { variables: accounts(), says: "FILEDRIVE_ACCOUNTS must be a JSON array of at least one account" },
    { variables: accounts("secret"), says: "FILEDRIVE_ACCOUNTS [0] must be an object" },
    { variables: accounts(ada, { ...ada, handle: "" }), says: "FILEDRIVE_ACCOUNTS [1].handle must be" },
    { variables: accounts({ ...ada, plan: "gold" }), says: "FILEDRIVE_ACCOUNTS [0].plan must be" },
    { variables: accounts({ ...ada, quotaBytes: -1 }), says: "FILEDRIVE_ACCOUNTS [0].quotaBytes must be" },
    { variables: accounts({ ...ada, imagesPerMonth: -1 }), says: "FILEDRIVE_ACCOUNTS [0].imagesPerMonth must be" },
    {
      variables: accounts({ ...ada, apiToken: "secret" }),
      says: "FILEDRIVE_ACCOUNTS [0].apiToken must have at least 32 characters"
    },
    { variables: accounts({ ...ada, userId: "7" }), says: "FILEDRIVE_ACCOUNTS [0].userId must be a UUID" },
    {
      variables: accounts(ada, { ...ada, handle: "bob" }),
      says: "FILEDRIVE_ACCOUNTS must not give two accounts the same apiToken"
    }
  ])("HOST-5 $says", ({ says, variables }) => {
    try {
      settingsOf(variables)
    } catch (error) {
      assert.instanceOf(error, WrongVariable)
      assert.isTrue(error.message.startsWith(says), error.message)
      assert.notInclude(error.message, "secret", "HOST-5 a message repeats nothing that may be a secret")
      return
    }
    assert.fail("was accepted")
  })
})
