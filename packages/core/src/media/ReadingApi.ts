/** The HTTP contract of reading files. Declarations only; no handler code. Spec: `/read-file`. */
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import * as ApiError from "../http/ApiError.ts"
import { OnlyReads } from "../http/OnlyReads.ts"
import { Session } from "../http/Session.ts"
import { ReadAnswer, ReadRequest } from "./ReadAnswer.ts"

export class ReadingApi extends HttpApiGroup.make("reading")
  .add(
    HttpApiEndpoint.post("readFile", "/read-file", {
      payload: ReadRequest,
      success: ReadAnswer,
      error: [ApiError.NotFound, ApiError.Unprocessable, ApiError.BadGateway]
    }).annotate(OnlyReads, true).annotateMerge(OpenApi.annotations({
      description:
        "What a file you can open says or shows. An image comes as a JPEG of at most 1,568 pixels a side; a " +
        "video as the frame at `at` seconds, else a tenth of the way in; a PDF as the text of up to 20 pages from " +
        "`fromPage` to `toPage` (ten by default), whole ones as far as 100 KB go; a text as up to 100 KB from the byte " +
        "`offset`, to the end of a character. 100 KB is 102,400 bytes, of the file and of the UTF-8 answered alike. " +
        "Tracks and other files are answered with a note alone; `note` always says what there is and how to read on. " +
        "Fields that are not of the file's kind are not looked at. Reading somebody else's file is one open of it."
    }))
  )
  .middleware(Session)
  .annotateMerge(OpenApi.annotations({ title: "Reading", description: "What files say and show." }))
{}
