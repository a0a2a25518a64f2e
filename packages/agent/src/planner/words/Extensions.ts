/** Extensions of file names, by the kind of file that they mean. */
import type { FileType } from "../files/FileType.ts"

const extensions: Readonly<Record<FileType, string>> = {
  Image: "jpg jpeg png gif webp heic heif avif tif tiff bmp svg dng cr2 cr3 nef arw raf orf rw2 psd raw",
  Video: "mp4 mov mkv avi webm m4v mpg mpeg wmv mts m2ts mxf 3gp prores flv",
  Audio: "mp3 wav flac aac m4a ogg opus aif aiff wma alac mid midi",
  Document: "pdf doc docx xls xlsx ppt pptx odt ods odp pages numbers key rtf epub dwg dxf indd ai sketch",
  Text: "txt md csv tsv json xml html htm srt vtt log yaml yml tex ics ts js py css sql",
  Archive: "zip rar 7z tar gz tgz bz2 xz dmg iso",
  Other: "bin exe als flp logicx band ptx prproj aep drp fcpxml edl ttf otf stl obj fbx blend skp ifc rvt"
}

const types: ReadonlyMap<string, FileType> = new Map(
  Object.entries(extensions).flatMap(([type, names]) =>
    names.split(" ").map((name) => [name, type as FileType] as const)
  )
)

/** The kind of files with this extension (without its dot), or null for none that is known. */
export const typeOfExtension = (extension: string): FileType | null => types.get(extension.toLowerCase()) ?? null
