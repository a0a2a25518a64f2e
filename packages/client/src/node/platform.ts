/** Node, Deno and Bun. */
import type { Platform } from "../Platform.ts"
import { callByHttp } from "./callByHttp.ts"
import { downloadTo } from "./downloadTo.ts"
import { fileStore } from "./fileStore.ts"
import { openPath, sizeOf, walkPath } from "./paths.ts"
import { sendByFetch } from "./sendByFetch.ts"
import { sendByHttp } from "./sendByHttp.ts"

export const platform: Platform = {
  ask: callByHttp,
  sendBy: (fetch) => fetch === undefined ? sendByHttp : sendByFetch(fetch),
  openPath,
  sizeOf,
  walkPath,
  downloadTo,
  fileStore
}
