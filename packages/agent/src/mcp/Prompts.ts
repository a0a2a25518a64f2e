/** Prompts: tasks that people choose from a menu of their client. Pure. */

interface Argument {
  readonly name: string
  readonly description: string
  readonly required: boolean
}

interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: ReadonlyArray<Argument>
  readonly text: (given: Readonly<Record<string, string>>) => string
}

const argument = (name: string, description: string): Argument => ({ name, description, required: true })

const prompts: ReadonlyArray<Prompt> = [
  {
    name: "find_files",
    title: "Find files",
    description: "Finds files by a description in words.",
    arguments: [argument("what", "What the files are, like: photos of Lisbon from last summer")],
    text: ({ what }) =>
      `Find these files on my drive: ${what}\nUse search_files with words and filters; try other words when nothing is found. ` +
      "Answer with a list of names, folders and dates."
  },
  {
    name: "summarize_file",
    title: "Summarize a file",
    description: "Reads a file and summarizes it.",
    arguments: [argument("file", "Its name, or its id")],
    text: ({ file }) =>
      `Find the file "${file}" on my drive with search_files, read it with read_file, all pages if it has several, and summarize it ` +
      "in one paragraph and a list of the main points."
  },
  {
    name: "tidy_folder",
    title: "Tidy up a folder",
    description: "Proposes how to sort the files of a folder, and sorts them after a yes.",
    arguments: [argument("folder", "Its path, like /Inbox")],
    text: ({ folder }) =>
      `Look at the files in the folder ${folder} of my drive and propose subfolders and tags for them, as a table. ` +
      "Change nothing before I have said yes. Delete nothing."
  },
  {
    name: "collect_files",
    title: "Ask somebody for files",
    description: "Makes a link at which others send files, and a message that asks for them.",
    arguments: [argument("what", "What you need, and from whom")],
    text: ({ what }) =>
      `I need files from others: ${what}\nMake a file request with a fitting title and message, and write me a short message with ` +
      "its link that I can send."
  }
]

/** As `prompts/list` has them. */
export const listed = prompts.map(({ arguments: given, description, name, title }) => ({
  name,
  title,
  description,
  arguments: given
}))

/** The messages of a prompt; or why there are none, as a sentence. */
export const get = (name: string, given: unknown) => {
  const prompt = prompts.find((one) => one.name === name)
  if (prompt === undefined) return `There is no prompt ${JSON.stringify(name.slice(0, 100))}.`
  const values = typeof given === "object" && given !== null ? given as Readonly<Record<string, unknown>> : {}
  for (const { name } of prompt.arguments) {
    const value = values[name]
    if (typeof value !== "string" || value === "" || value.length > 2_000) {
      return `The argument ${name} must be text of 1 to 2,000 characters.`
    }
  }
  const text = prompt.text(values as Readonly<Record<string, string>>)
  return { description: prompt.description, messages: [{ role: "user", content: { type: "text", text } }] }
}
