import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { Headers } from "effect/http"
import * as ClientAddress from "./ClientAddress.ts"

const request = (peer: string | null, headers: Record<string, string> = {}) => ({
  remoteAddress: Option.fromNullishOr(peer),
  headers: Headers.fromInput(headers)
})

const from = (peer: string | null) => ClientAddress.of(request(peer), ClientAddress.noProxies)

describe("ClientAddress", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["::FFFF:c000:0201", "192.0.2.1"],
    ["::1", "0:0:0:0:0:0:0:1"],
    ["2001:DB8::8:800:200C:417A", "2001:db8:0:0:8:800:200c:417a"],
    ["1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"],
    ["1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"],
    ["64:ff9b::192.0.2.33", "64:ff9b:0:0:0:0:c000:221"],
    ["fe80::1%eth0", "fe80:0:0:0:0:0:0:1"],
    ["", "unknown"],
    ["192.0.2.256", "unknown"],
    ["1:2:3:4:5:6:7:8:9", "unknown"],
    ["1::2::3", "unknown"],
    ["1:2:3", "unknown"],
    ["12345::", "unknown"],
    ["somewhere", "unknown"]
  ])("RATE-1 the peer %s is %s", (peer, address) => {
    assert.strictEqual(from(peer), address)
  })

  it("RATE-1 without a peer it is unknown", () => {
    assert.strictEqual(from(null), ClientAddress.unknown)
  })

  it.each([
    { count: 0, sent: "203.0.113.9", address: "10.0.0.1" },
    { count: 1, sent: undefined, address: "10.0.0.1" },
    { count: 1, sent: "203.0.113.9", address: "203.0.113.9" },
    { count: 1, sent: "198.51.100.66, 203.0.113.9", address: "203.0.113.9" },
    { count: 2, sent: "198.51.100.66, 203.0.113.9,10.0.0.2", address: "203.0.113.9" },
    { count: 3, sent: "203.0.113.9", address: "203.0.113.9" },
    { count: 1, sent: "203.0.113.9:4711", address: "203.0.113.9" },
    { count: 1, sent: "[2001:db8::9]:4711", address: "2001:db8:0:0:0:0:0:9" },
    { count: 1, sent: "2001:db8::9", address: "2001:db8:0:0:0:0:0:9" },
    { count: 1, sent: "203.0.113.9, nonsense", address: "unknown" }
  ])("RATE-1 behind $count proxies that say $sent it is $address", ({ address, count, sent }) => {
    const headers: Record<string, string> = sent === undefined ? {} : { "x-forwarded-for": sent }
    // The header these proxies don't write is the caller's own.
    headers["forwarded"] = "for=198.51.100.1"
    assert.strictEqual(
      ClientAddress.of(request("10.0.0.1", headers), { count, header: "x-forwarded-for" }),
      address
    )
  })

  it.each([
    { sent: "for=203.0.113.9", address: "203.0.113.9" },
    { sent: "for=198.51.100.66, for=203.0.113.9;proto=https;by=10.0.0.3", address: "203.0.113.9" },
    { sent: "proto=https;For=\"[2001:db8:cafe::17]:4711\"", address: "2001:db8:cafe:0:0:0:0:17" },
    { sent: "for=\"_a,for=1.2.3.4\", for=203.0.113.9", address: "203.0.113.9" },
    { sent: "for=_hidden", address: "unknown" },
    { sent: "proto=http", address: "unknown" }
  ])("RATE-1 behind a proxy that writes Forwarded: $sent it is $address", ({ address, sent }) => {
    const headers = { forwarded: sent, "x-forwarded-for": "198.51.100.1" }
    assert.strictEqual(ClientAddress.of(request("10.0.0.1", headers), { count: 1, header: "forwarded" }), address)
  })

  it("RATE-1 addresses of one /64 are one caller, IPv4 addresses each their own", () => {
    assert.strictEqual(ClientAddress.network("192.0.2.1"), "192.0.2.1")
    assert.strictEqual(ClientAddress.network(ClientAddress.unknown), ClientAddress.unknown)
    assert.strictEqual(ClientAddress.network(from("2001:db8:1:2:3:4:5:6")), "2001:db8:1:2::/64")
    assert.strictEqual(ClientAddress.network(from("2001:db8:1:2::")), "2001:db8:1:2::/64")
    assert.notStrictEqual(ClientAddress.network(from("2001:db8:1:3::")), ClientAddress.network(from("2001:db8:1:2::")))
  })
})
