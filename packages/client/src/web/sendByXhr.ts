/** Sending with progress inside a request, which browsers have for XMLHttpRequest alone. */
import { unreachable } from "../DriveError.ts"
import type { Send } from "../Platform.ts"

export const sendByXhr: Send = ({ headers, method, onSent, pieces, signal, url }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    request.open(method, url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    const on = (event: string, handle: () => void) => request.addEventListener(event, handle)
    request.upload.addEventListener("progress", ({ loaded }) => onSent(loaded))
    on("load", () =>
      resolve({
        status: request.status,
        text: request.responseText,
        retryAfter: request.getResponseHeader("retry-after")
      }))
    on("error", () => reject(unreachable(url)))
    on("abort", () => reject(signal.reason))
    on("loadend", () => signal.removeEventListener("abort", abort))
    signal.addEventListener("abort", abort)
    if (signal.aborted) reject(signal.reason)
    // What a browser reads in pieces itself.
    else request.send(new Blob(pieces as Array<Blob>))
  })
