/** Text of a PDF, page by page. Runs in the sandbox. */
import type { MediaTools } from "@filedrive/core"
import { fileURLToPath } from "node:url"
import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs"
import { library, SandboxError } from "../sandbox/SandboxError.ts"
import { mended } from "./MissingPages.ts"
import { textOf } from "./PageText.ts"

export interface PagesOptions {
  readonly from: number
  readonly to: number
  readonly maxBytes: number
}

const load = () => library("pdfjs-dist", () => import("pdfjs-dist/legacy/build/pdf.mjs"))
type Pdfjs = Awaited<ReturnType<typeof load>>

/** Folders of the package, for which the library requires a slash at the end. */
const folder = (name: string): string =>
  fileURLToPath(new URL(`../../${name}/`, import.meta.resolve("pdfjs-dist/legacy/build/pdf.mjs")))

const reasons: Readonly<Record<string, string>> = {
  PasswordException: "This PDF is locked with a password.",
  InvalidPDFException: "This PDF is damaged."
}

const open = async ({ getDocument }: Pdfjs, data: Uint8Array): Promise<PDFDocumentProxy> => {
  try {
    return await getDocument({
      data,
      // Without these, text in the usual fonts of East Asia is empty, without an error.
      cMapUrl: folder("cmaps"),
      cMapPacked: true,
      standardFontDataUrl: folder("standard_fonts"),
      wasmUrl: folder("wasm"),
      useSystemFonts: false,
      verbosity: 0
    }).promise
  } catch (error) {
    throw new SandboxError(reasons[(error as Error).name] ?? "This PDF could not be opened.", { cause: error })
  }
}

const hasPicture = async ({ OPS }: Pdfjs, page: PDFPageProxy): Promise<boolean> => {
  const pictures = new Set<number>([
    OPS.paintImageXObject,
    OPS.paintImageXObjectRepeat,
    OPS.paintImageMaskXObject,
    OPS.paintImageMaskXObjectGroup,
    OPS.paintInlineImageXObject,
    OPS.paintInlineImageXObjectGroup
  ])
  const { fnArray } = await page.getOperatorList()
  return fnArray.some((operator) => pictures.has(operator))
}

const bytesOf = (text: string): number => Buffer.byteLength(text)

/** As much of `text` as fits in `maxBytes` of UTF-8, ending on a whole character. */
const cut = (text: string, maxBytes: number): string => {
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes))
  return text.slice(0, read)
}

const between = "\n\n"

interface Opened {
  readonly document: PDFDocumentProxy
  /** Whether a page stands in for one that the file lists and does not have. */
  readonly isMissing: (page: PDFPageProxy) => boolean
}

/** For a first page that is not there the library gives an empty one, which is no object of the file. */
const isThere = async (document: PDFDocumentProxy, number: number): Promise<boolean> => {
  try {
    return (await document.getPage(number)).ref !== null
  } catch {
    return false
  }
}

/** The document, with all of its pages where one that is missing would hide those after it. */
const openWhole = async (
  pdfjs: Pdfjs,
  data: Uint8Array,
  { from, to }: Pick<PagesOptions, "from" | "to">
): Promise<Opened> => {
  const document = await open(pdfjs, data)
  const asIs = { document, isMissing: () => false }
  const total = document.numPages
  let areThere = await isThere(document, total)
  for (let number = from; areThere && number <= Math.min(to, total); number++) {
    areThere = await isThere(document, number)
  }
  if (areThere) return asIs
  const found = mended(await document.getData())
  if (found === null) return asIs
  await document.loadingTask.destroy()
  return {
    document: await open(pdfjs, found.bytes),
    isMissing: ({ ref }) => ref === null || found.added.has(ref.num)
  }
}

interface Page {
  readonly page: PDFPageProxy
  readonly own: string
}

/** Null when it is damaged. */
const pageOf = async ({ document, isMissing }: Opened, number: number): Promise<Page | null> => {
  try {
    const page = await document.getPage(number)
    return isMissing(page) ? null : { page, own: await textOf(page) }
  } catch {
    return null
  }
}

export const pages = async (bytes: Uint8Array, { from, maxBytes, to }: PagesOptions): Promise<MediaTools.Pages> => {
  const pdfjs = await load()
  const opened = await openWhole(pdfjs, bytes, { from, to })
  const total = opened.document.numPages
  const texts: Array<string> = []
  const damaged: Array<number> = []
  let bytesRead = 0
  let last = from - 1
  let hasPictures = false
  for (let number = from; number <= Math.min(to, total); number++) {
    const found = await pageOf(opened, number)
    if (found === null) {
      damaged.push(number)
      last = number
      continue
    }
    const { own, page } = found
    const more = bytesOf(own) + (texts.length === 0 ? 0 : between.length)
    if (bytesRead + more > maxBytes) {
      if (texts.length === 0) {
        texts.push(cut(own, maxBytes))
        last = number
      }
      break
    }
    texts.push(own)
    bytesRead += more
    last = number
    hasPictures ||= await hasPicture(pdfjs, page)
    page.cleanup()
  }
  await opened.document.loadingTask.destroy()
  if (texts.length === 0 && damaged.length > 0) {
    const which = from === last ? `page ${from}` : `pages ${from} to ${last}`
    throw new SandboxError(`This PDF is damaged: its ${which} could not be read.`)
  }
  return { text: texts.join(between), from, to: last, total, hasPictures, damaged }
}
