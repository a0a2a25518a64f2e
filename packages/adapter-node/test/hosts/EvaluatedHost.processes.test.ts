/** Hosts whose program is a string: they have no main module, and Node gives their flags to threads that don't take them. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const program = (dataDirectory: string) => `
import { createDrive } from "@filedrive/adapter-node"
const drive = createDrive({ dataDirectory: ${JSON.stringify(dataDirectory)}, log: "off" })
const { userId } = await drive.accounts.create({ handle: "ada" })
const user = drive.as(userId)
const { id } = await user.files.put(Buffer.from("${png}", "base64"), { fileName: "a.png" })
const { mimeType, image } = await user.readFile({ fileId: id })
await drive.close()
console.log(process.argv[1] ?? "no main module", mimeType, image.mimeType)
`

const conditions = "--conditions=@filedrive/source"
const root = fileURLToPath(new URL("../../../../", import.meta.url))

const starts = [
  { how: "node --input-type=module -e", flags: ["--input-type=module", "-e"], input: false, options: "" },
  { how: "node --input-type module -", flags: ["--input-type", "module", "-"], input: true, options: "" },
  { how: "NODE_OPTIONS=--input-type=module node -e", flags: ["-e"], input: false, options: "--input-type=module" }
]

describe("A host that is a string", () => {
  it.each(starts)("HOST-245 $how opens a drive and its files", ({ flags, input, options }) => {
    const directory = mkdtempSync(join(tmpdir(), "filedrive-evaluated-"))
    try {
      const text = program(directory)
      const { status, stderr, stdout } = spawnSync(
        process.execPath,
        [conditions, ...flags, ...input ? [] : [text]],
        {
          cwd: root,
          encoding: "utf8",
          timeout: 170_000,
          env: { ...process.env, NODE_OPTIONS: options },
          ...input ? { input: text } : {}
        }
      )
      assert.strictEqual(status, 0, stderr)
      assert.strictEqual(stdout, `${input ? "-" : "no main module"} image/png image/jpeg\n`)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  }, 180_000)
})
