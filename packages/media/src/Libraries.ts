/** The libraries that a host installs when it wants files of their kinds opened. */
import { readFile } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import { fingerprint } from "./sound/Chromaprint.ts"

export interface Library {
  readonly name: string
  readonly opens: string
  /** Rejects when it does not work here. */
  readonly load: () => Promise<unknown>
  /** A module of the package that can be resolved, where the package itself can't. */
  readonly module?: string
}

export const libraries: ReadonlyArray<Library> = [
  {
    name: "sharp",
    opens: "images: JPEG, PNG, WebP, GIF, TIFF, AVIF, SVG, previews in camera RAW; thumbnails and covers",
    load: () => import("sharp")
  },
  {
    name: "@imagemagick/magick-wasm",
    opens: "images: HEIC, JPEG XL, JPEG 2000, PSD, BMP, ICO, camera RAW without a preview",
    load: () => import("@imagemagick/magick-wasm")
  },
  {
    name: "pdfjs-dist",
    opens: "text of PDFs",
    load: () => import("pdfjs-dist/legacy/build/pdf.mjs"),
    module: "pdfjs-dist/legacy/build/pdf.mjs"
  },
  {
    name: "music-metadata",
    opens: "tags, lengths and covers of tracks",
    load: () => import("music-metadata")
  },
  {
    name: "@unimusic/chromaprint",
    opens: "soundprints, by which the same recording is found again",
    load: () => fingerprint(new Int16Array(11_025))
  },
  {
    name: "chardet",
    opens: "texts in other encodings than Unicode",
    load: () => import("chardet")
  }
]

/** As its package says. */
export const versionOf = async ({ module, name }: Library): Promise<string> => {
  const path = fileURLToPath(import.meta.resolve(module ?? name))
  const root = path.slice(0, path.replaceAll("\\", "/").lastIndexOf(`/node_modules/${name}/`))
  const manifest: unknown = JSON.parse(await readFile(`${root}/node_modules/${name}/package.json`, "utf8"))
  return (manifest as { readonly version: string }).version
}
