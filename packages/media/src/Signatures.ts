/** Kinds of images and sound by the first bytes of their files, where the package `file-type` knows none or too few of them. */
const signatures: ReadonlyArray<readonly [start: string, mimeType: string]> = [
  ["IIRO", "image/x-olympus-orf"],
  ["IIRS", "image/x-olympus-orf"],
  ["MMOR", "image/x-olympus-orf"],
  ["IIU\0", "image/x-panasonic-rw2"],
  ["FOVb", "image/x-sigma-x3f"],
  ["\0MRM", "image/x-minolta-mrw"],
  ["II\u001a\0\0\0HEAPCCDR", "image/x-canon-crw"],
  ["v/1\u0001", "image/x-exr"],
  ["DDS ", "image/vnd.ms-dds"],
  ["qoif", "image/qoi"],
  // WAV of more than 4 GiB, which recorders write as a matter of course.
  ["RF64\u00ff\u00ff\u00ff\u00ffWAVE", "audio/x-wav"],
  ["BW64\u00ff\u00ff\u00ff\u00ffWAVE", "audio/x-wav"],
  ["riff\u002e\u0091\u00cf\u0011", "audio/x-w64"],
  [".snd\0", "audio/basic"],
  ["TTA1\u0001\0", "audio/x-tta"]
]

const longest = Math.max(...signatures.map(([start]) => start.length))

const found = (head: Uint8Array) => {
  const start = String.fromCharCode(...head.subarray(0, longest))
  return signatures.find(([signature]) => start.startsWith(signature))
}

export const bySignature = (head: Uint8Array): string | null => found(head)?.[1] ?? null

/** Whether the signature has bytes that are no letters, so that no text begins with it. */
export const isOfBytes = (head: Uint8Array): boolean => /[^ -~]/.test(found(head)?.[0] ?? "")
