/** A client whose session becomes another person's, without a reload. */
import { assert, describe, it } from "vitest"
import type { DriveCalls } from "../generated/DriveCalls.ts"
import type { Wire } from "../Wire.ts"
import type { Announced } from "./Target.ts"
import { driveTarget } from "./targets.ts"

describe("the drive of a client's user", () => {
  it("CLIENT-213 is that of who has signed in now, and so is what it would refuse", async () => {
    let token = "Ada"
    const asked: Array<string> = []
    const wire = { api: "http://drive.test", session: async () => ({ token, userId: null, until: Infinity }) }
    const calls = {
      getUser: async () => {
        asked.push("user")
        return { userId: token }
      },
      moveFiles: async ({ folder }: { folder: string }) => {
        asked.push(folder)
        return {}
      },
      createMultipartUpload: async ({ objectKey }: { objectKey: string }) => ({ token: objectKey })
    }
    const target = driveTarget(wire as unknown as Wire, calls as unknown as DriveCalls)
    const { signal } = new AbortController()
    for (const name of ["Ada", "Grace"]) {
      token = name
      for (const _ of [1, 2]) {
        await target.check({ folder: "/Films" })
        assert.strictEqual(await target.name(signal), `http://drive.test ${name}`)
        assert.strictEqual((await target.open({ key: "a" } as Announced, signal)).token, `users/${name}/a`)
      }
    }
    assert.deepStrictEqual(asked, ["/Films", "user", "/Films", "user"])
  })
})
