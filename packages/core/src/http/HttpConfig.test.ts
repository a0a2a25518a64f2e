import { assert, it } from "@effect/vitest"
import { Config, ConfigProvider, Effect, Layer } from "effect"
import * as HttpConfig from "./HttpConfig.ts"

const configured = HttpConfig.layerConfig({
  origin: Config.String("ORIGIN"),
  allowedOrigins: Config.String("ALLOWED_ORIGINS").pipe(
    Config.map((text) => text.split(",")),
    Config.withDefault([])
  ),
  trustedProxies: { count: Config.Int("PROXIES"), header: Config.succeed("x-forwarded-for" as const) }
})

const read = (env: Readonly<Record<string, string>>) =>
  Effect.provide(
    HttpConfig.HttpConfig,
    Layer.provide(configured, ConfigProvider.layer(ConfigProvider.fromEnv({ env })))
  )

it.effect("HOST-100 the HTTP side's, beside the defaults", () =>
  Effect.gen(function*() {
    assert.deepStrictEqual(
      yield* read({
        ORIGIN: "https://files.example.com",
        ALLOWED_ORIGINS: "https://a.example,https://b.example",
        PROXIES: "1"
      }),
      {
        ...HttpConfig.defaults,
        origin: "https://files.example.com",
        allowedOrigins: ["https://a.example", "https://b.example"],
        trustedProxies: { count: 1, header: "x-forwarded-for" }
      }
    )
    const failure = yield* Effect.flip(read({ ORIGIN: "https://files.example.com", PROXIES: "one" }))
    assert.include(failure.message, "PROXIES")
  }))
