/** Text of a PDF, page by page. Runs in the sandbox. */
import type { MediaTools } from "@filedrive/core"
import { fileURLToPath } from "node:url"
import type { PDFDocumentProxy, PDFPageProxy } from "pdfjs-dist/legacy/build/pdf.mjs"
import { library, SandboxError } from "../sandbox/SandboxError.ts"

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

const textOf = async (page: PDFPageProxy): Promise<string> => {
  const { items } = await page.getTextContent()
  return items.map((item) => "str" in item ? item.str + (item.hasEOL ? "\n" : "") : "").join("").trim()
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

interface Page {
  readonly page: PDFPageProxy
  readonly own: string
}

/** Null when it is damaged. */
const pageOf = async (document: PDFDocumentProxy, number: number): Promise<Page | null> => {
  try {
    const page = await document.getPage(number)
    return { page, own: await textOf(page) }
  } catch {
    return null
  }
}

export const pages = async (bytes: Uint8Array, { from, maxBytes, to }: PagesOptions): Promise<MediaTools.Pages> => {
  const pdfjs = await load()
  const document = await open(pdfjs, bytes)
  const total = document.numPages
  let text = ""
  let last = from - 1
  let hasPictures = false
  for (let number = from; number <= Math.min(to, total); number++) {
    const found = await pageOf(document, number)
    if (found === null) {
      if (number === from) throw new SandboxError(`This PDF is damaged: its page ${number} could not be read.`)
      break
    }
    const { own, page } = found
    const longer = number === from ? own : text + between + own
    if (bytesOf(longer) > maxBytes) {
      if (number === from) {
        text = cut(own, maxBytes)
        last = number
      }
      break
    }
    text = longer
    last = number
    hasPictures ||= await hasPicture(pdfjs, page)
    page.cleanup()
  }
  await document.loadingTask.destroy()
  return { text, from, to: last, total, hasPictures }
}
