import { assert, describe, it } from "@effect/vitest"
import type { Streams } from "../ports/MediaTools.ts"
import * as Playable from "./Playable.ts"

const mov = "mov,mp4,m4a,3gp,3g2,mj2"

const video = (codec: string, pixelFormat: string | null = "yuv420p", width = 1_920, height = 1_080) => ({
  codec,
  pixelFormat,
  width,
  height
})

const streams = (container: string, video: Streams["video"], audio: string | null): Streams => ({
  container,
  durationSeconds: 1,
  video,
  audio: audio === null ? null : { codec: audio }
})

const row = (mimeType: string, given: Streams, expected: Playable.Playable) => ({ mimeType, given, expected })

describe("Playable", () => {
  it("MEDIA-72 of a file of which only the media type is known, browsers usually play MP4, WebM and common sound", () => {
    for (const type of ["video/mp4", "video/webm", "audio/mpeg", "audio/flac"]) {
      assert.isTrue(Playable.isUsual(type), type)
    }
    for (const type of ["video/quicktime", "video/x-matroska", "audio/aiff", "video/x-msvideo"]) {
      assert.isFalse(Playable.isUsual(type), type)
    }
  })

  it.each([
    row("video/mp4", streams(mov, video("h264"), "aac"), "plays"),
    row("video/quicktime", streams(mov, video("h264", "yuvj420p"), "aac"), "plays"),
    row("video/mp4", streams(mov, video("h264"), null), "plays"),
    row("video/webm", streams("matroska,webm", video("vp9"), "opus"), "plays"),
    row("audio/mpeg", streams("mp3", null, "mp3"), "plays"),
    row("audio/mp4", streams(mov, null, "aac"), "plays"),
    row("audio/flac", streams("flac", null, "flac"), "plays"),
    row("audio/wav", streams("wav", null, "pcm_s16le"), "plays"),
    row("audio/ogg", streams("ogg", null, "vorbis"), "plays"),
    row("video/quicktime", streams(mov, video("prores", "yuv422p10le"), "pcm_s16le"), "needs preview"),
    row("video/mp4", streams(mov, video("hevc"), "aac"), "needs preview"),
    row("video/mp4", streams(mov, video("h264", "yuv420p10le"), "aac"), "needs preview"),
    row("video/mp4", streams(mov, video("h264", "yuv422p"), "aac"), "needs preview"),
    row("video/mp4", streams(mov, video("h264", null), "aac"), "needs preview"),
    row("video/mp4", streams(mov, video("h264", "yuv420p", 7_680, 4_320), "aac"), "needs preview"),
    row("video/mp4", streams(mov, video("h264"), "ac3"), "needs preview"),
    row("video/x-matroska", streams("matroska,webm", video("h264"), "aac"), "needs preview"),
    row("video/x-msvideo", streams("avi", video("h264"), "mp3"), "needs preview"),
    row("video/mp2t", streams("mpegts", video("h264"), "aac"), "needs preview"),
    row("audio/aiff", streams("aiff", null, "pcm_s16be"), "needs preview"),
    row("audio/mp4", streams(mov, null, "alac"), "needs preview"),
    row("audio/x-ms-wma", streams("asf", null, "wmav2"), "needs preview"),
    row("audio/wav", streams("wav", null, "adpcm_ms"), "needs preview"),
    row("video/mp4", streams(mov, null, null), "nothing")
  ])("MEDIA-72 $mimeType of $given.container with $given.video.codec $given.video.pixelFormat: $expected", (row) => {
    assert.strictEqual(Playable.of(row.given, row.mimeType), row.expected)
  })
})
