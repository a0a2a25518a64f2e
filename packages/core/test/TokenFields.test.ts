/** What may be said of a new API token. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { call, signedIn, testHttp } from "./TestHttp.ts"

layer(testHttp())("the fields of a new token", (it) => {
  it.effect("AUTH-21 limits under another name are refused, not left out; other unknown fields are ignored", () =>
    Effect.gen(function*() {
      const { token } = yield* signedIn
      for (
        const [field, value] of [
          ["limits", { permissions: ["read"] }],
          ["limits", null],
          ["permission", "read"],
          ["scope", "read"],
          ["scopes", ["read"]],
          ["folderId", "019845e1-682f-7b02-a706-3b2422d13aec"],
          ["folderPath", "/A"],
          ["Folder", "019845e1-682f-7b02-a706-3b2422d13aec"],
          ["folder_id", "019845e1-682f-7b02-a706-3b2422d13aec"],
          ["Permissions", ["read"]],
          ["expire_time", "2030-01-01"],
          ["expires", "2030-01-01"],
          ["expiresAt", "2030-01-01"],
          ["expiresIn", 60]
        ] as const
      ) {
        const { body, status } = yield* call(token, "/create-api-token", { name: "a", [field]: value })
        assert.deepStrictEqual([status, body.code, body.field], [400, "invalid_field", field])
        assert.match(body.error, new RegExp(`^${field} must be sent as `))
      }
      const strict = yield* call(token, "/create-api-token", { nam: "a" }, { prefer: "handling=strict" })
      assert.strictEqual(
        strict.body.error,
        "nam is not a known field; the known ones are name, permissions, folder, expireTime."
      )
      assert.deepStrictEqual((yield* call(token, "/select-api-tokens")).body, [])
      const made = yield* call(token, "/create-api-token", { name: "a", permissions: ["read"], colour: "red" })
      assert.deepInclude(made.body, { permissions: ["read"], folder: null })
    }))
})
