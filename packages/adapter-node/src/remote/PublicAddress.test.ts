import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { BlockList } from "node:net"
import { isPublic } from "./PublicAddress.ts"

const byte = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))
const group = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 0xffff }))

/** The registries once more, as the machine's own library reads them; it takes an IPv4 address for IPv6 too, if it may. */
const listOf = (family: "ipv4" | "ipv6", ranges: string) => {
  const list = new BlockList()
  for (const range of ranges.split(" ")) {
    const [address, prefix] = range.split("/") as [string, string]
    list.addSubnet(address, Number(prefix), family)
  }
  return (address: string) => list.check(address, family)
}
const isSpecialV4 = listOf(
  "ipv4",
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 168.63.129.16/32 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 "
    + "192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4"
)
const isSpecialV6 = listOf("ipv6", "::/3 4000::/2 8000::/1 2001::/23 2001:db8::/32 2002::/16 3fff::/20")

describe("PublicAddress", () => {
  it.each([
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "100.127.255.255",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.8",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "::ffff:8.8.8.8",
    "::ffff:0:8.8.8.8",
    "64:ff9b::7f00:1",
    "64:ff9b::8.8.8.8",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:0:4136:e378:8000:63bf:3fff:fdd2",
    "2001:2::1",
    "2001:10::1",
    "2001:20::1",
    "2001:db8::1",
    "2002:7f00:1::",
    "2002:808:808::1",
    "3fff::1",
    "5f00::1",
    "fc00::1",
    "fd12:3456:789a::1",
    "fe80::1",
    "fe80::1%eth0",
    "2606:4700::1111%eth0",
    "febf::1",
    "fec0::1",
    "ff02::1"
  ])("HOSTILE-30 %s is not public", (address) => {
    assert.isFalse(isPublic(address))
  })

  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "128.0.0.1",
    "168.63.129.15",
    "168.63.129.17",
    "169.253.1.1",
    "172.15.0.1",
    "172.32.0.1",
    "192.0.1.1",
    "192.167.1.1",
    "198.17.1.1",
    "198.20.0.0",
    "223.255.255.255",
    "2606:4700:4700::1111",
    "2a00:1450:4001:82a::200e",
    "2001:4860:4860::8888",
    "2001:200::1",
    "2003::1",
    "3ffe::1"
  ])("HOSTILE-30 %s is public", (address) => {
    assert.isTrue(isPublic(address))
  })

  it.each([
    "",
    " ",
    "localhost",
    "example.com",
    "127.1",
    "2130706433",
    "0x7f000001",
    "0177.0.0.1",
    "08.8.8.8",
    "8.8.8",
    "8.8.8.8.8",
    "256.1.1.1",
    "1.1.1.1 ",
    "-1.1.1.1",
    "1e1.1.1.1",
    ":::",
    "1::2::3",
    "2606:4700",
    "2606:4700:4700::11111",
    "[2606::1]",
    "2606::1.2.3",
    "2606::1.2.3.4:5",
    "1:2:3:4:5:6:7:8:9",
    "2606:4700:0:0:0:0:0::1111:1",
    "g606::1"
  ])("HOSTILE-30 %j is no address, and so not public", (text) => {
    assert.isFalse(isPublic(text))
  })

  it.prop("HOSTILE-30 of any IPv4 address the registries say the same", [byte, byte, byte, byte], (bytes) => {
    const address = bytes.join(".")
    assert.strictEqual(isPublic(address), !isSpecialV4(address))
  }, { arbitrary: { runs: 2_000 } })

  it.prop(
    "HOSTILE-30 of any IPv6 address too, however it is written",
    [group, group, group, group, group, group, group, group, Schema.Literals([0x2000, 0x2001, 0x2002, 0x3fff, 0])],
    ([...groups]) => {
      const [start] = groups.splice(8, 1)
      for (const first of [groups[0]!, start!]) {
        const spelled = [first, ...groups.slice(1)].map((one) => one.toString(16))
        const address = spelled.join(":")
        const expected = !isSpecialV6(address)
        assert.strictEqual(isPublic(address), expected)
        assert.strictEqual(isPublic(address.toUpperCase()), expected)
        assert.strictEqual(isPublic(spelled.map((one) => one.padStart(4, "0")).join(":")), expected)
        const dotted = [groups[6]! >> 8, groups[6]! & 255, groups[7]! >> 8, groups[7]! & 255].join(".")
        assert.strictEqual(isPublic(`${spelled.slice(0, 6).join(":")}:${dotted}`), expected)
        assert.isFalse(isPublic(`::ffff:${dotted}`))
        assert.isFalse(isPublic(`64:ff9b::${dotted}`))
      }
    },
    { arbitrary: { runs: 1_000 } }
  )
})
