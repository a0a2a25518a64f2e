/** Just enough of an S3 engine for an upload in parts to be opened; no bytes ever come here. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { ready } from "./parent.ts"

const opened = "<?xml version=\"1.0\"?><InitiateMultipartUploadResult><UploadId>" +
  "2~VXBsb2FkIElEIGZvciA2aWWpbmcncyBteS1tb3ZpZS5tMnRz</UploadId></InitiateMultipartUploadResult>"

const server = createServer((request, response) => {
  const opens = request.method === "POST" && request.url!.includes("uploads")
  response.writeHead(200, { "content-type": "application/xml" }).end(opens ? opened : "")
})
server.listen(0, "127.0.0.1", () => ready({ origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }))
