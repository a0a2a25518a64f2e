/** A picture as a JPEG. Apart from what makes it, so that declarations that name it name no decoder. */
export interface Jpeg {
  readonly jpeg: Uint8Array
  readonly width: number
  readonly height: number
}
