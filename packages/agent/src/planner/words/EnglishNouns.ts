/** English nouns: kinds of files, and everything else that a drive has. */
import type { Phrases } from "./Words.ts"

export const EnglishNouns: Phrases = {
  access: "access",
  allowance: "allowance, image credit, image quota, credit",
  any: "file, item, thing, stuff, content, data, everything, anything, something, upload, material, asset",
  archivefile: "zip file, zip, archive, tarball, archive file",
  archive: "zip, zip file, archive, zip archive, bundle, download package, package, zipfile, zip folder",
  audio:
    "song, track, music, audio, audio file, sound, recording, tune, voice memo, sound file, music file, voice note",
  copy: "copy, duplicate, version, re-encode, encoding",
  cover: "cover, cover art, artwork, album art, cover image, album cover, cover picture",
  description: "photo caption, image caption, description, caption, text, blurb",
  document: "document, doc, docs, office file",
  delivery: "delivery, drop, submission, sending",
  event: "activity, event, news",
  folder: "sub-folder, sub folder, folder, directory, dir, subfolder",
  gallery: "gallery, album, photo album, photo gallery, picture gallery, image gallery, slideshow",
  image: "image, picture, photo, photograph, pic, snapshot, photo file, image file, pics, foto",
  import: "import, download, fetch",
  key: "key",
  link: "link, url, public link, share link, download link, web link, address, sharing link",
  name: "name, title, filename, file name",
  note: "review comment, feedback note, note, comment, remark, feedback, review note, annotation",
  other: "other file",
  page: "page",
  person: "person, people, someone, somebody, anyone, anybody, one",
  playlist: "playlist, play list, set list, setlist, mixtape, mix tape, track list, tracklist",
  poster: "thumbnail, poster, poster frame, preview image, preview picture, cover frame, still",
  reply: "reply, answer, response",
  request:
    "collection page, upload site, upload form, drop page, drop-off page, drop-off link, submission page, upload box, intake page, file drop, file request, request, upload link, upload page, dropbox, drop box, collection link, submission link, inbox link, upload request, drop link, request link, intake",
  review: "review, review link, review page, feedback link, review session, feedback round",
  share: "share",
  storage:
    "storage usage, disk usage, free space, drive space, storage, space, disk space, storage space, quota, disk, capacity, room",
  tag: "tag, label, keyword, hashtag",
  text: "text file, text, textfile, plain text file",
  trash: "trash, bin, trash can, recycle bin, rubbish, rubbish bin, recycling bin, garbage, wastebasket, trashcan",
  video: "video, clip, movie, film, footage, video file, vid, video clip, reel",
  view: "view, opening, visit, viewer"
}
