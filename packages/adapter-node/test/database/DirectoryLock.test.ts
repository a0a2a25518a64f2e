import { assert, it } from "@effect/vitest"
import process from "node:process"
import { vi } from "vitest"
import { loadSqlite } from "../../src/database/DirectoryLock.ts"

it("DB-4 the lock is loaded without Node 22's warning that SQLite is experimental, and other warnings are printed", () => {
  const { getBuiltinModule } = process
  const printed: Array<string> = []
  const emit = vi.spyOn(process, "emitWarning").mockImplementation((warning: string | Error) =>
    void printed.push(String(warning))
  )
  // As Node 22 loads it.
  const load = vi.spyOn(process, "getBuiltinModule").mockImplementation((id: string) => {
    process.emitWarning("SQLite is an experimental feature and might change at any time", "ExperimentalWarning")
    process.emitWarning("another warning")
    return getBuiltinModule(id)
  })
  try {
    assert.isFunction(loadSqlite().DatabaseSync)
    process.emitWarning("a later warning")
  } finally {
    load.mockRestore()
    emit.mockRestore()
  }
  assert.deepStrictEqual(printed, ["another warning", "a later warning"])
})
