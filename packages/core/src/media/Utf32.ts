/** UTF-32, which `TextDecoder` does not know: a decoder with the part of its methods that is used here. */

export const unitBytes = 4

const replacement = 0xfffd

const isCharacter = (code: number): boolean => code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)

export class Utf32Decoder implements Pick<TextDecoder, "decode"> {
  private readonly isLittle: boolean
  private held: Uint8Array = new Uint8Array(0)

  constructor(order: "le" | "be") {
    this.isLittle = order === "le"
  }

  decode(input: Uint8Array = new Uint8Array(0), { stream = false }: { readonly stream?: boolean } = {}): string {
    const bytes = new Uint8Array(this.held.length + input.length)
    bytes.set(this.held)
    bytes.set(input, this.held.length)
    const view = new DataView(bytes.buffer)
    const whole = bytes.length - (bytes.length % unitBytes)
    let text = ""
    for (let at = 0; at < whole; at += unitBytes) {
      const code = view.getUint32(at, this.isLittle)
      text += String.fromCodePoint(isCharacter(code) ? code : replacement)
    }
    this.held = stream ? bytes.slice(whole) : new Uint8Array(0)
    return stream || whole === bytes.length ? text : text + String.fromCodePoint(replacement)
  }
}
