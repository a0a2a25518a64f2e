/** The HTTP contract of reading files. Declarations only; no handler code. Spec: `/read-file`. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as ApiError from "../http/ApiError.ts"
import * as Examples from "../http/Examples.ts"
import { operation } from "../http/Operation.ts"
import { Session } from "../http/Session.ts"
import { ReadAnswer, ReadRequest } from "./ReadAnswer.ts"

export class ReadingApi extends HttpApiGroup.make("reading")
  .add(
    HttpApiEndpoint.post("readFile", "/read-file", {
      payload: ReadRequest,
      success: ReadAnswer,
      error: [ApiError.NotFound, ...ApiError.ofStorage]
    }).annotateMerge(operation({
      description:
        "Reads the content of a file you can open. An image is returned as a JPEG of at most 1,568 pixels a side; a " +
        "video as the frame at `at` seconds, else a tenth of the way in; a PDF as the text of up to 20 pages from " +
        "`fromPage` to `toPage` (ten by default), whole pages as far as they fit in 100 KB; a text as up to 100 KB from the byte " +
        "`offset`, to the end of a character. 100 KB is 102,400 bytes, of the file and of the UTF-8 returned alike. " +
        "Tracks and other files return a note alone; `note` always says what was read and how to continue. " +
        "Fields that don't belong to the file's kind are ignored. Reading somebody else's file is counted as a view of it. A file that " +
        "can't be decoded, or is too big for it, is 422 `unreadable`.",
      permissions: ["read"],
      effect: "reads",
      isRepeatable: true,
      tool:
        "Reads a file: the text of a PDF or text file, an image as a picture, one frame of a video (`at`, in seconds). PDFs come in pages " +
        "(`fromPage`, `toPage`), texts in pieces (`offset`, in bytes); `note` says how to continue. Tracks and other kinds have nothing to read.",
      example: {
        request: { fileId: Examples.reportId, fromPage: 1, toPage: 2 },
        answer: {
          id: Examples.reportId,
          fileName: "report.pdf",
          type: "Document",
          mimeType: "application/pdf",
          fileSize: 4_718_592,
          note: "Pages 1 to 2 of 40 are here as text. Read on with fromPage 3.",
          text: "Annual report\n\nIn 2026 the trams carried more people than ever.",
          pages: { from: 1, to: 2, total: 40 }
        }
      }
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({ title: "Reading", description: "The content of files." }))
{}
