/** The pages as mounts of the drive: their documents, programs and the host's logo. The promises are PAGE in docs/rules/pages.md. */
import { type Mount, ObjectStore } from "@filedrive/core"
import { type BuiltPages, load, type PageName, pages } from "@filedrive/pages"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { assetsPath } from "../DrivePaths.ts"
import { mountOf } from "../http/MountPath.ts"
import { logoName, logoOf } from "./Logo.ts"
import * as PageDocuments from "./PageDocuments.ts"
import type { PagesOptions } from "./PagesOptions.ts"
import { answer, etagOf, type Representation } from "./Representation.ts"
import * as StoreOrigins from "./StoreOrigins.ts"

/** The name of an asset contains a hash of its content, so browsers keep it. */
const keptHeaders = {
  "cache-control": "public, max-age=31536000, immutable",
  "cross-origin-resource-policy": "same-origin",
  "x-content-type-options": "nosniff"
}

const isolated = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

const defaultIcon =
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><path fill="#2f5bd7" d="M4 9a4 4 0 0 1 4-4h5l3 4h8a4 4 0 0 1 4 4v10a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4z"/></svg>`

/** An image as it is; an SVG that is opened by itself can do nothing. */
const image = (bytes: Uint8Array, mimeType: string): Representation => ({
  etag: etagOf(bytes),
  identity: bytes,
  brotli: null,
  gzip: null,
  headers: { ...keptHeaders, "content-security-policy": isolated, "content-type": mimeType }
})

const scripts = ({ assets }: BuiltPages): ReadonlyArray<readonly [string, Representation]> =>
  Object.entries(assets).map(([name, { brotli, gzip, mimeType, text }]) => [name, {
    etag: etagOf(text),
    identity: Buffer.from(text),
    brotli: Buffer.from(brotli, "base64"),
    gzip: Buffer.from(gzip, "base64"),
    headers: { ...keptHeaders, "content-type": `${mimeType}; charset=utf-8` }
  }])

/** As of any route that there is not. */
const notFound = HttpServerResponse.jsonUnsafe(
  { error: "There is no such route.", code: "unknown_route", retryable: false },
  { status: 404 }
)

const lastSegment = ({ url }: HttpServerRequest.HttpServerRequest): string => url.split("?", 1)[0]!.split("/").at(-1)!

export interface AnswersOptions {
  readonly host: PagesOptions
  readonly siteUrl: string
  /** The paths of the API and of sessions below the drive's mount. */
  readonly api: string
  readonly auth: string
  readonly hasAgent: boolean
  /** Where a POST signs people out at the host; null where it told none. */
  readonly logoutUrl: string | null
}

const make = async ({ api, auth, hasAgent, host, logoutUrl, siteUrl }: AnswersOptions) => {
  const built = await load()
  const mount = mountOf(siteUrl)
  const assets = new Map(scripts(built))
  const { logo, logoDark = logo } = host
  for (const bytes of [logo, logoDark]) {
    if (bytes !== undefined) assets.set(logoName(bytes), image(bytes, logoOf(bytes)!.mimeType))
  }
  assets.set("icon.svg", {
    ...image(Buffer.from(defaultIcon), "image/svg+xml"),
    headers: { ...keptHeaders, "cache-control": "public, max-age=86400", "content-type": "image/svg+xml" }
  })
  const path = mount + assetsPath(api).replace(/\/\*$/, "")
  return {
    assets,
    document: PageDocuments.make({
      built,
      host,
      mount,
      api: mount + api,
      auth: mount + auth,
      hasAgent,
      logoutUrl,
      assets: path,
      logo: logo === undefined || logoDark === undefined
        ? null
        : { light: `${path}/${logoName(logo)}`, dark: `${path}/${logoName(logoDark)}` }
    })
  }
}

export { unknownText } from "@filedrive/pages"

/** Answers a request of a mount. */
type Run = Mount["run"]

/** What answers at the paths of mounts. */
export const answers = Effect.fnUntraced(function*(
  options: AnswersOptions
): Effect.fn.Return<ReadonlyMap<string, Run>, never, ObjectStore.ObjectStore> {
  const store = yield* ObjectStore.ObjectStore
  const { origin } = new URL(options.siteUrl)
  const { assets, document } = yield* Effect.promise(() => make(options))

  // While the store can't sign, the page is shown all the same: it says itself that nothing can be sent.
  let known: ReadonlyArray<string> | undefined
  const origins = Effect.suspend(() =>
    known !== undefined ? Effect.succeed(known) : StoreOrigins.origins.pipe(
      Effect.provideService(ObjectStore.ObjectStore, store),
      Effect.map((found) => known = [...new Set([origin, ...found])]),
      Effect.catch((error) => Effect.as(Effect.logWarning("Storage signs no links for pages", error), [origin]))
    )
  )

  const ofPage = (name: PageName): Run =>
    Effect.fnUntraced(function*(request) {
      const allowed = yield* origins
      return answer(yield* Effect.promise(() => document(name, request.headers["accept-language"], allowed)), request)
    })
  const ofAsset: Run = (request) => {
    const found = assets.get(lastSegment(request))
    return Effect.succeed(found === undefined ? notFound : answer(found, request))
  }
  return new Map([
    ...Object.entries(pages).map(([name, { path }]) => [path, ofPage(name as PageName)] as const),
    [assetsPath(options.api), ofAsset]
  ])
})
