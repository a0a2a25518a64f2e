/** What the page of consent shows, and what an answer to it is tied to. */
import { assert, describe, it } from "@effect/vitest"
import { TestSecretBox } from "@filedrive/testing"
import { Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import type { AuthorizationRequest } from "../src/oauth/AuthorizationRequest.ts"
import { isName } from "../src/oauth/Client.ts"
import * as ConsentPage from "../src/oauth/ConsentPage.ts"
import * as Tie from "../src/oauth/Tie.ts"

describe("the page of consent", () => {
  it.effect("OAUTH-24 an answer is for the name that was shown: a document that has another by then is asked about again", () =>
    Effect.gen(function*() {
      const shown = { accountId: "a", query: "client_id=https://app.test/id", clientName: "Good" }
      const tie = yield* Tie.make(shown)
      assert.isNotNull(yield* Tie.pageOf(tie, shown))
      assert.isNull(yield* Tie.pageOf(tie, { ...shown, clientName: "Evil" }))
    }).pipe(Effect.provide([TestSecretBox.layer, SecureRandom.layerWebCrypto])))

  it.each([
    ["https://app.test/back", "'self' https:"],
    ["http://127.0.0.1:7777/back", "'self' https: http://127.0.0.1:7777"],
    ["http://localhost/back", "'self' https: http://localhost"],
    // Not as a source: browsers would leave it out of the policy, and lead nobody there.
    ["http://[::1]:7777/back", "'self' https: http:"],
    ["cursor://anysphere.cursor-mcp/oauth/callback", "'self' https: cursor:"],
    ["com.example.app:/back", "'self' https: com.example.app:"]
  ])("OAUTH-25 the page's policy lets a browser be led on to %s", (redirectUri, policy) => {
    assert.strictEqual(ConsentPage.formAction({ redirectUri } as AuthorizationRequest), policy)
  })

  it.each([
    "\u3164",
    "\u2800",
    "\u034f",
    "\u00ad",
    "\ue000",
    "\u0378",
    "\ufe0f",
    "!",
    "a\u3164b",
    "a\u{e0061}",
    `Z${"\u0301".repeat(5)}`,
    "Notes \u2003 by you",
    "a  b"
  ])("OAUTH-72 %j is no name: nobody would see it, or it reaches beyond its line", (name) => {
    assert.isFalse(isName(name))
  })

  it.each(["Notes", "7", "ノート", "ملاحظات", "Ghi chú", "ที่นี่", "Ł❤️🎵", "C++", "Zoë's Notes (β) – v2"])(
    "OAUTH-72 %s is a name",
    (name) => {
      assert.isTrue(isName(name))
    }
  )
})
