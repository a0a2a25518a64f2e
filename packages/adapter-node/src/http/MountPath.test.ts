import { assert, describe, it } from "@effect/vitest"
import { ownUrl } from "./MountPath.ts"

const prefixes = ["/api", "/storage", "/healthz"]

describe("MountPath", () => {
  it.each([
    { mount: "", url: "/api/trash-files", own: "/api/trash-files" },
    { mount: "", url: "/api?x=1", own: "/api?x=1" },
    { mount: "", url: "/apis", own: undefined },
    { mount: "", url: "/", own: undefined },
    { mount: "/drive", url: "/drive/api/trash-files", own: "/api/trash-files" },
    { mount: "/drive", url: "/api/trash-files", own: "/api/trash-files" },
    { mount: "/drive", url: "/drives/api/trash-files", own: undefined },
    { mount: "/drive", url: "/drive/users", own: undefined },
    { mount: "/api", url: "/api/api/trash-files", own: "/api/trash-files" },
    { mount: "/api", url: "/api/trash-files", own: "/api/trash-files" },
    { mount: "/a/b", url: "/a/b/storage/x?y=/z", own: "/storage/x?y=/z" }
  ])("HOST-3 mounted at '$mount', $url is $own", ({ mount, own, url }) => {
    assert.strictEqual(ownUrl({ mount, prefixes }, url), own)
  })
})
