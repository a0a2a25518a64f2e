/** What a drive answers besides its operations: its agent, tools for MCP clients, OAuth, and pages. Each is loaded only where it is used. */
import {
  type Accounts,
  type ActiveAccounts,
  type Bearers,
  type Events,
  type Grants,
  type HostUsers,
  type Mount,
  Mounts,
  type OauthClients,
  ObjectStore,
  type Operations,
  RateLimitsGuard,
  RedirectScheme,
  type RemoteFile,
  type SecretBox,
  type Sessions,
  type Tasks
} from "@filedrive/core"
import { Effect, Layer } from "effect"
import type { Digest, SecureRandom } from "effect/crypto"
import { WrongOption } from "./checkOptions.ts"
import type { DriveOptions } from "./DriveOptions.ts"
import { assetsPath, issuerPath, linkPathsOf, pagePathsOf, pathsOf, resourcesOf } from "./DrivePaths.ts"
import { mountOf } from "./http/MountPath.ts"
import * as HostSignIn from "./oauth/HostSignIn.ts"
import * as PageSession from "./pages/PageSession.ts"
import * as SignedInPages from "./pages/SignedInPages.ts"

const none: ReadonlyArray<Mount> = []

const agent = Effect.fnUntraced(function*(options: DriveOptions, siteUrl: string, name: string) {
  const { A2aHttp } = yield* Effect.promise(() => import("@filedrive/agent/protocol"))
  const path = pathsOf(options).a2a
  return yield* A2aHttp.make({
    path,
    siteUrl,
    url: siteUrl + path,
    name,
    oauth: options.signIn === undefined ? null : {
      authorizationUrl: `${siteUrl}/oauth/authorize`,
      tokenUrl: `${siteUrl}/oauth/token`,
      metadataUrl: new URL(siteUrl).origin + issuerPath + mountOf(siteUrl)
    }
  })
})

const mcp = Effect.fnUntraced(function*(options: DriveOptions, siteUrl: string, name: string) {
  const { McpHttp } = yield* Effect.promise(() => import("@filedrive/agent/mcp"))
  const path = pathsOf(options).mcp
  return yield* McpHttp.make({ path, url: siteUrl + path, name })
})

const oauth = Effect.fnUntraced(function*(options: DriveOptions, siteUrl: string, signIn: HostSignIn.SignIn | null) {
  const { OauthHttp } = yield* Effect.promise(() => import("@filedrive/agent/oauth"))
  const looks = Effect.flatMap(
    Effect.promise(() => import("./pages/ConsentLooks.ts")),
    ({ make }) =>
      make({ host: options.pages || {}, siteUrl, api: pathsOf(options).api, servesPages: options.pages !== false })
  )
  return yield* OauthHttp.make({
    siteUrl,
    resources: resourcesOf(options),
    signIn,
    looks,
    introspectionSecrets: options.oauth?.introspectionSecrets ?? [],
    redirectSchemes: options.oauth?.redirectSchemes ?? RedirectScheme.defaults
  })
})

/** They are loaded when one is asked for, or at the start where a host's texts are to be checked. */
const pages = Effect.fnUntraced(function*(options: DriveOptions, siteUrl: string, signIn: HostSignIn.SignIn | null) {
  if (options.pages === false) return none
  const host = options.pages ?? {}
  const { api, auth } = pathsOf(options)
  const hasAgent = options.agent !== false
  const logoutUrl = options.signIn?.logoutUrl ?? null
  const store = yield* ObjectStore.ObjectStore
  const loaded = Effect.promise(() => import("./pages/PagesHttp.ts"))
  const answers = yield* Effect.cached(
    Effect.flatMap(loaded, ({ answers }) => answers({ host, siteUrl, api, auth, hasAgent, logoutUrl }))
  ).pipe(
    Effect.map(Effect.provideService(ObjectStore.ObjectStore, store))
  )
  if (host.texts !== undefined) {
    const wrong = (yield* loaded).unknownText(host.texts)
    if (wrong !== undefined) return yield* Effect.die(new WrongOption(`pages.texts.${wrong}`, "is not known"))
  }
  const run = (path: string): Mount["run"] => (request) => Effect.flatMap(answers, (all) => all.get(path)!(request))
  const open = [...linkPathsOf(options).map((path) => `${path}/*`), assetsPath(api)].map((path): Mount => ({
    path,
    methods: ["GET"],
    run: run(path)
  }))
  if (signIn === null) return open
  const guarded = yield* SignedInPages.make(signIn, siteUrl)
  return [
    ...open,
    ...pagePathsOf(options).map((path): Mount => ({
      path,
      methods: ["GET"],
      isSignedOtherwise: true,
      run: guarded(path, run(path))
    })),
    {
      path: `${auth}/page-session`,
      methods: ["POST"],
      isSignedOtherwise: true,
      run: yield* PageSession.make(signIn, siteUrl)
    } satisfies Mount
  ]
})

/** The mounts of the drive at `siteUrl`. */
export const layerNoDeps = (
  options: DriveOptions,
  siteUrl: string
): Layer.Layer<
  never,
  never,
  | Accounts.Accounts
  | ActiveAccounts
  | Bearers
  | Events
  | Digest.Digest
  | Grants
  | HostUsers
  | OauthClients
  | ObjectStore.ObjectStore
  | Operations.Operations
  | RemoteFile.RemoteFile
  | SecretBox.SecretBox
  | SecureRandom.SecureRandom
  | Sessions
  | Tasks
> => {
  const name = options.agent === false ? "filedrive" : options.agent?.name ?? "filedrive"
  return Layer.effect(
    Mounts,
    Effect.gen(function*() {
      const signIn = yield* HostSignIn.make(options, siteUrl)
      const all = yield* Effect.all([
        options.agent === false ? Effect.succeed(none) : agent(options, siteUrl, name),
        options.mcp === false ? Effect.succeed(none) : mcp(options, siteUrl, name),
        oauth(options, siteUrl, signIn),
        pages(options, siteUrl, signIn)
      ])
      return all.flat()
    })
  ).pipe(Layer.provide(RateLimitsGuard.layer))
}
