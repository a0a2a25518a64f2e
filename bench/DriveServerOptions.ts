/** What a drive that is measured is told. */
export interface DriveServerOptions {
  readonly dataDirectory: string
  /** PostgreSQL; the embedded database when left out. */
  readonly databaseUrl?: string
  /** Keep files on an S3 engine rather than the disk. */
  readonly s3Endpoint?: string
  /** Files the account has from the start, by their records alone. */
  readonly files?: number
}
