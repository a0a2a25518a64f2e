/**
 * Sends a form to a disk store in its own process, and kills that with SIGKILL right before its nth call to the file system:
 * `node formWriter.ts <root> <form as JSON> <bytes> <n>`. Prints the status when it comes so far.
 */
import { Context, Effect, Layer } from "effect"
import fs from "node:fs"
import promises from "node:fs/promises"
import { syncBuiltinESMExports } from "node:module"
import { DiskRoutes } from "../../src/storage/disk/DiskRoutes.ts"
import * as DiskStore from "../../src/storage/disk/DiskStore.ts"
import { formBody } from "../formBody.ts"
import { printLine } from "../printLine.ts"

const [root = "", form = "", bytes = "", lastStep = ""] = process.argv.slice(2)
const { fields, url } = JSON.parse(form) as { readonly url: string; readonly fields: Readonly<Record<string, string>> }

let isCounting = false
let steps = 0
const counted = <A extends object>(module: A, names: ReadonlyArray<keyof A>) => {
  for (const name of names) {
    const original = module[name] as (...args: ReadonlyArray<unknown>) => unknown
    module[name] = ((...args: ReadonlyArray<unknown>) => {
      if (isCounting && ++steps === Number(lastStep)) process.kill(process.pid, "SIGKILL")
      return original(...args)
    }) as A[keyof A]
  }
}
counted(promises, ["open", "mkdir", "rename", "rm", "link", "unlink", "utimes", "readdir", "stat"])
counted(fs, ["open", "write", "writev", "futimes", "fsync", "fdatasync", "close", "closeSync", "unlink"])
syncBuiltinESMExports()

await Effect.runPromise(Effect.scoped(Effect.gen(function*() {
  const store = yield* Layer.build(DiskStore.layer({ root, endpoint: "http://drive.test/storage" }))
  const body = formBody(fields, new Uint8Array(Number(bytes)))
  isCounting = true
  const { handleWeb } = Context.get(store, DiskRoutes)
  const answer = yield* Effect.promise(() => handleWeb(new Request(url, { method: "POST", body })))
  printLine(String(answer.status))
})))
