import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"

describe("memoryDrive in a script", () => {
  it("HOST-10 a script that closes its drive ends by itself", () => {
    const script = `
      const { memoryDrive } = await import("@filedrive/testing")
      const drive = await memoryDrive()
      await (await drive.user()).upload({ fileName: "a.txt", bytes: new Uint8Array(3) })
      await drive.close()`
    const flags = ["--conditions=@filedrive/source", "--input-type=module", "--eval"]
    const { signal, status, stderr } = spawnSync(process.execPath, [...flags, script], { timeout: 60_000 })
    assert.deepStrictEqual([status, signal, String(stderr)], [0, null, ""])
  }, 70_000)
})
