import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import * as IpAddress from "./IpAddress.ts"

describe("IpAddress", () => {
  it.each<[text: string, bytes: ReadonlyArray<number> | undefined]>([
    ["192.0.2.1", [192, 0, 2, 1]],
    ["255.255.255.255", [255, 255, 255, 255]],
    ["192.0.2.256", undefined],
    ["192.0.2", undefined],
    ["192.0.2.1.1", undefined],
    ["0300.0.2.1", undefined],
    ["010.0.0.1", undefined],
    ["0x7f.0.0.1", undefined],
    ["127.0.0.1 ", undefined],
    ["::1", undefined],
    ["", undefined]
  ])("RATE-1, HOSTILE-30 IPv4 %s is %j", (text, bytes) => {
    assert.deepStrictEqual(IpAddress.parseV4(text), bytes)
  })

  it.each<[text: string, groups: ReadonlyArray<number> | undefined]>([
    ["::", [0, 0, 0, 0, 0, 0, 0, 0]],
    ["::1", [0, 0, 0, 0, 0, 0, 0, 1]],
    ["2001:DB8::8:800:200C:417A", [0x2001, 0xdb8, 0, 0, 8, 0x800, 0x200c, 0x417a]],
    ["1:2:3:4:5:6:7::", [1, 2, 3, 4, 5, 6, 7, 0]],
    ["::ffff:192.0.2.1", [0, 0, 0, 0, 0, 0xffff, 0xc000, 0x201]],
    ["1:2:3:4:5:6:192.0.2.1", [1, 2, 3, 4, 5, 6, 0xc000, 0x201]],
    ["192.0.2.1::", undefined],
    ["::192.0.2.1:1", undefined],
    ["1:2:3:4:5:6:7:192.0.2.1", undefined],
    ["1:2:3:4:5:6:7:8::", undefined],
    ["1::2::3", undefined],
    [":::", undefined],
    ["1:2:3", undefined],
    ["12345::", undefined],
    ["fe80::1%eth0", undefined],
    ["192.0.2.1", undefined]
  ])("RATE-1, HOSTILE-30 IPv6 %s is %j", (text, groups) => {
    assert.deepStrictEqual(IpAddress.parseV6(text), groups)
  })

  it("RATE-1 every IPv6 address that is written out is read as it is", () => {
    const group = fc.integer({ min: 0, max: 0xffff })
    fc.assert(fc.property(fc.array(group, { minLength: 8, maxLength: 8 }), (groups) => {
      assert.deepStrictEqual(IpAddress.parseV6(groups.map((value) => value.toString(16)).join(":")), groups)
    }))
  })
})
