import { assert, describe, it } from "@effect/vitest"
import { isMountRemoved, ownUrl, pathOf } from "./MountPath.ts"

const resource = "/.well-known/oauth-protected-resource"
const issuer = "/.well-known/oauth-authorization-server"
const card = "/.well-known/agent-card.json"
const prefixes = ["/api", "/storage", "/healthz", card]
const rest = { prefixes, links: [], pages: [], documents: [`${resource}/api`, issuer] }

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
    assert.strictEqual(ownUrl({ mount, ...rest }, url), own)
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
    assert.strictEqual(ownUrl({ mount, ...rest }, url), own)
  })

  it.each([
    { mount: "", url: `${issuer}/other` },
    { mount: "", url: `${issuer}/api` },
    { mount: "", url: resource },
    { mount: "", url: `${resource}/api/other` },
    { mount: "/drive", url: issuer },
    { mount: "/drive", url: `${issuer}?x=1` },
    { mount: "/drive", url: `${issuer}/` },
    { mount: "/drive", url: `${issuer}/api/auth` },
    { mount: "/drive", url: `${issuer}/drive/other` },
    { mount: "/drive", url: `/drive${issuer}/other` },
    { mount: "/drive", url: `${resource}/api` },
    { mount: "/drive", url: `${resource}/drive/api/other` }
  ])("OAUTH-96 mounted at '$mount', $url is another's", ({ mount, url }) => {
    assert.isUndefined(ownUrl({ mount, ...rest }, url))
  })
  it.each([
    { mount: "/drive", url: issuer, originalUrl: `/drive${issuer}`, own: issuer },
    {
      mount: "/drive",
      url: `${resource}/api?x=1`,
      originalUrl: `/drive${resource}/api?x=1`,
      own: `${resource}/api?x=1`
    },
    { mount: "/a/drive", url: issuer, originalUrl: `/drive${issuer}`, own: issuer },
    { mount: "/drive", url: issuer, originalUrl: issuer, own: undefined },
    { mount: "/drive", url: `${issuer}/drive`, originalUrl: `${issuer}/drive`, own: issuer },
    { mount: "/drive", url: card, originalUrl: card, own: card },
    { mount: "/drive", url: `${issuer}/other`, originalUrl: `/drive${issuer}/other`, own: undefined }
  ])("OAUTH-96 mounted at $mount, $url of $originalUrl is $own", ({ mount, originalUrl, own, url }) => {
    assert.strictEqual(ownUrl({ mount, ...rest }, url, isMountRemoved(url, originalUrl)), own)
  })

  it.each([
    ["/a/b?x=1", "/a/b?x=1"],
    ["//host/a", "//host/a"],
    ["http://host/a/../b%2f?x=http://y/#z", "/a/../b%2f?x=http://y/"],
    ["HTTPS://user@host:8443/a", "/a"],
    ["http://host", "/"],
    ["http://host?x=1", "/?x=1"],
    ["http://[::1]:80/a", "/a"],
    ["http://[/a", "/a"],
    ["*", "*"],
    ["host:443", "host:443"],
    ["", ""]
  ])("HOST-244 the path of %s is %s", (target, path) => assert.strictEqual(pathOf(target), path))
})
