/** A page on which people who have signed in upload files, with Uppy's Dashboard. */
import type { Drive } from "@filedrive/adapter-node"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { S3Settings } from "../EnvironmentS3.ts"
import { sendForm, textsFor } from "../pages.ts"
import * as Cookie from "../signIn/Cookie.ts"
import { isOwn } from "../signIn/isOwn.ts"
import { userOf } from "../signIn/SignIn.ts"
import { type Asset, type BuiltPage, builtPage, MissingPackages } from "./builtPage.ts"

/** Where browsers send bytes to, besides this site: the bucket of uploads. */
export const storageOrigin = (
  { endpoint, forcePathStyle, privateBucket, publicEndpoint, region }: S3Settings
): string => {
  const { host, protocol } = new URL(publicEndpoint ?? endpoint ?? `https://s3.${region}.amazonaws.com`)
  return `${protocol}//${forcePathStyle ? "" : `${privateBucket}.`}${host}`
}

const policy = (storage: ReadonlyArray<string>): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `connect-src ${["'self'", ...storage].join(" ")}`,
    // Pictures of the files that are chosen, and those in Uppy's style.
    "img-src blob: data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'"
  ].join("; ")

const guards = {
  "cross-origin-opener-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY"
}

const documentOf = ({ script, style }: BuiltPage): string =>
  `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="robots" content="noindex">
<title>Upload files</title>
<link rel="stylesheet" href="${style}">
<script type="module" src="${script}"></script>
<main>
<h1>Upload files</h1>
<div id="files"></div>
<p><a href="/sign-in">Sign in or out</a></p>
</main>
</html>
`

const sendText = (
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {}
): void => {
  response.writeHead(status, {
    ...guards,
    "cache-control": "no-store",
    "content-type": "text/plain; charset=utf-8",
    "content-length": Buffer.byteLength(text),
    ...headers
  })
  response.end(text)
}

const sendAsset = ({ headers }: IncomingMessage, response: ServerResponse, { body, gzip, type }: Asset): void => {
  const isZipped = /\bgzip\b/.test(String(headers["accept-encoding"]))
  const sent = isZipped ? gzip : body
  response.writeHead(200, {
    ...guards,
    ...isZipped && { "content-encoding": "gzip" },
    vary: "accept-encoding",
    "cache-control": "public, max-age=31536000, immutable",
    "content-type": type,
    "content-length": sent.length
  })
  response.end(sent)
}

/** Answers a request that is about the page; false for another. */
export const uploadPage = (drive: Drive, s3: S3Settings | null, made: () => Promise<BuiltPage> = builtPage) => {
  const contentSecurityPolicy = policy(s3 === null ? [] : [storageOrigin(s3)])

  const sayMissing = (request: IncomingMessage, response: ServerResponse) => {
    const { language, t } = textsFor(request)
    return sendForm(request, response, {
      title: t("signIn.noUploadTitle"),
      body: `<p>${t("signIn.noUpload", "npm ci")}</p>
<p><a href="/connections">${t("signIn.goOn")}</a></p>`,
      language,
      status: 503
    })
  }

  const show = async (request: IncomingMessage, response: ServerResponse) => {
    if (await userOf(drive, request.headers.cookie ?? null) === null) {
      return sendText(response, 303, "", { location: "/sign-in?return=%2Fupload" })
    }
    const page = await made().catch((error: unknown) => {
      if (error instanceof MissingPackages) return null
      throw error
    })
    if (page === null) return sayMissing(request, response)
    sendText(response, 200, documentOf(page), {
      "content-security-policy": contentSecurityPolicy,
      "content-type": "text/html; charset=utf-8"
    })
  }

  /** The browser's own session and no other, so that the page's calls end with it: by signing out, or with the API token. */
  const handOut = async (request: IncomingMessage, response: ServerResponse) => {
    const { cookie } = request.headers
    if (!isOwn(request, drive.urls.site)) return sendText(response, 403, "This is for the site's own page.\n")
    if (await userOf(drive, cookie ?? null) === null) return sendText(response, 401, "Nobody is signed in.\n")
    sendText(response, 200, Cookie.valueOf(cookie, drive.urls.site.startsWith("https:")))
  }

  return async (request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
    const [path] = (request.url ?? "/").split("?", 1)
    if (path !== "/upload" && !path!.startsWith("/upload/")) return false
    if (path === "/upload" && request.method === "GET") await show(request, response)
    else if (path === "/upload/session" && request.method === "POST") await handOut(request, response)
    else {
      const asset = request.method === "GET" ? (await made()).assets.get(path!) : undefined
      if (asset === undefined) return false
      sendAsset(request, response, asset)
    }
    return true
  }
}
