/** `@uppy/companion` as it signs uploads to S3. */
import { app } from "@uppy/companion"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { options, ready } from "./parent.ts"

const { directory } = options<{ readonly directory: string }>()
const companion = app(
  {
    s3: {
      getKey: ({ filename }: { readonly filename: string }) => filename,
      key: "AKIAIOSFODNN7EXAMPLE",
      secret: "secret",
      bucket: "private",
      region: "eu-central-1",
      endpoint: "http://127.0.0.1:9",
      forcePathStyle: true,
      expires: 86_400
    },
    server: { host: "localhost", protocol: "http" },
    filePath: directory,
    secret: "secret of a benchmark",
    corsOrigins: true,
    uploadUrls: ["http://localhost/"]
  } as unknown as Parameters<typeof app>[0]
)
const server = createServer(companion.app)
server.listen(0, "127.0.0.1", () => ready({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
