/** The key of the object by which a bucket shows that it can be read ({@link "./S3Probe.ts"}). */
export const probeKey = "filedrive-probe"
