/** What a host chooses about the HTTP side of its drive. */
import { Config, Context, Effect, Layer } from "effect"
import { noProxies, type TrustedProxies } from "./ClientAddress.ts"
import { defaults as rateLimits, type RateLimits } from "./RateLimits.ts"

export interface HttpConfig {
  /** Where the file service is mounted, without a trailing slash. Default `/api`. */
  readonly basePath: string
  /** Where `/exchange-token` is mounted, without a trailing slash. Default `/auth`. */
  readonly authPath: string
  /** Public scheme and host, like `https://drive.example.com`, or null when callers use the address they know. */
  readonly origin: string | null
  /** What `X-Service-App` must say. Default `filedrive`. */
  readonly appId: string
  /** Whether calls without the right `X-Service-App` are refused. Default true. */
  readonly checkAppHeader: boolean
  /** Origins whose pages may call the drive from a browser; `*` for all. Default none. */
  readonly allowedOrigins: ReadonlyArray<string>
  /** Whether each answered request is logged: route, status and duration, nothing else. Default false. */
  readonly logRequests: boolean
  /** The proxies in front, which say where a call comes from. Default none. */
  readonly trustedProxies: TrustedProxies
  /** How many calls are accepted from one account and address; false for any number. Default: see {@link "./RateLimits.ts"}. */
  readonly rateLimits: RateLimits | false
}

export const defaults: HttpConfig = {
  basePath: "/api",
  authPath: "/auth",
  origin: null,
  appId: "filedrive",
  checkAppHeader: true,
  allowedOrigins: [],
  logRequests: false,
  trustedProxies: noProxies,
  rateLimits
}

export const HttpConfig = Context.Reference<HttpConfig>("@filedrive/core/http/HttpConfig", {
  defaultValue: () => defaults
})

export const layer = (options: Partial<HttpConfig>): Layer.Layer<never> =>
  Layer.succeed(HttpConfig, { ...defaults, ...options })

/** {@link layer} with its options read by `Config`: `HttpConfig.layerConfig({ appId: Config.String("APP_ID") })`. */
export const layerConfig = (config: Config.Wrap<Partial<HttpConfig>>): Layer.Layer<never, Config.ConfigError> =>
  Layer.unwrap(Effect.map(Config.unwrap(config), layer))

/** The address of the API as a resource of OAuth (RFC 8707): access tokens are issued for it. */
export const apiResource = ({ basePath, origin }: HttpConfig): string => `${origin ?? ""}${basePath}`
