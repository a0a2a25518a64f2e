/** Reads the header of a Photoshop file, to refuse those that the decoder would show wrongly. */
import { SandboxError } from "../sandbox/SandboxError.ts"

const depthAt = 22
const modeAt = 24
const multichannel = 7

/** Refuses files that the decoder shows in other colours than Photoshop does. */
export const refuseUnshown = (bytes: Uint8Array): void => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (view.byteLength < modeAt + 2) return
  if (view.getUint16(depthAt) === 32) {
    throw new SandboxError("This Photoshop file has 32 bits a channel, which can't be shown here.")
  }
  if (view.getUint16(modeAt) === multichannel) {
    throw new SandboxError("This Photoshop file is made of separate channels of ink, which can't be shown here.")
  }
}
