/** Node, Deno and Bun. */
import type { Platform } from "../Platform.ts"
import { downloadTo } from "./downloadTo.ts"
import { fileStore } from "./fileStore.ts"
import { openPath, walkPath } from "./paths.ts"
import { sendByHttp } from "./sendByHttp.ts"

export const platform: Platform = { send: sendByHttp, openPath, walkPath, downloadTo, fileStore }
