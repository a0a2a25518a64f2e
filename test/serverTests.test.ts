/** Which test files run again on servers. */
import { assert, describe, it } from "@effect/vitest"
import { serverTests } from "../scripts/serverTests.ts"

const again = serverTests()

describe("tests that run again on servers", () => {
  it("are those that ask for a database of the environment's, themselves or by what they import", () => {
    assert.includeMembers([...again], [
      "packages/core/src/files/Files.test.ts",
      "packages/core/src/organize/Races.test.ts",
      "packages/core/test/OpenApi.test.ts",
      "packages/testing/test/Database.test.ts",
      "packages/adapter-node/test/ArchiveCrash.processes.test.ts"
    ])
  })

  it("are those of an S3 engine, and of programs that are installed", () => {
    assert.includeMembers([...again], [
      "packages/adapter-node/test/S3Store.test.ts",
      "packages/media/test/Facts.test.ts",
      "packages/core/test/ZipTools.processes.test.ts"
    ])
  })

  it("include every route once, with the programs that media tools find", () => {
    assert.include(again, "packages/testing/src/MemoryDrive.test.ts")
  })

  it("are not those that can't differ there", () => {
    assert.notInclude(again, "packages/core/src/archives/Zip.test.ts")
    assert.notInclude(again, "packages/adapter-node/test/hosts/HttpNode.test.ts")
  })
})
