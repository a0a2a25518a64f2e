import { assert, describe, it } from "@effect/vitest"
import { ownUrl } from "./MountPath.ts"

const resource = "/.well-known/oauth-protected-resource"
const issuer = "/.well-known/oauth-authorization-server"
const prefixes = ["/api", "/storage", "/healthz", `${resource}/api`, issuer]

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
    assert.strictEqual(ownUrl({ mount, prefixes, links: [], pages: [] }, url), own)
  })
  it.each([
    { mount: "", url: `${resource}/api`, own: `${resource}/api` },
    { mount: "", url: issuer, own: issuer },
    { mount: "/drive", url: `/drive${resource}/api`, own: `${resource}/api` },
    { mount: "/drive", url: `${resource}/drive/api`, own: `${resource}/api` },
    { mount: "/a/b", url: `${resource}/a/b/api?x=1`, own: `${resource}/api?x=1` },
    { mount: "/drive", url: `${issuer}/drive`, own: issuer },
    { mount: "/drive", url: `${issuer}/drive?x=1`, own: `${issuer}?x=1` },
    { mount: "/drive", url: `${resource}/drives/api`, own: undefined },
    { mount: "/drive", url: `${resource}/drive/other`, own: undefined },
    { mount: "", url: `${resource}/other`, own: undefined },
    { mount: "/drive", url: "/.well-known/openid-configuration/drive", own: undefined }
  ])("OAUTH-41 mounted at '$mount', $url is $own", ({ mount, own, url }) => {
    assert.strictEqual(ownUrl({ mount, prefixes, links: [], pages: [] }, url), own)
  })
})
