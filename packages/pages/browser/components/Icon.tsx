import { mediaIcons } from "./mediaIcons.ts"

/** Icons of 24 by 24, drawn by lines. They say nothing that a text beside them does not. */
const paths = {
  copy:
    "M9 9h10a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1zM5 15H4a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v1",
  edit: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  back: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  download: "M12 4v12m0 0 5-5m-5 5-5-5M4 19h16",
  outside: "M14 4h6v6m0-6-9 9M18 14v5a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1h5",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zm12.5 0a3 3 0 1 1-6 0 3 3 0 0 1 6 0z",
  inbox: "M3 13l3-8h12l3 8v5a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1zm0 0h5l1.5 3h5L16 13h5",
  note: "M5 4h14a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1h-7l-5 4v-4H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1z",
  reply: "M9 7 4 12l5 5M4 12h9a7 7 0 0 1 7 7",
  upload: "M12 16V4m0 0L7 9m5-5 5 5M4 16v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-2",
  folder: "M3 7a2 2 0 0 1 2-2h4l2.5 3H19a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z",
  file: "M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8zm0 0v5h5",
  image:
    "M5 4h14a1 1 0 0 1 1 1v14a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1zm-1 12 4.5-4.5 4 4L16 12l4 4M15.5 8.5h.01",
  video: "M4 6h11a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V7a1 1 0 0 1 1-1zm12 4 5-3v10l-5-3",
  sound: "M9 18V6l11-2v12M9 18a3 3 0 1 1-6 0 3 3 0 0 1 6 0zm11-2a3 3 0 1 1-6 0 3 3 0 0 1 6 0z",
  close: "M6 6l12 12M18 6 6 18",
  check: "M5 12.5 10 17.5 19 7",
  pause: "M8 5v14M16 5v14",
  play: "M7 5v14l12-7z",
  retry: "M4 12a8 8 0 1 0 2.6-5.9M4 4v4.5h4.5",
  trash: "M4 7h16M9 7V4h6v3m-8.5 0 1 13h9l1-13",
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  lock: "M7 11V8a5 5 0 0 1 10 0v3m-11 0h12a1 1 0 0 1 1 1v8a1 1 0 0 1-1 1H6a1 1 0 0 1-1-1v-8a1 1 0 0 1 1-1z",
  clock: "M12 7v5l3.5 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z",
  warning: "M12 9v4.5m0 3.4v.1M10.3 4 2.6 17.4A2 2 0 0 0 4.3 20.4h15.4a2 2 0 0 0 1.7-3L13.7 4a2 2 0 0 0-3.4 0z",
  info: "M12 11v5.5M12 7.5v.1M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0z",
  unplugged:
    "M3 3l18 18M8.5 16.4a5 5 0 0 1 7 0M5 12.9a10 10 0 0 1 5-2.7m4 .1a10 10 0 0 1 5 2.6M1.5 9.3a15 15 0 0 1 4.6-3m4-1a15 15 0 0 1 12.4 4M12 20h.01",
  search: "M20 20l-4.5-4.5M17 10.5a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0z",
  full:
    "M4 6c0-1.7 3.6-3 8-3s8 1.3 8 3-3.6 3-8 3-8-1.3-8-3zm0 0v12c0 1.7 3.6 3 8 3s8-1.3 8-3V6M4 12c0 1.7 3.6 3 8 3s8-1.3 8-3",
  plus: "M12 5v14M5 12h14",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  ...mediaIcons
} as const

export type IconName = keyof typeof paths

export const Icon = ({ name, size = 20 }: { readonly name: IconName; readonly size?: number }) => (
  <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={paths[name]} />
  </svg>
)
