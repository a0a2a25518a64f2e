/** Variables that begin with the drive's name: known and unknown ones. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { settingsOf } from "../src/Environment.ts"
import { knownNames } from "../src/knownNames.ts"

const refusal = (variables: Readonly<Record<string, string>>) => {
  try {
    settingsOf(variables)
    return "taken"
  } catch (error) {
    return (error as Error).message
  }
}

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8")

describe("the names of variables", () => {
  it.each([
    ["FILEDRIVE_DTAA", "FILEDRIVE_DATA"],
    ["FILEDRIVE_DATA_DIR", "FILEDRIVE_DATA"],
    ["FILEDRIVE_ACCOUNT", "FILEDRIVE_ACCOUNTS"],
    ["FILEDRIVE_LOGS", "FILEDRIVE_LOG"],
    ["filedrive_metrics", "FILEDRIVE_METRICS"],
    ["FILEDRIVE_MAX_CONNECTIONS_PER_ADRESS", "FILEDRIVE_MAX_CONNECTIONS_PER_ADDRESS"]
  ])("HOST-79 %s is refused for %s", (name, known) => {
    assert.strictEqual(refusal({ [name]: "secret" }), `${name} is no variable of this server; did you mean ${known}?`)
    assert.strictEqual(refusal({ [name]: "" }), "taken")
  })

  it("HOST-79 a port of the drive's own is not taken for one that Kubernetes sets", () => {
    assert.match(refusal({ FILEDRIVE_PORT: "4500" }), /^FILEDRIVE_PORT is no variable/)
  })

  it("HOST-79 what Kubernetes sets for a service by the name filedrive, or filedrive-db, is let be", () => {
    const variables: Record<string, string> = {}
    for (const  of of["FILEDRIVE", "FILEDRIVE_DB"]) {
      Object.assign(variables, {
        [`${of}_SERVICE_HOST`]: "10.0.0.11",
        [`${of}_SERVICE_PORT`]: "4500",
        [`${of}_SERVICE_PORT_HTTP`]: "4500",
        [`${of}_PORT`]: "tcp://10.0.0.11:4500",
        [`${of}_PORT_4500_TCP`]: "tcp://10.0.0.11:4500",
        [`${of}_PORT_4500_TCP_PROTO`]: "tcp",
        [`${of}_PORT_4500_TCP_PORT`]: "4500",
        [`${of}_PORT_4500_TCP_ADDR`]: "10.0.0.11"
      })
    }
    assert.strictEqual(refusal(variables), "taken")
  })

  it("HOST-79 those that are known are those that are read, and the ones that the documents list", () => {
    const asked = new Set<string>()
    settingsOf(
      new Proxy({ DATABASE_URL: "postgres://u@h/d" }, {
        get: (variables, name) => {
          if (String(name).startsWith("FILEDRIVE_")) asked.add(String(name))
          return Reflect.get(variables, name)
        }
      })
    )
    assert.deepStrictEqual([...asked].toSorted(), [...knownNames])
    const named = (text: string) => new Set(text.match(/FILEDRIVE_[A-Z_]*[A-Z]/g))
    // The document's lines may be broken anywhere.
    const operating = read("docs/operating.md").replaceAll(/\s+/g, " ")
    const list = operating.slice(operating.indexOf("## Its variables"))
    assert.deepStrictEqual(
      [...named(list.slice(list.indexOf("nearest known one:"), list.indexOf("The README explains")))].toSorted(),
      [...knownNames]
    )
    const rows = read("README.md").split("\n").filter((line) => line.startsWith("| `"))
    assert.deepStrictEqual([...named(rows.map((row) => row.split("|")[1]).join())].toSorted(), [...knownNames])
  })
})
