/** The page's script and style, made for browsers when somebody first asks for the page. */
import { createHash } from "node:crypto"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { gzip } from "node:zlib"

export interface Asset {
  readonly type: string
  readonly body: Buffer
  readonly gzip: Buffer
}

/** By their paths, which no other content has. */
export interface BuiltPage {
  readonly script: string
  readonly style: string
  readonly assets: ReadonlyMap<string, Asset>
}

const types = { js: "text/javascript", css: "text/css" }
const source = (name: string) => fileURLToPath(new URL(`./browser/${name}`, import.meta.url))

/** What the page is made of, or with, is not installed: a server that was installed without its packages for development. */
export class MissingPackages extends Error {}

const isUnresolved = (error: unknown): boolean => {
  const { code, errors = [] } = error as { readonly code?: string; readonly errors?: ReadonlyArray<{ text: string }> }
  return code === "ERR_MODULE_NOT_FOUND" || errors.some(({ text }) => text.startsWith("Could not resolve"))
}

const bundle = async () => {
  const esbuild = await import("esbuild")
  return esbuild.build({
    entryPoints: [source("page.ts"), source("page.css")],
    outdir: "upload",
    bundle: true,
    minify: true,
    write: false,
    charset: "utf8",
    format: "esm",
    platform: "browser",
    target: ["es2022", "chrome111", "firefox113", "safari16.4"],
    conditions: ["@filedrive/source"],
    define: { "process.env.NODE_ENV": `"production"` },
    legalComments: "none",
    logLevel: "silent"
  })
}

/** `make` bundles the page's script and style. */
export const build = async (make: typeof bundle = bundle): Promise<BuiltPage> => {
  const { outputFiles } = await make().catch((cause: unknown) => {
    throw isUnresolved(cause) ? new MissingPackages("The page's packages are not installed.", { cause }) : cause
  })
  const assets = new Map<string, Asset>()
  const add = async (ending: keyof typeof types): Promise<string> => {
    const body = Buffer.from(outputFiles.find(({ path }) => path.endsWith(`.${ending}`))!.contents)
    const path = `/upload/page-${createHash("sha256").update(body).digest("hex").slice(0, 16)}.${ending}`
    assets.set(path, { type: `${types[ending]}; charset=utf-8`, body, gzip: await promisify(gzip)(body) })
    return path
  }
  return { script: await add("js"), style: await add("css"), assets }
}

let built: Promise<BuiltPage> | undefined

/** Made once; what fails is tried again by the next who asks. */
export const builtPage = (): Promise<BuiltPage> =>
  built ??= build().catch((error: unknown) => {
    built = undefined
    throw error
  })
