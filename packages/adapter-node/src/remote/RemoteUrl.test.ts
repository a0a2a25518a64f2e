import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { isPublic } from "./PublicAddress.ts"
import { parse } from "./RemoteUrl.ts"

const reason = (url: string) =>
  Result.match(parse(url, isPublic), { onFailure: (failure) => failure.reason, onSuccess: () => "allowed" })

describe("RemoteUrl", () => {
  it.each([
    "http://127.0.0.1/",
    "http://127.1/",
    "http://2130706433/",
    "http://0x7f000001/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://017700000001/",
    "http://127.0.0.1./",
    "http://0/",
    "http://0.0.0.0/",
    "http://１２７.０.０.１/",
    "http://①②⑦.0.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "http://[::]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[64:ff9b::127.0.0.1]/",
    "http://[2002:7f00:1::]/",
    "http://[fe80::1]/",
    "http://[fd00:ec2::254]/",
    "http://localhost/",
    "http://LOCALHOST./",
    "http://a.localhost:8080/",
    "https://10.0.0.1/",
    "http://192.168.0.1:8080/"
  ])("HOSTILE-30 %s is refused by a look", (url) => {
    assert.strictEqual(reason(url), "address_not_allowed")
  })

  it.each([
    "ftp://files.test/a",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "data:text/plain,a",
    "gopher://files.test/",
    "//files.test/a",
    "files.test/a",
    "",
    "http://",
    "http://user@files.test/",
    "http://user:secret@files.test/",
    "http://:secret@files.test/",
    "http://[fe80::1%25eth0]/",
    "http://[fe80::1%eth0]/",
    "http://files.test:22/",
    "http://files.test:25/",
    "http://files.test:0/",
    "http://files.test:1023/",
    "http://files.test:6667/",
    "http://files.test:65536/",
    "http://1.2.3.4.5/",
    "http://256.256.256.256/",
    "http://a b/"
  ])("HOSTILE-30 IMP-2 %j is no link to a file", (url) => {
    assert.strictEqual(reason(url), "url_not_allowed")
  })

  it.each([
    "http://files.test/a",
    "https://files.test/a?b#c",
    "http://files.test:8080/",
    "https://8.8.8.8/",
    "https://[2606:4700:4700::1111]:8443/",
    "HTTP://FILES.TEST:80/",
    "http://files.test:443/"
  ])("HOSTILE-30 %s may be asked", (url) => {
    assert.strictEqual(reason(url), "allowed")
  })
})
