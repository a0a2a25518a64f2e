/**
 * The agent's card: who it is, where it is reached, how to sign in and what it can do. It is public.
 *
 * Spec: "Authentication", "Agent interface". Contract: "The agent".
 */
import { apiVersion, Limits } from "@filedrive/core"
import { supportedVersion } from "./ProtocolError.ts"

export interface AgentCardOptions {
  /** Where people reach the drive, without a slash at the end, like `https://drive.example.com`. */
  readonly siteUrl: string
  /** Where the agent is reached, like `https://drive.example.com/a2a`. */
  readonly url: string
  /** What people and programs read of it. */
  readonly name: string
  /** Where OAuth begins; null for a drive without it. */
  readonly oauth: OAuthEndpoints | null
}

/** Absolute addresses. */
export interface OAuthEndpoints {
  readonly authorizationUrl: string
  readonly tokenUrl: string
  /** The authorization server's metadata (RFC 8414). */
  readonly metadataUrl: string
}

/** What a credential may be limited to, as scopes of OAuth. Contract: "MCP and OAuth". */
const scopes = {
  agent: "Give the agent tasks",
  read: "See and download files",
  add: "Add files",
  organize: "Tag, move, rename and describe files, and change lists",
  share: "Share files, publish them and ask others for files and reviews",
  delete: "Move files to trash, restore them and delete them for good",
  generate: "Generate images"
}

const skills = [
  {
    id: "find",
    name: "Find and read files",
    description:
      "Finds, counts and lists files by name, kind, tag, folder, date, size, duration, tempo, key or place, and answers from " +
      "what texts and PDFs say.",
    tags: ["search", "read"],
    examples: ["Which photos did I take in Lisbon last summer?", "What does the lease say about the deposit?"]
  },
  {
    id: "organize",
    name: "Organize files",
    description: "Tags, moves, renames and describes files, and makes folders, playlists and galleries.",
    tags: ["tags", "folders", "playlists", "galleries"],
    examples: ["Move all invoices from March to /Taxes/2026", "Make a playlist of all tracks over 120 bpm"]
  },
  {
    id: "share",
    name: "Share files",
    description:
      "Shares files with others by their handles, and makes files public or private again and says their links.",
    tags: ["sharing", "links"],
    examples: ["Share the demo tape with bob", "Make cover.png public and give me the link"]
  },
  {
    id: "collect",
    name: "Ask for files and reviews",
    description:
      "Makes links at which others send files or leave timed notes on a video or track, and answers their notes.",
    tags: ["requests", "reviews"],
    examples: ["Ask for the wedding photos", "What notes are there on the trailer?"]
  },
  {
    id: "clean",
    name: "Clean up",
    description:
      "Moves files to trash and restores them, deletes them for good when asked clearly, and tells what storage is used for.",
    tags: ["trash", "storage"],
    examples: ["Move the screenshots from last year to the trash", "What takes most space?"]
  },
  {
    id: "transfer",
    name: "Bring in and pack files",
    description:
      "Imports files from links, saves files that are sent with the message, and packs files into a ZIP archive.",
    tags: ["import", "archive"],
    examples: ["Import https://example.com/report.pdf to /Work", "Zip the folder /Album"]
  },
  {
    id: "images",
    name: "Generate images",
    description: "Generates an image from a description and saves it to the drive.",
    tags: ["images"],
    examples: ["Draw a lighthouse in fog, 16:9"]
  },
  {
    id: "wait",
    name: "Wait for something to happen",
    description:
      "Waits up to 30 days for files at a request, notes on a review, someone opening a file, files landing in a folder, or an " +
      "image, import or archive to be finished, then reports it or goes on.",
    tags: ["wait", "notify"],
    examples: ["Tell me when Ada sends the contract", "As soon as files land in /Inbox, tag them new"]
  }
]

const megabytes = (bytes: number): string => `${bytes / 1024 ** 2} MiB`

/** The card as JSON. */
export const agentCard = ({ name, oauth, siteUrl, url }: AgentCardOptions) => ({
  name,
  description:
    "Takes a task in words and does it on your file drive: finds, organizes, shares, collects, imports and packs files, and waits " +
    "for what happens on the drive. A message has at most " + megabytes(Limits.requestBodyMaxBytes) +
    " with its files in base64, so files of raw parts have at most " + megabytes(Limits.requestBodyMaxBytes * 3 / 4) +
    " together; send larger ones by url.",
  version: apiVersion,
  supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: supportedVersion }],
  provider: { organization: name, url: siteUrl },
  capabilities: { streaming: false, pushNotifications: true, extendedAgentCard: false },
  defaultInputModes: ["text/plain", "application/json", "*/*"],
  defaultOutputModes: ["text/plain"],
  securitySchemes: {
    apiToken: {
      httpAuthSecurityScheme: {
        scheme: "Bearer",
        bearerFormat: "opaque",
        description: "An API token of the drive, with the permission agent."
      }
    },
    ...oauth !== null && {
      oauth: {
        oauth2SecurityScheme: {
          description: "Sign in at the drive.",
          flows: {
            authorizationCode: {
              authorizationUrl: oauth.authorizationUrl,
              tokenUrl: oauth.tokenUrl,
              refreshUrl: oauth.tokenUrl,
              scopes,
              pkceRequired: true
            }
          },
          oauth2MetadataUrl: oauth.metadataUrl
        }
      }
    }
  },
  securityRequirements: [
    ...oauth === null ? [] : [{ schemes: { oauth: { list: ["agent"] } } }],
    { schemes: { apiToken: { list: [] } } }
  ],
  skills
})
