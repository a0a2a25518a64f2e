/**
 * The tasks of a sandboxed process. A task is a function of the
 * bytes of a file and of its options; it runs with nothing else: no
 * environment, no credentials. Its module is loaded when it is first needed.
 * `frame`, `listen`, `peaks` and `program` are for processes that start programs.
 *
 * Options and answers cross between processes: plain values and typed arrays.
 */
export interface Task<Options, Answer> {
  (bytes: Uint8Array<ArrayBuffer>, options: Options): Answer | Promise<Answer>
}
