/** Browsers and their workers, and whatever else has the web's own interfaces only. */
import { invalid } from "../DriveError.ts"
import type { Platform } from "../Platform.ts"
import { sendByFetch } from "./sendByFetch.ts"
import { sendByXhr } from "./sendByXhr.ts"

const noPaths = (): never => {
  throw invalid("path", "needs Node, Deno or Bun")
}

export const platform: Platform = {
  // Service workers have no XMLHttpRequest.
  sendBy: (given) =>
    given === undefined && typeof XMLHttpRequest !== "undefined"
      ? sendByXhr
      : sendByFetch(given ?? ((url, init) => fetch(url, init))),
  openPath: noPaths,
  walkPath: noPaths,
  downloadTo: noPaths,
  fileStore: noPaths
}
